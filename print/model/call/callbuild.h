/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the calls of named functions that pass the filter. Ordinary process context. */
#ifndef ERTOOLS_PRINT_MODEL_CALL_CALLBUILD_H
#define ERTOOLS_PRINT_MODEL_CALL_CALLBUILD_H

#include "print/model/lookup/calls.h"

/* Read the calls. 0 and *out for calls_free(), or -errno. */
int callbuild(struct session *session, struct calls *out);

#endif

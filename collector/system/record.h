/* SPDX-License-Identifier: Apache-2.0 */
/* One run of er_kernel. Normal context; one thread. */
#ifndef ERTOOLS_SYSTEM_RECORD_H
#define ERTOOLS_SYSTEM_RECORD_H

#include "collector/session/request.h"

/*
 * Record all processes of the machine until request->target has ended, or for
 * request->end_ns (0 = until a signal asks to end). Returns an exit status: the
 * command's, if there is one. Errors have been reported on stderr.
 */
int record(const struct request *request);

#endif

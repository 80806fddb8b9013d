/* SPDX-License-Identifier: Apache-2.0 */
/* Making archives that are missing, by er_archive. Ordinary process context. */
#ifndef ERTOOLS_PRINT_MODEL_ARCHIVE_H
#define ERTOOLS_PRINT_MODEL_ARCHIVE_H

#include <stdbool.h>

#include "print/model/session.h"

/*
 * Run er_archive, which lives beside this program, on those experiments of the session
 * whose archives are not newer than their list of load objects; on each only once. true
 * when it ran at least once, so that looking again may pay.
 */
bool archive_make(struct session *session);

#endif

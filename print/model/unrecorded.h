/* SPDX-License-Identifier: Apache-2.0 */
/* CPU time of descendants that no experiment has. Normal context. */
#ifndef ERTOOLS_PRINT_MODEL_UNRECORDED_H
#define ERTOOLS_PRINT_MODEL_UNRECORDED_H

#include "print/model/session.h"

/*
 * Of the descendants of a founder, an index of the session: the CPU ns that the kernel
 * has of them beyond what their experiments say; at least that much is in none. 0 where
 * it is little, as each process does something after its account was closed, and where
 * not all of the experiments are here.
 */
u64 unrecorded_time(const struct session *session, u32 founder);

#endif

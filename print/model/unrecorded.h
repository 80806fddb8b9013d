/* SPDX-License-Identifier: Apache-2.0 */
/* CPU time of descendants that no experiment has. Normal context. */
#ifndef ERTOOLS_PRINT_MODEL_UNRECORDED_H
#define ERTOOLS_PRINT_MODEL_UNRECORDED_H

#include "print/model/session.h"

/*
 * CPU ns of the founder's descendants by the kernel's account, less what their
 * experiments have: at least that much is not recorded. founder: index in the session.
 * 0 if it is little, since each process runs a little after its account is closed, or
 * if some of the experiments are not loaded.
 */
u64 unrecorded_time(const struct session *session, u32 founder);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* CPU time of descendants that no experiment has. Normal context. */
#ifndef ERTOOLS_PRINT_MODEL_UNRECORDED_H
#define ERTOOLS_PRINT_MODEL_UNRECORDED_H

#include "print/model/session.h"

/*
 * The CPU time (ns) of the founder's descendants by the kernel's account, less what
 * their experiments have: at least that much is not recorded. founder: its index in the
 * session. Returns 0 if that is little, since each process still runs a little after
 * its account is closed; also 0 if some of the experiments are not loaded.
 */
u64 unrecorded_time(const struct session *session, u32 founder);

#endif

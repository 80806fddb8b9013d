/* SPDX-License-Identifier: Apache-2.0 */
/* CPU time of descendants that no experiment has. Ordinary process context. */
#ifndef ERTOOLS_PRINT_MODEL_UNRECORDED_H
#define ERTOOLS_PRINT_MODEL_UNRECORDED_H

#include "print/model/session.h"

/*
 * The CPU time (ns) of the founder's descendants by the kernel's account, less what
 * their experiments have: about that much is not recorded. founder: its index in the
 * session. 0 if that is little, since each process still runs a little after its
 * account is closed; also if one of the experiments is not loaded, or an account is not
 * known.
 */
u64 unrecorded_time(const struct session *session, u32 founder);

#endif

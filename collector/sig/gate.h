/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is this process the one that records? Any context. The word lies in a page that the
 * kernel wipes in a forked child (MADV_WIPEONFORK), so a child is closed from its first
 * instruction. A vfork child shares it: lifecycle hooks compare process ids as well.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_GATE_H
#define ERTOOLS_COLLECTOR_SIG_GATE_H

#include "share/types.h"

/* Points to 0 until recording starts. */
extern u32 *gate_word;

static inline int
gate_is_open(void)
{
    return __atomic_load_n(gate_word, __ATOMIC_RELAXED) != 0;
}

/*
 * Set where the target has restricted its system calls (preload/limit.h). limited: only
 * what hits need is done: threads are not begun or ended, files not opened, descendants
 * not recorded, ends not reported. no_pid: getpid() may not be called.
 */
extern u32 gate_limited, gate_no_pid;

#endif

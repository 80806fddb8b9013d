/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/inherit_signal.h"

#include <signal.h>

#include "collector/libc/real.h"
#include "collector/sig/guard.h"
#include "collector/preload/own_signal.h"
#include "collector/sig/chain.h"
#include "collector/sig/gate.h"
#include "collector/sig/hit.h"
#include "collector/sig/thread.h"

/*
 * In the kernel, ignore our signal if the target ignores it, and block it if the target
 * has it blocked.
 */
void
inherit_signal(void)
{
    u64 own = 1ull << (hit_signal - 1);

    if (chain_action()->handler == (void *)SIG_IGN)
        REAL(signal)(hit_signal, SIG_IGN);
    if (thread_self && thread_self->blocked)
        sys_call4(SYS_rt_sigprocmask, SIG_BLOCK, (long)(uintptr_t)&own, 0,
                  GUARD_SIGSET_BYTES);
}

/*
 * As inherit_signal(), for a vfork child, whose signal actions in the kernel are its
 * own: ignore our signal if the target ignores it, unless the child has set another
 * action.
 */
void
inherit_signal_if_ignored(void)
{
    struct sigaction now;

    if (!own_signal_is_taken() || chain_action()->handler != (void *)SIG_IGN)
        return;
    if (REAL(sigaction)(hit_signal, NULL, &now) == 0 && now.sa_sigaction == sig_handler)
        REAL(signal)(hit_signal, SIG_IGN);
}

u64
inherit_signal_begin(void)
{
    u64 mask = 0;

    sys_call4(SYS_rt_sigprocmask, SIG_BLOCK, 0, (long)(uintptr_t)&mask,
              GUARD_SIGSET_BYTES);
    if (own_signal_is_taken() && gate_is_owner())
        inherit_signal();
    return mask;
}

void
inherit_signal_end(u64 mask)
{
    if (own_signal_is_taken() && gate_is_owner() &&
        chain_action()->handler == (void *)SIG_IGN)
        own_signal_mirror_restart();
    own_signal_release(mask);
}

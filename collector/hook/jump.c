/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jumps out of the target's handlers. Such a jump restores the kernel's signal mask, in
 * which our signal is never blocked; so the signal becomes unblocked in the target's
 * view, too. (The view is wrong if the target had blocked the signal before
 * sigsetjmp(), which we do not know.)
 */
#include "collector/hook/real.h"
#include "collector/signals/signal.h"
#include "collector/preload/recording.h"
#include "collector/preload/services.h"
#include "collector/region/region.h"
#include "collector/sig/gate.h"

static void
note_jump(struct __jmp_buf_tag *env)
{
    struct thread *t = gate_is_open() ? thread_self : NULL;

    if (!t || !env->__mask_was_saved || !t->blocked || t->given_up ||
        !recording_is_owner())
        return;
    t->blocked = 0;
    signal_deliver_held(t);
}

/*
 * The stack pointer after the jump. libc stores it mangled with a secret value of the
 * thread.
 */
static u64
target_sp(const struct __jmp_buf_tag *env)
{
    enum { SP = 6, TURN = 17 };
    u64 sp = (u64)env->__jmpbuf[SP], secret;

    __asm__("movq %%fs:0x30, %0" : "=r"(secret));
    return (sp >> TURN | sp << (64 - TURN)) ^ secret;
}

static void
note_target(const struct __jmp_buf_tag *env, const void *frame)
{
    u64 from = (u64)(uintptr_t)frame, to = target_sp(env);

    region_jump(from, to);
    if (services_calls.jumped)
        services_calls.jumped(from, to);
}

#define JUMP(name)                                 \
    WRAPPER void                                   \
    name(jmp_buf env, int value)                   \
    {                                              \
        note_jump(env);                            \
        note_target(env, __builtin_frame_address(0)); \
        REAL(name)(env, value);                    \
        __builtin_unreachable();                   \
    }

JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)

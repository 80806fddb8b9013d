/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hooks of longjmp() and its variants. They tell other parts of the collector, which
 * keep regions and calls that began in active frames, which frames the jump leaves.
 */
#include "collector/libc/real.h"
#include "collector/preload/callbacks.h"
#include "collector/preload/clients.h"

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
report_target(const struct __jmp_buf_tag *env, const void *frame)
{
    u64 from = (u64)(uintptr_t)frame, to = target_sp(env);

    callbacks.jumped(env, from, to);
    if (clients_calls.jumped)
        clients_calls.jumped(from, to);
}

#define JUMP(name)                                 \
    WRAPPER void                                   \
    name(jmp_buf env, int value)                   \
    {                                              \
        report_target(env, __builtin_frame_address(0)); \
        REAL(name)(env, value);                    \
        __builtin_unreachable();                   \
    }

JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)

/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/chain.h"

#include <ucontext.h>

#include "collector/sig/hit.h"
#include "collector/sig/sys.h"

enum {
    ACTIONS = 64, /* how many changes ago a handler may still be reading */
    SIGSET_BYTES = 8,
    RED_ZONE = 128, /* System V ABI, AMD64 supplement, 3.2.2 */
};

static struct chain_action actions[ACTIONS];
static u32 current;

const struct chain_action *
chain_action(void)
{
    return &actions[__atomic_load_n(&current, __ATOMIC_ACQUIRE) % ACTIONS];
}

void
chain_set(const struct chain_action *action)
{
    u32 next = current + 1;

    actions[next % ACTIONS] = *action;
    __atomic_store_n(&current, next, __ATOMIC_RELEASE);
}

typedef void handler_function(int, siginfo_t *, void *);

/* Call on another stack. The frame pointer lets unwinders through. */
__attribute__((noinline, optimize("no-omit-frame-pointer"))) static void
call_on(u64 sp, handler_function *function, int signo, siginfo_t *info, void *context)
{
    __asm__ volatile("movq %%rsp, %%rbx\n\t"
                     "movq %[sp], %%rsp\n\t"
                     "call *%[function]\n\t"
                     "movq %%rbx, %%rsp"
                     : "+D"(signo), "+S"(info), "+d"(context), [sp] "+r"(sp),
                       [function] "+r"(function)
                     :
                     : "rax", "rbx", "rcx", "r8", "r9", "r10", "r11", "memory", "cc",
                       "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
                       "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
                       "xmm15");
}

/*
 * Where the kernel would have put the handler, were our alternate stack not there; 0 =
 * where we are: the target has an alternate stack of its own, or is on ours already.
 */
static u64
handler_stack(const struct thread *t, const ucontext_t *uc)
{
    u64 sp = (u64)uc->uc_mcontext.gregs[REG_RSP];
    u64 alt;

    if (!t || !t->alt_ours)
        return 0;
    alt = (u64)(uintptr_t)t->alt;
    if (sp >= alt && sp < alt + t->alt_bytes)
        return 0;
    return (sp - RED_ZONE) & ~15ull;
}

static void
run(struct thread *t, const struct chain_action *action, int signo, siginfo_t *info,
    ucontext_t *uc)
{
    u64 own = 1ull << (HIT_SIGNAL - 1);
    u64 mask, sp = handler_stack(t, uc);
    handler_function *function;

    __builtin_memcpy(&mask, &uc->uc_sigmask, sizeof(mask));
    __builtin_memcpy(&function, &action->handler, sizeof(function));
    if (t && (!(action->flags & SA_NODEFER) || action->mask & own))
        t->blocked = 1;
    mask = (mask | action->mask) & ~own;
    sys_call4(SYS_rt_sigprocmask, SIG_SETMASK, (long)(uintptr_t)&mask, 0, SIGSET_BYTES);
    if (sp)
        call_on(sp, function, signo, info, uc);
    else
        function(signo, info, uc);
    mask = ~0ull;
    sys_call4(SYS_rt_sigprocmask, SIG_SETMASK, (long)(uintptr_t)&mask, 0, SIGSET_BYTES);
}

void
chain_pass(struct thread *t, int signo, siginfo_t *info, void *context)
{
    siginfo_t held;

    if (t && t->blocked) {
        t->held_info = *info;
        t->held = 1;
        return;
    }
    for (;;) {
        struct chain_action action = *chain_action();

        /* The default action of our signal is to do nothing. */
        if (action.handler == (void *)SIG_DFL || action.handler == (void *)SIG_IGN)
            return;
        if (action.flags & (int)SA_RESETHAND)
            chain_set(&(struct chain_action){ .handler = (void *)SIG_DFL });
        run(t, &action, signo, info, context);
        if (!t)
            return;
        t->blocked = 0;
        if (!t->held)
            return;
        held = t->held_info;
        t->held = 0;
        info = &held;
    }
}

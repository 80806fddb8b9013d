/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/chain.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collector/sig/frame.h"
#include "collector/sig/gate.h"
#include "collector/sig/hit.h"

static struct thread self;
static u32 open_gate = 1;
static char alternate[65536];
static char *stack = alternate;
static size_t stack_bytes = sizeof(alternate);
static volatile int count, on_alternate, value;

/* The collector's handler, with this thread known to it. */
static void
start(int with_alternate)
{
    struct sigaction act;
    stack_t ss = { .ss_sp = alternate, .ss_size = sizeof(alternate) };

    memset(&act, 0, sizeof(act));
    act.sa_sigaction = sig_handler;
    act.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    sigfillset(&act.sa_mask);
    sigaction(hit_signal, &act, NULL);
    if (with_alternate)
        sigaltstack(&ss, NULL);
    self.tid = (u32)syscall(SYS_gettid);
    self.alt_ours = (u32)with_alternate;
    self.alt = alternate;
    self.perf.number = self.timer = -1;
    thread_self = &self;
    gate_word = &open_gate;
}

static void
counts(int signo, siginfo_t *info, void *context)
{
    char here;

    (void)context;
    count += signo == hit_signal;
    value = info->si_value.sival_int;
    on_alternate = &here >= stack && &here < stack + stack_bytes;
}

static void
handle(int flags)
{
    chain_set(&(struct action){ .handler = (void *)(uintptr_t)counts,
                                      .flags = SA_SIGINFO | flags });
}

Test(chain, default_and_ignored_do_nothing)
{
    start(1);
    cr_expect_eq(chain_action()->handler, (void *)SIG_DFL);
    raise(hit_signal);
    chain_set(&(struct action){ .handler = (void *)SIG_IGN });
    raise(hit_signal);
    cr_expect_eq(count, 0);
    cr_expect_eq(self.blocked, 0);
}

Test(chain, the_targets_handler_runs_on_its_own_stack)
{
    volatile double x = 1.5;

    start(1);
    handle(0);
    for (int i = 0; i < 1000; i++) {
        x = x * 1.0000001;
        raise(hit_signal);
        cr_assert_eq(count, i + 1);
        cr_assert_eq(on_alternate, 0);
    }
    cr_expect_gt(x, 1.5);
    handle(SA_ONSTACK);
    self.alt = NULL; /* it is the target's now */
    raise(hit_signal);
    cr_expect_eq(on_alternate, 1);
    handle(0);
    raise(hit_signal);
    cr_expect_eq(on_alternate, 0);
}

/* The thread has ours in the place of a small one. */
Test(chain, or_on_its_own_alternate_stack)
{
    static char small[16384];

    start(1);
    self.alt_instead = 1;
    self.alt_told = (stack_t){ .ss_sp = small, .ss_size = sizeof(small) };
    stack = small;
    stack_bytes = sizeof(small);
    handle(SA_ONSTACK);
    raise(hit_signal);
    cr_expect_eq(on_alternate, 1);
    handle(0);
    raise(hit_signal);
    cr_expect_eq(on_alternate, 0);
    self.alt_told.ss_size = 256; /* too small for a frame */
    memset(small, 1, 256);
    handle(SA_ONSTACK);
    raise(hit_signal);
    cr_expect_eq(count, 3);
    for (int i = 0; i < 256; i++)
        cr_assert_eq(small[i], 1);
}

/* A change in a handler, which the kernel has undone at its end. */
Test(frame, the_kernel_knows_best)
{
    struct thread t = { .alt = alternate };
    stack_t ours = { .ss_sp = alternate }, none = { .ss_flags = SS_DISABLE };

    frame_set_stack(&t, &ours);
    cr_expect(t.alt_ours && !t.alt_instead);
    frame_set_stack(&t, &none);
    cr_expect(!t.alt_ours && !t.alt_instead);
    t.alt_told.ss_size = 8192;
    frame_set_stack(&t, &ours);
    cr_expect(t.alt_ours && t.alt_instead);
    frame_set_stack(&t, &(stack_t){ .ss_sp = &ours });
    cr_expect(!t.alt_ours && !t.alt_instead);
}

Test(chain, once_only)
{
    start(0);
    handle((int)SA_RESETHAND);
    raise(hit_signal);
    raise(hit_signal);
    cr_expect_eq(count, 1);
    cr_expect_eq(chain_action()->handler, (void *)SIG_DFL);
    cr_expect(chain_action()->flags & (int)SA_RESETHAND, "as in the kernel");
}

Test(chain, blocked_ones_wait)
{
    siginfo_t info;

    start(1);
    handle(0);
    self.blocked = 1;
    cr_expect_not(chain_held(&self));
    sigqueue(getpid(), hit_signal, (union sigval){ .sival_int = 42 });
    sigqueue(getpid(), hit_signal, (union sigval){ .sival_int = 43 });
    cr_expect_eq(count, 0);
    cr_assert(chain_held(&self));
    cr_assert(chain_pop(&self, &info));
    cr_expect_eq(info.si_value.sival_int, 42, "the first stays, as in the kernel");
    cr_expect_not(chain_pop(&self, &info));
    raise(hit_signal);
    cr_assert(chain_pop(&self, &info));
    cr_expect_eq(info.si_code, SI_TKILL);
    self.blocked = 0;
    chain_deliver(self.tid, &info);
    cr_expect_eq(count, 1);
}

Test(chain, a_nudge_is_not_the_targets)
{
    siginfo_t info = { .si_signo = hit_signal, .si_code = SI_QUEUE };

    start(0);
    handle(0);
    cr_expect_not(chain_is_nudge(&info));
    cr_expect_not(sig_is_ours(&self, &info));
    info.si_value.sival_ptr = &chain_waiter;
    cr_expect(chain_is_nudge(&info));
    cr_expect(sig_is_ours(&self, &info));
    chain_deliver(self.tid, &info);
    cr_expect_eq(count, 0);
}

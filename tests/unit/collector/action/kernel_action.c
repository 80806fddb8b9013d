/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every action that a target can ask for some signals, under every rule: the sentences
 * of kernel_action.h hold, and the way back gives what was asked.
 */
#include "collector/action/kernel_action.h"

#include <criterion/criterion.h>

#include "collector/sig/bus.h"
#include "collector/sig/frame.h"

enum {
    OURS = SIGURG,
    OTHER = SIGUSR2,
};

static void
first(int signo)
{
    (void)signo;
}

static void
second(int signo)
{
    (void)signo;
}

static void *
pointer(void (*handler)(int))
{
    return (void *)(uintptr_t)handler;
}

static void *
frame(void)
{
    return (void *)(uintptr_t)sig_frame;
}

static void *
bus(void)
{
    return (void *)(uintptr_t)sig_bus;
}

typedef int check_function(int signo, const struct action *wanted,
                            const struct kernel_action_rules *rules);

static const int flags_of[] = { SA_NOCLDSTOP, SA_SIGINFO, SA_ONSTACK,
                                SA_RESTART,   SA_NODEFER, (int)SA_RESETHAND };

static struct action
nth_action(u32 n)
{
    void *handlers[] = { (void *)SIG_DFL, (void *)SIG_IGN, pointer(first),
                         pointer(second) };
    struct action action = { .handler = handlers[n & 3] };

    action.mask = (n & 4 ? action_bit(OURS) : 0) | (n & 8 ? action_bit(OTHER) : 0);
    for (u32 i = 0; i < 6; i++)
        action.flags |= n >> (4 + i) & 1 ? flags_of[i] : 0;
    return action;
}

enum {
    ACTIONS = 4 * 4 * 64,
    RULES = 2 * 3 * 2,
};

static struct kernel_action_rules
nth_rules(u32 n)
{
    struct kernel_action_rules rules = { .hidden = n & 1 ? OURS : 0,
                                         .bus = n >> 1 & 1 };

    rules.stacks = (enum kernel_action_stacks)(n >> 2);
    return rules;
}

static void
for_all(check_function *check)
{
    const int signals[] = { SIGUSR1, SIGBUS, SIGSEGV, 64 };

    for (u32 s = 0; s < 4; s++)
        for (u32 r = 0; r < RULES; r++)
            for (u32 a = 0; a < ACTIONS; a++) {
                struct action wanted = nth_action(a);
                struct kernel_action_rules rules = nth_rules(r);

                if (!check(signals[s], &wanted, &rules))
                    cr_assert_fail("signal %d, action %u, rules %u", signals[s], a, r);
            }
}

static int
is_same(const struct action *a, const struct action *b)
{
    return a->handler == b->handler && a->mask == b->mask && a->flags == b->flags;
}

static int
undone(int signo, const struct action *wanted, const struct kernel_action_rules *rules)
{
    struct action now = kernel_action(signo, wanted, rules);
    struct action back = kernel_action_undo(signo, &now, wanted, rules);

    return is_same(&back, wanted);
}

Test(kernel_action, way_back_gives_what_was_asked)
{
    for_all(undone);
}

static int
as_asked(int signo, const struct action *wanted,
         const struct kernel_action_rules *rules)
{
    struct kernel_action_rules none = { 0 };
    struct action now = kernel_action(signo, wanted, &none);

    (void)rules;
    return is_same(&now, wanted);
}

Test(kernel_action, without_rules_nothing_is_changed)
{
    for_all(as_asked);
}

static int
mask_and_stack(int signo, const struct action *wanted,
               const struct kernel_action_rules *rules)
{
    struct action now = kernel_action(signo, wanted, rules);
    int added = now.flags & ~wanted->flags, lost = wanted->flags & ~now.flags;

    if (now.mask != (wanted->mask & ~action_bit(rules->hidden)))
        return 0;
    /* Nothing is left of the default action's flags. */
    if (now.handler == bus() && wanted->handler == (void *)SIG_DFL)
        return now.flags == (SA_ONSTACK | SA_RESTART | SA_SIGINFO | ACTION_RESTORER);
    return !(added & ~SA_SIGINFO) &&
           lost == (rules->stacks == STACKS_HIDDEN ? wanted->flags & SA_ONSTACK : 0);
}

Test(kernel_action, only_our_signal_and_the_stack_are_hidden)
{
    for_all(mask_and_stack);
}

/* Who is called first, worked out by another way than the code's. */
static void *
expected_handler(int signo, const struct action *wanted,
                 const struct kernel_action_rules *rules)
{
    int stack = wanted->flags & SA_ONSTACK && rules->stacks == STACKS_MOVED;
    int masked = rules->hidden && wanted->mask & action_bit(OURS);

    if (wanted->handler == (void *)SIG_IGN)
        return wanted->handler;
    if (signo == SIGBUS)
        return rules->bus ? bus() : wanted->handler;
    if (wanted->handler == (void *)SIG_DFL || rules->stacks == STACKS_AS_ASKED)
        return wanted->handler;
    return stack || masked || wanted->flags & SA_SIGINFO ? frame() : wanted->handler;
}

static int
starts(int signo, const struct action *wanted, const struct kernel_action_rules *rules)
{
    struct action now = kernel_action(signo, wanted, rules);

    if (now.handler != expected_handler(signo, wanted, rules))
        return 0;
    if (now.handler == frame() || now.handler == bus())
        return (now.flags & SA_SIGINFO) != 0;
    return (now.flags & SA_SIGINFO) == (wanted->flags & SA_SIGINFO);
}

Test(kernel_action, ours_comes_first_only_where_it_must)
{
    for_all(starts);
}

/* The kernel has reset the handler, and nothing else. */
static int
reset(int signo, const struct action *wanted, const struct kernel_action_rules *rules)
{
    struct action now = kernel_action(signo, wanted, rules), back, asked = *wanted;

    if (!(now.flags & SA_RESETHAND) || now.handler == (void *)SIG_IGN)
        return 1;
    now.handler = (void *)SIG_DFL;
    asked.handler = (void *)SIG_DFL;
    back = kernel_action_undo(signo, &now, wanted, rules);
    return is_same(&back, &asked);
}

Test(kernel_action, reset_handler_is_default_with_the_flags_asked)
{
    for_all(reset);
}

/* A system call has installed another function: nothing of ours is in it. */
static int
replaced(int signo, const struct action *wanted,
         const struct kernel_action_rules *rules)
{
    for (u32 n = 2; n < ACTIONS; n += 37) {
        struct action now = nth_action(n), back;

        now.handler = (void *)(uintptr_t)replaced;
        back = kernel_action_undo(signo, &now, wanted, rules);
        if (!is_same(&back, &now))
            return 0;
    }
    return 1;
}

Test(kernel_action, action_of_a_system_call_is_reported_as_it_is)
{
    for_all(replaced);
}

/* siginterrupt() reads what the kernel has, changes a flag, and writes it back. */
static int
one_flag(int signo, const struct action *wanted,
         const struct kernel_action_rules *rules)
{
    struct action now = kernel_action(signo, wanted, rules), back, asked = *wanted;

    if (now.handler == bus() && wanted->handler == (void *)SIG_DFL)
        return 1;
    now.flags ^= SA_RESTART;
    asked.flags ^= SA_RESTART;
    back = kernel_action_undo(signo, &now, wanted, rules);
    return is_same(&back, &asked);
}

Test(kernel_action, flag_changed_without_us_stays)
{
    for_all(one_flag);
}

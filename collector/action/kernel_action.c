/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/action/kernel_action.h"

#include "collector/sig/bus.h"
#include "collector/sig/frame.h"

static void *
function(void (*handler)(int, siginfo_t *, void *))
{
    return (void *)(uintptr_t)handler;
}

/* Put our handler for SIGBUS first. SIG_IGN stays, because an exec inherits it. */
static void
put_bus_first(struct action *action)
{
    if (action->handler == (void *)SIG_IGN)
        return;
    if (action->handler == (void *)SIG_DFL)
        action->flags = SA_ONSTACK | SA_RESTART | ACTION_RESTORER;
    action->flags |= SA_SIGINFO;
    action->handler = function(sig_bus);
}

struct action
kernel_action(int signo, const struct action *wanted,
              const struct kernel_action_rules *rules)
{
    struct action action = *wanted;

    action.mask &= ~action_bit(rules->hidden);
    if (rules->stacks == STACKS_HIDDEN)
        action.flags &= ~SA_ONSTACK;
    if (signo == SIGBUS && rules->bus) {
        put_bus_first(&action);
    } else if (signo != SIGBUS && rules->stacks != STACKS_AS_ASKED &&
               action_is_function(action.handler) &&
               (action.flags & (SA_ONSTACK | SA_SIGINFO) ||
                action.mask != wanted->mask)) {
        action.flags |= SA_SIGINFO;
        action.handler = function(sig_frame);
    }
    return action;
}

struct action
kernel_action_undo(int signo, const struct action *now, const struct action *wanted,
                   const struct kernel_action_rules *rules)
{
    struct action told = kernel_action(signo, wanted, rules), action = *now;
    int flags = told.flags ^ wanted->flags;
    u64 mask = told.mask ^ wanted->mask;

    if (now->handler == told.handler)
        action.handler = wanted->handler;
    else if (now->handler != (void *)SIG_DFL || !(told.flags & SA_RESETHAND))
        return action;
    action.flags = (now->flags & ~flags) | (wanted->flags & flags);
    action.mask = (now->mask & ~mask) | (wanted->mask & mask);
    return action;
}

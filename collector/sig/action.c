/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/action.h"

struct action action_wanted[ACTION_SIGNALS + 1];

struct action
action_from_libc(const struct sigaction *libc)
{
    struct action action = { .handler = (void *)(uintptr_t)libc->sa_handler,
                             .flags = libc->sa_flags };

    __builtin_memcpy(&action.mask, &libc->sa_mask, sizeof(action.mask));
    return action;
}

void
action_into_libc(const struct action *action, struct sigaction *libc)
{
    libc->sa_handler = (__sighandler_t)(uintptr_t)action->handler;
    libc->sa_flags = action->flags;
    __builtin_memcpy(&libc->sa_mask, &action->mask, sizeof(action->mask));
}

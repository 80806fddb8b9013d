/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes the action that the kernel gets for a signal from the action that the target
 * has asked for and a few rules; and the reverse. Two pure functions; no state.
 *
 * Why it differs from the target's action: a handler must not block our signal, or it
 * could not be sampled; it must not run on our alternate stack; and a handler that
 * could see one of these differences in its context is started by ours (sig/frame.h).
 * Our handler for SIGBUS comes first.
 */
#ifndef ERTOOLS_COLLECTOR_ACTION_KERNEL_ACTION_H
#define ERTOOLS_COLLECTOR_ACTION_KERNEL_ACTION_H

#include "collector/sig/action.h"

/* What SA_ONSTACK in the target's action becomes. */
enum kernel_action_stacks {
    /*
     * It stays, and our handler starts none of the target's: nothing is recorded, or
     * Go's runtime is in the process, whose handlers run on our stacks with Go's own
     * masks.
     */
    STACKS_AS_ASKED,
    /* It is removed: the target has no alternate stacks; those that exist are ours. */
    STACKS_HIDDEN,
    /* It stays; our handler moves the target's handler to the target's stack. */
    STACKS_MOVED,
};

/* All zero: the kernel gets what the target has asked for. */
struct kernel_action_rules {
    int hidden; /* number of the signal that no handler may block: ours; 0 = none */
    enum kernel_action_stacks stacks;
    int bus; /* 1 = our handler for SIGBUS comes before the target's */
};

struct action kernel_action(int signo, const struct action *wanted,
                            const struct kernel_action_rules *rules);

/*
 * The target's action, given the kernel's present action and the one that the target
 * asked for last. Undoes the changes that kernel_action() makes. Other differences
 * stay, as they were made without us: by SA_RESETHAND, or by a system call.
 */
struct action kernel_action_undo(int signo, const struct action *now,
                                 const struct action *wanted,
                                 const struct kernel_action_rules *rules);

#endif

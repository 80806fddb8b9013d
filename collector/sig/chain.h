/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals that share our number but are the target's own: done with as the target has
 * asked by sigaction(), which interpose/signal.c keeps from the kernel. Handlers.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_CHAIN_H
#define ERTOOLS_COLLECTOR_SIG_CHAIN_H

#include <signal.h>

#include "collector/sig/thread.h"
#include "share/types.h"

/* What the target has said about our signal. */
struct chain_action {
    void *handler; /* SIG_DFL, SIG_IGN or a function */
    u64 mask;      /* bit n - 1 = signal n */
    int flags;     /* SA_* */
};

/* The action now in force; never NULL. */
const struct chain_action *chain_action(void);

/* Put another in force. Normal context, our signal blocked, one caller at a time. */
void chain_set(const struct chain_action *action);

/* Act on a signal as the target would have it. t may be NULL. */
void chain_pass(struct thread *t, int signo, siginfo_t *info, void *context);

#endif

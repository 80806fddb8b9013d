/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The actions that the target has asked for by sigaction() and similar calls, for all
 * signals but the collector's; for that signal, sig/chain.h has the action. Handlers
 * read the actions; normal context writes them.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_ACTION_H
#define ERTOOLS_COLLECTOR_SIG_ACTION_H

#include <signal.h>

#include "share/types.h"

/* A signal's action: the kernel's struct sigaction without the restorer. */
struct action {
    void *handler; /* SIG_DFL, SIG_IGN or a function */
    u64 mask;      /* bit n - 1 = signal n */
    int flags;     /* SA_* */
};

enum {
    ACTION_SIGNALS = 64,
    ACTION_RESTORER = 0x04000000, /* SA_RESTORER of x86: libc sets and reports it */
};

/*
 * The action that the target has asked for, by signal number. All zero: the target has
 * not set it since recording began, or the kernel got it unchanged, as by signal().
 */
extern struct action action_wanted[ACTION_SIGNALS + 1];

static inline int
action_is_function(const void *handler)
{
    return handler != (void *)SIG_DFL && handler != (void *)SIG_IGN;
}

/* The handler that the target has asked for. */
static inline void *
action_handler(int signo)
{
    return __atomic_load_n(&action_wanted[signo].handler, __ATOMIC_ACQUIRE);
}

/* The bit of signal signo in a signal mask; 0 if signo is not a signal number. */
static inline u64
action_bit(int signo)
{
    return signo >= 1 && signo <= ACTION_SIGNALS ? 1ull << (signo - 1) : 0;
}

struct action action_from_libc(const struct sigaction *libc);

/*
 * Copy to *libc the members that struct action has; the others of *libc stay unchanged.
 */
void action_into_libc(const struct action *action, struct sigaction *libc);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handles the target's own signals that have the number of the collector's signal, as
 * the target has asked; see chain.h. Runs in signal handlers.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_CHAIN_PASS_H
#define ERTOOLS_COLLECTOR_SIG_CHAIN_PASS_H

#include <signal.h>

#include "collector/sig/thread.h"

/*
 * Handle a signal of the target's by the target's action; if t blocks the signal, keep
 * it. t may be NULL. Our handler calls this last, since it does not always return.
 */
void chain_pass(struct thread *t, siginfo_t *info, void *context);

/*
 * Handle a signal of the target's that was kept, unless t still blocks it. Called like
 * chain_pass(), after each signal of the collector's.
 */
void chain_pass_held(struct thread *t, void *context);

#endif

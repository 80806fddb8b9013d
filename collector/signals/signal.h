/* SPDX-License-Identifier: Apache-2.0 */
/* What the wrappers of signal functions share. Normal context. */
#ifndef ERTOOLS_COLLECTOR_SIGNALS_SIGNAL_H
#define ERTOOLS_COLLECTOR_SIGNALS_SIGNAL_H

#include <setjmp.h>

#include "collector/sig/thread.h"

/*
 * Deliver the signal that was kept for t, the calling thread, if there is one. Call
 * when t does not block our signal any more.
 */
void signal_deliver_held(const struct thread *t);

/*
 * The calling thread jumps to env, perhaps out of a handler of the target's. Such a
 * jump restores the kernel's signal mask, in which our signal is never blocked; so the
 * signal becomes unblocked in the target's view, too. (The view is wrong if the target
 * had blocked the signal before sigsetjmp(), which we do not know.)
 */
void signal_jumped(const struct __jmp_buf_tag *env);

#endif

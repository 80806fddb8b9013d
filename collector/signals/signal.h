/* SPDX-License-Identifier: Apache-2.0 */
/* What the wrappers of signal functions share. Normal context. */
#ifndef ERTOOLS_COLLECTOR_SIGNALS_SIGNAL_H
#define ERTOOLS_COLLECTOR_SIGNALS_SIGNAL_H

#include <setjmp.h>
#include <stddef.h>

#include "collector/sig/thread.h"

/*
 * Deliver the signal that was kept for t, the calling thread, if there is one. Call
 * when t does not block our signal any more.
 */
void signal_deliver_held(const struct thread *t);

/*
 * Copy up to a page to where the target wants it, for calls in which the kernel writes.
 * 0; -1 with errno EFAULT: that cannot be written.
 */
int signal_give(void *to, const void *from, size_t size);

/*
 * Call when the calling thread jumps to env, possibly out of a handler of the target's.
 * A jump with a saved mask restores the kernel's signal mask, in which our signal is
 * never blocked; so make the signal unblocked in the target's view, too. (The view is
 * wrong if the target had blocked the signal before sigsetjmp(), which we do not know.)
 */
void signal_jumped(const struct __jmp_buf_tag *env);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What the wrappers of signal functions share. Normal context. */
#ifndef ERTOOLS_COLLECTOR_SIGNALS_SIGNAL_H
#define ERTOOLS_COLLECTOR_SIGNALS_SIGNAL_H

#include "collector/sig/thread.h"

/*
 * Deliver the signal that was kept for t, the calling thread, if there is one. Call
 * when t does not block our signal any more.
 */
void signal_deliver_held(const struct thread *t);

#endif

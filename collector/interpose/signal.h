/* SPDX-License-Identifier: Apache-2.0 */
/* What the wrappers of signal functions share. Normal context. */
#ifndef ERTOOLS_COLLECTOR_INTERPOSE_SIGNAL_H
#define ERTOOLS_COLLECTOR_INTERPOSE_SIGNAL_H

#include "collector/sig/thread.h"

/* Have a signal that was kept for t, the calling thread, delivered, if there is one. */
void signal_deliver_held(struct thread *t);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What the wrappers of signal functions share. Normal context. */
#ifndef ERTOOLS_COLLECTOR_SIGNALS_SIGNAL_H
#define ERTOOLS_COLLECTOR_SIGNALS_SIGNAL_H

#include "collector/sig/thread.h"

/* What libc adds to the flags of each action, and tells: x86's SA_RESTORER. */
enum { SIGNAL_RESTORER = 0x04000000 };

/* Have a signal that was kept for t, the calling thread, delivered, if there is one. */
void signal_deliver_held(struct thread *t);

#endif

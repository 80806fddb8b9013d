/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts about threads that do not run, which only the kernel has: how long each has
 * waited for a processor (written to its row), and for how long the process was stopped
 * (written to the control page). Read from /proc, without stopping threads. Normal
 * context of the launcher.
 */
#ifndef ERTOOLS_SESSION_DELAYS_H
#define ERTOOLS_SESSION_DELAYS_H

#include "collector/session/delayed.h"

struct recording;

/*
 * Read the delays of one process's threads, and whether it is stopped. Without memory
 * some threads are left out. Does nothing unless the collector runs in the process.
 */
void delays_read(struct delays *d, struct recording *s);

/*
 * Count the time that the process, a child of ours, was stopped: it may just have been
 * stopped or continued.
 */
void delays_changed(struct delays *d, struct recording *s);

/* ns until the next look; longer for more threads, to limit the cost. */
u64 delays_period(u32 threads);

/* Free everything; *d is all zero afterwards. */
void delays_close(struct delays *d);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System time of a process that loads the collector, with the kernel's own stacks: a
 * helper reads the kernel's samples, which come without a signal, and writes them
 * beside what the process records itself. Normal context of the launcher, one thread.
 *
 * Where this is not permitted, or fails, hits of CPU-time timers record system time.
 */
#ifndef ERTOOLS_OUTSIDE_KERNEL_H
#define ERTOOLS_OUTSIDE_KERNEL_H

struct recording;

/*
 * Start to sample s->pid: at its next exec, or at once with from_now. founder: the
 * founder of its family, which may be s. Success is logged, and failure is reported for
 * the founder alone. Does nothing without -K on, without a clock, or if s->pid does not
 * load the collector.
 */
void kernel_start(struct recording *s, const struct recording *founder, int from_now);

/* Stop the helper, after it has written all samples. Does nothing if none runs. */
void kernel_stop(struct recording *s);

/* As kernel_stop(), for a process that runs on without being recorded. */
void kernel_leave(struct recording *s);

#endif

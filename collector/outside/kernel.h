/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System time of a process that loads the collector, with the kernel's own stacks: a
 * helper reads the kernel's samples, which come without a signal, and writes them
 * beside what the process records itself. Normal context of the launcher, one thread.
 *
 * Where this is not permitted, or fails, system time has what CPU-time timers find.
 */
#ifndef ERTOOLS_OUTSIDE_KERNEL_H
#define ERTOOLS_OUTSIDE_KERNEL_H

struct session;

/*
 * Start with s->pid: at its next exec, or from_now. founder: of the family that it is
 * of, or itself. Logged if it was possible.
 */
void kernel_start(struct session *s, const struct session *founder, int from_now);

/* Have the rest written, and wait for that. Nothing happens if it was not started. */
void kernel_stop(struct session *s);

/* The same of a process that goes on. */
void kernel_leave(struct session *s);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIGBUS: a page of a data file is no more, because somebody made the file shorter (a
 * copy over it, a clean-up). The target must not die of that: the page is replaced, and
 * recording ends. What is not ours goes to the target's own handler, which the kernel
 * runs as it was asked to, ours in its place. Handlers.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_BUS_H
#define ERTOOLS_COLLECTOR_SIG_BUS_H

#include <signal.h>

/* The target's handler, or SIG_DFL. Set before ours is given to the kernel. */
extern void *bus_target;

void sig_bus(int signo, siginfo_t *info, void *context);

/* Open SIGBUS in this thread: blocked, it would kill. uc: of our own handler. */
void sig_bus_open(const ucontext_t *uc);

#endif

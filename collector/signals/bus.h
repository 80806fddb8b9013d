/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIGBUS as the target has it, and ours before it: see sig/bus.h. What the target says
 * of flags and mask is the kernel's; only the function is another. Normal context.
 */
#ifndef ERTOOLS_COLLECTOR_SIGNALS_BUS_H
#define ERTOOLS_COLLECTOR_SIGNALS_BUS_H

#include <signal.h>

/* Recording begins. */
void bus_take(void);

/* It has ended, or this is a child that is not recorded. */
void bus_give_back(void);

/* sigaction() for SIGBUS, while it is taken; for other signals the real one. */
int bus_sigaction(int signo, const struct sigaction *act, struct sigaction *old);

/* The kernel has come to know of the SA_ONSTACK that the target said of SIGBUS. */
void bus_mind_stack(void);

#endif

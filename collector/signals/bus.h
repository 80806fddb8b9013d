/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Our SIGBUS handler in front of the target's: see sig/bus.h. The kernel gets the
 * target's flags and mask; only the handler function is ours. Normal context.
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

/* Pass the target's SA_ONSTACK for SIGBUS on to the kernel from now on. */
void bus_use_stack(void);

#endif

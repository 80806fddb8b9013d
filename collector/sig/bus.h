/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIGBUS: a mapped page of a data file or of the control page no longer exists, because
 * somebody has truncated the file (copied over it, say). The target must not die of
 * that: private memory replaces the pages, and recording ends. Any other SIGBUS goes to
 * the target's own handler, with the flags and mask that the target has asked for, or
 * kills if there is none. Runs in signal handlers.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_BUS_H
#define ERTOOLS_COLLECTOR_SIG_BUS_H

#include <signal.h>

void sig_bus(int signo, siginfo_t *info, void *context);

/*
 * Unblock SIGBUS in this thread, if the interrupted code had it blocked: a SIGBUS fault
 * in our handler would otherwise kill the process. uc: the context of our own handler.
 */
void sig_bus_open(const ucontext_t *uc);

#endif

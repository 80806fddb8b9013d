/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stops the threads of a process by ptrace(2) while its memory is read. The process is
 * about to end: threads that ran on during the scan would do work that they would not
 * do without the collector. One thread must make all calls for one stop.
 */
#ifndef ERTOOLS_COLLECTOR_LEAKS_STOP_H
#define ERTOOLS_COLLECTOR_LEAKS_STOP_H

#include <sys/types.h>

#include "share/types.h"

enum { STOP_REGISTERS = 16 }; /* general-purpose registers */

struct stop_thread {
    pid_t tid;
    int held;   /* 1 = it is stopped */
    int signal; /* signal to deliver when the thread continues, 0 = none */
    u64 sp;     /* 0 = not known */
    u64 pointer; /* the thread pointer, 0 = not known */
    u64 reg[STOP_REGISTERS];
};

struct stop {
    struct stop_thread *thread;
    u32 count, room;
    int refused; /* some thread could not be seized, e.g. as a debugger traces it */
};

/*
 * Stop all threads that may be traced, and read their registers. 0 or -errno. In either
 * case call stop_end(), which lets them continue.
 */
int stop_begin(struct stop *stop, pid_t pid);
void stop_end(struct stop *stop);

#endif

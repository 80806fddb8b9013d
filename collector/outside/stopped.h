/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One thread of another process, stopped for as long as its registers and the top of
 * its stack are read. Normal context of a helper that has no children.
 */
#ifndef ERTOOLS_OUTSIDE_STOPPED_H
#define ERTOOLS_OUTSIDE_STOPPED_H

#include "collector/outside/ring.h"
#include "share/types.h"

enum {
    STOPPED_STACK = 32768, /* bytes that are read of a stack */
    STOPPED_CHAIN = 127,   /* return addresses that are found by frame pointers */
    STOPPED_IP = 8,        /* index of the instruction pointer in ring_sample.regs */
};

struct stopped {
    int is_go; /* 1 = follow frame pointers */
    unsigned char *stack;
    u64 chain[STOPPED_CHAIN + 1];
    struct ring_sample sample; /* cpu and time are set by the caller */
    u64 ran; /* CPU ns that the thread has used */
};

/* Prepare to read threads of process pid. 0 or -ENOMEM. */
int stopped_init(struct stopped *s, pid_t pid);

/*
 * Ask a thread to stop, which it does once it runs. waitpid() then returns its status,
 * and the caller gets SIGCHLD. 0; -EPERM: it is traced by another process, or this user
 * may not trace it; -ESRCH: it has ended.
 */
int stopped_begin(u32 tid);

/*
 * Let a stopped thread run on; status: what waitpid() returned, WIFSTOPPED(). If s is
 * not NULL, read the thread's registers, stack and CPU time before that. 0 or -ESRCH.
 */
int stopped_end(struct stopped *s, pid_t pid, u32 tid, int status);

/* CPU ns that a thread has used; if it is running, as of the kernel's last tick. */
u64 stopped_time(pid_t pid, u32 tid);

/*
 * May this system call simply be repeated after it has failed with EINTR? Calls that
 * the kernel itself restarts are not in the list.
 */
int stopped_is_repeatable(u64 call);

#endif

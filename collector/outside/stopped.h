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
    STOPPED_IP = 8,        /* of ring_sample.regs */
};

struct stopped {
    int is_go; /* frame pointers are followed */
    unsigned char *stack;
    u64 chain[STOPPED_CHAIN + 1];
    struct ring_sample sample; /* its cpu and time are the caller's */
    u64 ran; /* CPU ns that the thread has used */
};

/* 0, -ENOMEM. */
int stopped_init(struct stopped *s, pid_t pid);

/*
 * Have a thread stop, once it has a processor: waitpid() then has its status, and the
 * caller SIGCHLD. 0; -EPERM: somebody traces it, or this user may not; -ESRCH: it has
 * ended.
 */
int stopped_begin(u32 tid);

/*
 * Let it go on, as its status says that it has stopped: WIFSTOPPED(). With s, which is
 * not NULL, it is read before that. 0 or -ESRCH.
 */
int stopped_end(struct stopped *s, pid_t pid, u32 tid, int status);

/* CPU ns that a thread has used; of one that runs, as of the last tick. */
u64 stopped_time(pid_t pid, u32 tid);

/*
 * Does a call by this number that was interrupted, and says so (EINTR), do nothing else
 * than before if it is made again? Those that the kernel itself makes again are not
 * asked for.
 */
int stopped_is_repeatable(u64 call);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread of another process that is stopped by ptrace, made to do something, and let
 * go as if nothing had happened: registers, signal mask, and the call that it waits in.
 * Normal context of the launcher, one thread.
 */
#ifndef ERTOOLS_COLLECTOR_ATTACH_TRACEE_H
#define ERTOOLS_COLLECTOR_ATTACH_TRACEE_H

#include <sys/types.h>
#include <sys/user.h>

#include "share/attach.h"
#include "share/types.h"

struct tracee {
    pid_t pid, tid;
    struct user_regs_struct regs; /* as it was stopped */
    u64 mask;                     /* of signals */
    char *xstate;                 /* vector registers, xstate_bytes */
    size_t xstate_bytes;
    u64 since;   /* CLOCK_MONOTONIC ns when it was stopped */
    int waits;   /* it waited in a system call, which will be begun anew */
    int changed; /* its registers are not its own now */
    int by_debugger; /* who has stopped it, and has to make it do things */
};

/*
 * Stop a thread. 0; -ESRCH: it is gone; -EPERM; -ETIMEDOUT: it does not stop, and is
 * let go; -EAGAIN: it is in the midst of a restartable sequence, and is let go.
 */
int tracee_stop(struct tracee *t, pid_t pid, pid_t tid);

/* Have it make a system call by the instruction at address `at`. 0 or -errno. */
int tracee_syscall(struct tracee *t, u64 at, long number, const u64 arg[6],
                   u64 *result);

/*
 * Have it make page->call, whose function and arguments are set, with the stub and
 * stack of the pages, which are at `base` there. 0; -ETIMEDOUT; -ESRCH; -EFAULT: it
 * crashed there, which the target will not notice.
 */
int tracee_call(struct tracee *t, struct attach_page *page, u64 base);

/*
 * Threads that had to be let go while they could not: reap those that have died, which
 * else keep their process from ending, and let those go that have stopped since. To be
 * called now and then.
 */
void tracee_tend(void);

/* Let it go on. Returns for how many ns it was stopped; 0: by a debugger. */
u64 tracee_release(struct tracee *t);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread of another process that is stopped by ptrace, made to call something, and
 * released with its former state: registers, signal mask, and the system call in which
 * it waited. Normal context of the launcher, one thread.
 */
#ifndef ERTOOLS_COLLECTOR_ATTACH_TRACEE_H
#define ERTOOLS_COLLECTOR_ATTACH_TRACEE_H

#include <sys/types.h>
#include <sys/user.h>

#include "share/attach.h"
#include "share/types.h"

struct tracee {
    pid_t pid, tid;
    struct user_regs_struct regs; /* to be restored */
    u64 mask;                     /* its signal mask */
    char *xstate;                 /* vector registers, xstate_bytes */
    size_t xstate_bytes;
    u64 since;   /* CLOCK_MONOTONIC ns when it was stopped */
    int waits;   /* it waited in a system call, which will be restarted */
    int changed; /* its registers have been changed, and must be restored */
    int by_debugger; /* a debugger has stopped it, and makes its calls */
};

/*
 * Stop a thread. 0; -ESRCH: it has ended; -EPERM; -ETIMEDOUT: it does not stop;
 * -EAGAIN: it is in a restartable sequence, or an earlier stop has not come yet; or
 * another -errno. After an error the thread is not stopped.
 */
int tracee_stop(struct tracee *t, pid_t pid, pid_t tid);

/*
 * Let the thread make a system call by the syscall instruction at address `at`. 0 or
 * -errno.
 */
int tracee_syscall(struct tracee *t, u64 at, long number, const u64 arg[6],
                   u64 *result);

/*
 * Have the thread make the call in page->call, whose function and arguments are set, by
 * the stub and on the stack of the pages, which are at `base` in the target. 0;
 * -ETIMEDOUT; -ESRCH; -EFAULT: the thread crashed in the call, which the target will
 * not notice.
 */
int tracee_call(struct tracee *t, struct attach_page *page, u64 base);

/*
 * Tend threads that did not stop in time, and so could not be released: reap threads
 * that have died, which would keep their process from ending, and release threads that
 * have stopped since. Call it periodically.
 */
void tracee_tend(void);

/*
 * Restore the thread, and let it run on. Returns for how many ns it was stopped; 0 with
 * a debugger.
 */
u64 tracee_release(struct tracee *t);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/attach/tracee.h"

#include <elf.h>
#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collector/attach/debugger.h"
#include "collector/attach/proc.h"
#include "collector/attach/stub.h"

enum {
    SLICE_NS = 20000000,
    /* periods of SLICE_NS that a thread may take to stop, or to make a call */
    STOP_SLICES = 50,
    CALL_SLICES = 100,
    /* periods in which it may be ready to run without a processor; not counted above */
    READY_SLICES = 1000,
    /* Codes that the kernel uses between the interruption of a call and its restart. */
    ERESTARTSYS_ = 512,
    ERESTART_RESTARTBLOCK_ = 516,
    RED_ZONE = 128,
};

/* Store the registers in the order of struct attach_call. */
static void
put_registers(struct attach_call *call, const struct user_regs_struct *r)
{
    const u64 all[16] = { r->rax, r->rbx, r->rcx, r->rdx, r->rsi, r->rdi, r->rbp, r->r8,
                          r->r9,  r->r10, r->r11, r->r12, r->r13, r->r14, r->r15,
                          r->rsp - RED_ZONE - 16 };

    memcpy(call->r, all, sizeof(all));
}

static u64
now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (u64)ts.tv_sec * 1000000000u + (u64)ts.tv_nsec;
}

/* 1 for calls that may be repeated after EINTR: they have done nothing by then. */
static int
is_repeatable(long number)
{
    static const short calls[] = {
        SYS_epoll_wait,   SYS_epoll_pwait,  SYS_rt_sigtimedwait, SYS_semop,
        SYS_semtimedop,   SYS_recvfrom,     SYS_recvmsg,         SYS_recvmmsg,
        SYS_sendto,       SYS_sendmsg,      SYS_accept,          SYS_accept4,
        SYS_connect,      SYS_read,         SYS_readv,           SYS_io_getevents,
        SYS_io_uring_enter, SYS_epoll_pwait2, SYS_io_pgetevents, SYS_msgrcv,
        SYS_msgsnd,       SYS_futex,        SYS_poll,            SYS_ppoll,
        SYS_select,       SYS_pselect6,     SYS_nanosleep,       SYS_clock_nanosleep,
        SYS_pause,        SYS_rt_sigsuspend, SYS_wait4,          SYS_waitid,
        SYS_mq_timedreceive, SYS_mq_timedsend, SYS_flock,        SYS_fcntl,
    };

    for (size_t i = 0; i < ER_COUNT(calls); i++)
        if (calls[i] == number)
            return 1;
    return 0;
}

/* Is a signal about to be delivered? Then the target must see the call's EINTR. */
static int
has_signal(const struct tracee *t)
{
    u64 pending = proc_status(t->pid, t->tid, "SigPnd:", 16, 0) |
                  proc_status(t->pid, t->tid, "ShdPnd:", 16, 0);

    return (pending & ~proc_status(t->pid, t->tid, "SigBlk:", 16, 0)) != 0;
}

/*
 * Have a system call that our stop has interrupted restarted. The kernel restarts most
 * calls, if the registers stay as they are; some others are repeated by setting the
 * registers. Sets t->waits if the thread was in either.
 */
static void
mind_call(struct tracee *t)
{
    struct user_regs_struct *r = &t->regs;
    long result = (long)r->rax;
    unsigned char code[2];

    t->waits = 0;
    if ((long)r->orig_rax < 0)
        return;
    if (result <= -ERESTARTSYS_ && result >= -ERESTART_RESTARTBLOCK_) {
        t->waits = 1;
    } else if (result == -EINTR && is_repeatable((long)r->orig_rax) && !has_signal(t) &&
               proc_read(t->pid, r->rip - 2, code, 2) == 0 && code[0] == 0x0f &&
               code[1] == 0x05) {
        r->rip -= 2;
        r->rax = r->orig_rax;
        r->orig_rax = ~0ull;
        t->waits = t->changed = 1;
    }
}

/* How long a thread has been waited for, in slices. */
struct patience {
    u32 left;  /* while it could have run */
    u32 ready; /* while it waited for a processor */
};

/* A slice has passed. Is there patience left? */
static int
is_patient(const struct tracee *t, struct patience *p)
{
    if (proc_state(t->pid, t->tid) == 'R')
        return p->ready++ < READY_SLICES;
    return p->left && --p->left;
}

static int held; /* number of stopped threads; with any, SIGCHLD is blocked */
static sigset_t mask_before;

static void
hold(void)
{
    sigset_t child;

    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    if (!held++)
        sigprocmask(SIG_BLOCK, &child, &mask_before);
}

static void
end_hold(void)
{
    if (--held)
        return;
    /* A SIGCHLD that await() took may have been another child's: raise it again. */
    raise(SIGCHLD);
    sigprocmask(SIG_SETMASK, &mask_before, NULL);
}

/*
 * Wait until the thread stops or ends. Returns its wait status, or -errno (-ETIMEDOUT
 * after `slices`). SIGCHLD is blocked, so that no change is missed.
 */
static int
await(const struct tracee *t, u32 slices)
{
    const struct timespec slice = { 0, SLICE_NS };
    struct patience patience = { .left = slices };
    sigset_t child;
    int status, ret = 0;

    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    while (ret == 0) {
        pid_t pid = waitpid(t->tid, &status, WNOHANG | __WALL);

        if (pid == t->tid)
            ret = status;
        else if (pid < 0 && errno != EINTR)
            ret = -errno;
        else if (sigtimedwait(&child, NULL, &slice) < 0 && errno == EAGAIN &&
                 !is_patient(t, &patience))
            ret = -ETIMEDOUT;
    }
    return ret;
}

static int
is_stop(int status)
{
    return status >> 16 == PTRACE_EVENT_STOP;
}

/*
 * Wait for the stop that was asked for. If the thread stops for a signal before,
 * deliver the signal and ask again: the kernel has forgotten the request.
 */
static int
await_stop(const struct tracee *t)
{
    for (;;) {
        int status = await(t, STOP_SLICES);

        if (status < 0)
            return status == -ECHILD ? -ESRCH : status;
        if (!WIFSTOPPED(status))
            return -ESRCH;
        if (is_stop(status))
            return 0;
        if (ptrace(PTRACE_INTERRUPT, t->tid, 0, 0) < 0 ||
            ptrace(PTRACE_CONT, t->tid, 0, (long)WSTOPSIG(status)) < 0)
            return -errno;
    }
}

/*
 * Is the thread in a restartable sequence (rseq)? The kernel aborts such a sequence if
 * the thread is preempted in it.
 */
static int
in_sequence(const struct tracee *t)
{
    enum { GET_RSEQ_CONFIGURATION = 0x420f }; /* linux/ptrace.h */
    struct {
        u64 area;
        u32 size, signature, flags, pad;
    } c;
    u64 section = 0;

    /* A thread in a system call is not in a sequence. */
    if ((long)t->regs.orig_rax >= 0)
        return 0;
    if (ptrace((enum __ptrace_request)GET_RSEQ_CONFIGURATION, t->tid, sizeof(c), &c) <=
            0 ||
        !c.area)
        return 0;
    return proc_read(t->pid, c.area + 8, &section, 8) == 0 && section;
}

static int
read_registers(struct tracee *t)
{
    struct iovec io = { t->xstate, ATTACH_XSTATE_BYTES };

    if (ptrace(PTRACE_GETREGS, t->tid, 0, &t->regs) < 0 ||
        ptrace(PTRACE_GETREGSET, t->tid, NT_X86_XSTATE, &io) < 0 ||
        ptrace(PTRACE_GETSIGMASK, t->tid, sizeof(t->mask), &t->mask) < 0)
        return -errno;
    t->xstate_bytes = io.iov_len;
    return 0;
}

/* Let a thread run on. 1: it does, or it has ended; 0: it has not stopped yet. */
static int
let_go(pid_t tid)
{
    int status;
    pid_t pid;

    if (ptrace(PTRACE_DETACH, tid, 0, 0) == 0)
        return 1;
    pid = waitpid(tid, &status, WNOHANG | __WALL);
    if (pid == tid && WIFSTOPPED(status))
        (void)ptrace(PTRACE_DETACH, tid, 0, is_stop(status) ? 0l : WSTOPSIG(status));
    return pid != 0;
}

/* Threads that did not stop in time, and are still traced by us. */
static pid_t *stuck;
static size_t stuck_count;

static void
add_stuck(pid_t tid)
{
    pid_t *more = realloc(stuck, (stuck_count + 1) * sizeof(*stuck));

    if (!more)
        return;
    stuck = more;
    stuck[stuck_count++] = tid;
}

void
tracee_tend(void)
{
    size_t left = 0;

    for (size_t i = 0; i < stuck_count; i++)
        if (!let_go(stuck[i]))
            stuck[left++] = stuck[i];
    stuck_count = left;
}

static int
is_stuck(pid_t tid)
{
    for (size_t i = 0; i < stuck_count; i++)
        if (stuck[i] == tid)
            return 1;
    return 0;
}

/*
 * Stop a thread for which a debugger answers: the debugger has stopped all threads
 * already, and takes care of system calls in which they wait.
 */
static int
stop_by_debugger(struct tracee *t)
{
    int ret = debugger_registers(t->tid, &t->regs);
    long result = (long)t->regs.rax;

    t->by_debugger = 1;
    t->mask = proc_status(t->pid, t->tid, "SigBlk:", 16, 0);
    t->waits = (long)t->regs.orig_rax >= 0 && result <= -ERESTARTSYS_ &&
               result >= -ERESTART_RESTARTBLOCK_;
    return ret;
}

int
tracee_stop(struct tracee *t, pid_t pid, pid_t tid)
{
    int ret;

    *t = (struct tracee){ .pid = pid, .tid = tid };
    if (debugger_answers())
        return stop_by_debugger(t);
    tracee_tend();
    if (is_stuck(tid))
        return -EAGAIN;
    t->xstate = malloc(ATTACH_XSTATE_BYTES);
    if (!t->xstate)
        return -ENOMEM;
    hold();
    if (ptrace(PTRACE_SEIZE, tid, 0, PTRACE_O_TRACESYSGOOD) < 0) {
        ret = -errno;
        free(t->xstate);
        end_hold();
        return ret;
    }
    t->since = now();
    ret = ptrace(PTRACE_INTERRUPT, tid, 0, 0) < 0 ? -errno : await_stop(t);
    if (ret == 0)
        ret = read_registers(t);
    if (ret == 0 && in_sequence(t))
        ret = -EAGAIN;
    if (ret == 0)
        mind_call(t);
    else
        tracee_release(t);
    return ret;
}

static int
set_mask(const struct tracee *t, u64 mask)
{
    return ptrace(PTRACE_SETSIGMASK, t->tid, sizeof(mask), &mask) < 0 ? -errno : 0;
}

/* All signals but faults: a fault that is blocked would kill the process. */
static u64
blocked_mask(void)
{
    static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS };
    u64 mask = ~0ull;

    for (size_t i = 0; i < ER_COUNT(faults); i++)
        mask &= ~(1ull << (faults[i] - 1));
    return mask;
}

/* Let the thread run to its next entry into a system call, or to the exit from it. */
static int
next_call(const struct tracee *t)
{
    for (;;) {
        int status;

        if (ptrace(PTRACE_SYSCALL, t->tid, 0, 0) < 0)
            return -errno;
        status = await(t, CALL_SLICES);
        if (status < 0)
            return status;
        if (!WIFSTOPPED(status))
            return -ESRCH;
        if (WSTOPSIG(status) == (SIGTRAP | 0x80))
            return 0;
        if (!is_stop(status))
            return -EFAULT;
    }
}

int
tracee_syscall(struct tracee *t, u64 at, long number, const u64 arg[6], u64 *result)
{
    struct user_regs_struct r = t->regs;
    int ret;

    if (t->by_debugger) {
        ret = debugger_syscall(t->tid, 1, number, arg, result);
        return ret == 0 && *result == ~0ull ? -EINVAL : ret;
    }
    ret = set_mask(t, blocked_mask());
    r.rip = at;
    r.rax = (u64)number;
    r.orig_rax = ~0ull;
    r.rdi = arg[0];
    r.rsi = arg[1];
    r.rdx = arg[2];
    r.r10 = arg[3];
    r.r8 = arg[4];
    r.r9 = arg[5];
    t->changed = 1;
    if (ret == 0 && ptrace(PTRACE_SETREGS, t->tid, 0, &r) < 0)
        ret = -errno;
    if (ret == 0)
        ret = next_call(t);
    if (ret == 0)
        ret = next_call(t);
    if (ret == 0 && ptrace(PTRACE_GETREGS, t->tid, 0, &r) < 0)
        ret = -errno;
    if (ret < 0)
        return ret;
    if ((long)r.rax < 0 && (long)r.rax > -4096)
        return (int)r.rax;
    *result = r.rax;
    return 0;
}

/*
 * Write to the page what the thread needs to continue by itself if collect is killed.
 */
static int
put_return(struct tracee *t, struct attach_page *page, u64 base)
{
    struct user_regs_struct r = t->regs;
    u64 words[2];

    /*
     * If the stop has interrupted a call, set the registers as the kernel would do to
     * restart it.
     */
    if (t->waits && (long)r.orig_rax >= 0) {
        r.rip -= 2;
        r.rax = r.orig_rax;
    }
    words[0] = r.eflags;
    words[1] = r.rip;
    put_registers(&page->call, &r);
    memcpy((char *)page - ATTACH_CODE_BYTES + ATTACH_XSTATE, t->xstate,
           t->xstate_bytes);
    page->call.xstate = base + ATTACH_XSTATE;
    page->call.mask = t->mask;
    page->call.taken = page->call.done = 0;
    return proc_write(t->pid, page->call.r[15], words, sizeof(words));
}

/*
 * The thread runs the stub: wait until it has made the call, and notice if it crashes
 * instead.
 */
static int
await_done(const struct tracee *t, struct attach_page *page)
{
    const struct timespec slice = { 0, SLICE_NS };
    struct patience patience = { .left = CALL_SLICES };
    int status;

    while (!__atomic_load_n(&page->call.done, __ATOMIC_ACQUIRE)) {
        pid_t pid;

        syscall(SYS_futex, &page->call.done, FUTEX_WAIT, 0, &slice, NULL, 0);
        if (__atomic_load_n(&page->call.done, __ATOMIC_ACQUIRE))
            break;
        pid = waitpid(t->tid, &status, WNOHANG | __WALL);
        if (pid == t->tid && !WIFSTOPPED(status))
            return -ESRCH;
        if (pid == t->tid && is_stop(status))
            (void)ptrace(PTRACE_CONT, t->tid, 0, 0);
        else if (pid == t->tid)
            return -EFAULT;
        if (!is_patient(t, &patience))
            return -ETIMEDOUT;
    }
    return 0;
}

/*
 * By a debugger: have the thread make the call. begin_thread and end_thread return the
 * signal mask that the thread is to have from then on.
 */
static int
call_by_debugger(const struct tracee *t, struct attach_page *page, u64 base)
{
    u64 function = page->call.function, ignored;
    int own = function == page->begin_thread || function == page->end_thread;

    page->call.taken = (u32)own;
    page->call.done = 0;
    page->call.r[0] = blocked_mask();
    return debugger_call(t->tid, own, base + (u64)(stub_quiet - stub_start),
                         base + ATTACH_CODE_BYTES, &ignored);
}

int
tracee_call(struct tracee *t, struct attach_page *page, u64 base)
{
    struct user_regs_struct r = t->regs;
    int ret, error;
    u32 nobody = 0;

    if (t->by_debugger)
        return call_by_debugger(t, page, base);
    ret = put_return(t, page, base);
    r.rip = base + (u64)(stub_call - stub_start);
    r.rbx = base + ATTACH_CODE_BYTES;
    r.rsp = base + ATTACH_STACK + ATTACH_STACK_BYTES - 64;
    r.orig_rax = ~0ull;
    r.eflags &= ~(u64)0x500; /* direction, single step */
    if (ret == 0)
        ret = set_mask(t, blocked_mask());
    t->changed = 1;
    if (ret == 0 && ptrace(PTRACE_SETREGS, t->tid, 0, &r) < 0)
        ret = -errno;
    if (ret == 0 && ptrace(PTRACE_CONT, t->tid, 0, 0) < 0)
        ret = -errno;
    if (ret < 0)
        return ret;
    ret = await_done(t, page);
    if (ret == -EFAULT || ret == -ESRCH)
        return ret;
    if (ret == 0)
        __atomic_compare_exchange_n(&page->call.taken, &nobody, 1, 0, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE);
    error = ptrace(PTRACE_INTERRUPT, t->tid, 0, 0) < 0 ? -errno : await_stop(t);
    /*
     * Leave the registers alone if the thread has restored itself, or will do so. After
     * a timeout it is still within the call, where it may hold locks.
     */
    if (nobody || ret < 0)
        t->changed = 0;
    return ret < 0 ? ret : error;
}

u64
tracee_release(struct tracee *t)
{
    struct iovec io = { t->xstate, t->xstate_bytes };
    u64 ns;

    if (t->by_debugger)
        return 0;
    if (t->changed && t->xstate_bytes) {
        (void)ptrace(PTRACE_SETREGSET, t->tid, NT_X86_XSTATE, &io);
        (void)set_mask(t, t->mask);
        (void)ptrace(PTRACE_SETREGS, t->tid, 0, &t->regs);
    }
    if (!let_go(t->tid))
        add_stuck(t->tid);
    ns = now() - t->since;
    free(t->xstate);
    t->xstate = NULL;
    end_hold();
    return ns;
}

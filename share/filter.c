/* SPDX-License-Identifier: Apache-2.0 */
#include "share/filter.h"

#include <fcntl.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/futex.h>
#include <linux/mempolicy.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    SOME_FD = 9, /* as good as any: not one of the standard streams */
    RW = PROT_READ | PROT_WRITE,
    CODE = PROT_READ | PROT_EXEC,
    FILE_PART = MAP_PRIVATE | MAP_DENYWRITE,
    MEMORY = MAP_PRIVATE | MAP_ANONYMOUS,
    THREAD = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
             CLONE_SYSVSEM | CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID,
};

#define NOBODY ((u64)-1)

/*
 * System calls that the collector makes, with those arguments that are known
 * beforehand.
 */
#define CALL(use, name, ...) { FILTER_##use, SYS_##name, #name, { __VA_ARGS__ } }
static const struct call {
    u32 use;
    int number;
    char name[20];
    u64 args[5];
} calls[] = {
    CALL(HITS, rt_sigreturn, 0),
    CALL(HITS, rt_sigprocmask, SIG_BLOCK, 1, 1, 8),
    CALL(HITS, rt_sigprocmask, SIG_UNBLOCK, 1, 1, 8),
    CALL(HITS, rt_sigprocmask, SIG_SETMASK, 1, 0, 8),
    CALL(TIMERS, getrusage, RUSAGE_THREAD),
    CALL(VARY, ioctl, SOME_FD, PERF_EVENT_IOC_ID),
    CALL(VARY, ioctl, SOME_FD, PERF_EVENT_IOC_PERIOD),
    CALL(VARY, clock_gettime, CLOCK_THREAD_CPUTIME_ID),
    CALL(WAKE, futex, 1, FUTEX_WAKE, 1),
    CALL(WINDOWS, mremap, 1, 0, 4096, MREMAP_MAYMOVE),
    CALL(WINDOWS, madvise, 1, 4096, MADV_DONTFORK),
    CALL(PROBE, rt_sigprocmask, (u32)-1, 1, 0, 8),
    CALL(HOME, get_mempolicy, 1, 0, 0, 1, MPOL_F_NODE | MPOL_F_ADDR),
    CALL(CLOCK, getcpu, 1),
    CALL(CLOCK, clock_gettime, CLOCK_MONOTONIC, 1),
    CALL(PID, getpid, 0),
    CALL(REST, gettid, 0),
    CALL(REST, getppid, 0),
    CALL(REST, getuid, 0),
    CALL(REST, kill, 1, 0),
    CALL(REST, getrusage, RUSAGE_SELF),
    CALL(REST, clock_gettime, CLOCK_PROCESS_CPUTIME_ID),
    CALL(REST, clock_getres, CLOCK_MONOTONIC_COARSE),
    CALL(REST, sched_yield, 0),
    CALL(REST, nanosleep, 1, 1),
    CALL(REST, futex, 1, FUTEX_WAIT, 1, 1),
    CALL(REST, prctl, PR_GET_NAME, 1),
    CALL(REST, prlimit64, 0, RLIMIT_NOFILE, 0, 1),
    CALL(REST, perf_event_open, 1, 0, NOBODY, NOBODY),
    CALL(REST, fcntl, SOME_FD, F_SETSIG, SIGURG),
    CALL(REST, fcntl, SOME_FD, F_SETOWN_EX, 1),
    CALL(REST, fcntl, SOME_FD, F_SETFL, O_ASYNC | O_NONBLOCK),
    CALL(REST, fcntl, SOME_FD, F_DUPFD_CLOEXEC, 1000),
    CALL(REST, ioctl, SOME_FD, PERF_EVENT_IOC_ENABLE),
    CALL(REST, ioctl, SOME_FD, PERF_EVENT_IOC_DISABLE),
    CALL(REST, timer_create, CLOCK_THREAD_CPUTIME_ID, 1, 1),
    CALL(REST, timer_settime, 1, 0, 1),
    CALL(REST, timer_delete, 1),
    CALL(REST, rt_sigtimedwait, 1, 1, 1, 8),
    CALL(REST, rt_sigpending, 1, 8),
    CALL(REST, rt_sigaction, SIGURG, 1, 1, 8),
    CALL(REST, rt_tgsigqueueinfo, 1, 1, SIGURG, 1),
    CALL(REST, tgkill, 1, 1, 0),
    CALL(REST, sigaltstack, 1, 1),
    CALL(REST, mmap, 0, 4096, RW, MEMORY),
    CALL(REST, mmap, 0, 4096, PROT_READ, MAP_SHARED),
    CALL(REST, mmap, 0, 4096, RW, MAP_SHARED),
    CALL(REST, munmap, 1, 4096),
    CALL(REST, madvise, 1, 4096, MADV_WIPEONFORK),
    CALL(REST, openat, SOME_FD, 1, 1, 0),
    CALL(REST, read, SOME_FD, 1, 1),
    CALL(REST, write, SOME_FD, 1, 1),
    CALL(REST, close, SOME_FD),
    CALL(REST, fallocate, SOME_FD, 0, 0, 1),
    CALL(REST, ftruncate, SOME_FD, 1),
    CALL(REST, newfstatat, SOME_FD, 1, 1, 0),
    CALL(REST, readlink, 1, 1, 1),
    CALL(REST, readlinkat, (u32)AT_FDCWD, 1, 1, 1),
    CALL(NAMES, readlink, 1, 1, 1),
    CALL(NAMES, fcntl, SOME_FD, F_GETFD),
    CALL(NAMES, fstat, SOME_FD, 1),
    CALL(NAMES, fstatfs, SOME_FD, 1),
    CALL(NAMES, getcwd, 1, 1),
    CALL(NAMES, getsockname, SOME_FD, 1, 1),
    CALL(NAMES, getpeername, SOME_FD, 1, 1),
    CALL(NAMES, getsockopt, SOME_FD, SOL_SOCKET, SO_TYPE, 1),
    CALL(NAMES, getsockopt, SOME_FD, SOL_SOCKET, SO_DOMAIN, 1),
    CALL(ENTER, memfd_create, 1, MFD_CLOEXEC),
    CALL(ENTER, mmap, 0, 65536, RW, MAP_SHARED, SOME_FD),
    CALL(ENTER, mmap, 0, 65536, PROT_READ, FILE_PART, SOME_FD),
    CALL(ENTER, mmap, 65536, 65536, CODE, FILE_PART | MAP_FIXED, SOME_FD),
    CALL(ENTER, mmap, 65536, 65536, RW, FILE_PART | MAP_FIXED, SOME_FD),
    CALL(ENTER, mmap, 65536, 65536, RW, MEMORY | MAP_FIXED, NOBODY),
    CALL(ENTER, mmap, 0, 65536, PROT_NONE, MEMORY | MAP_STACK, NOBODY),
    CALL(ENTER, mmap, 0, 65536, PROT_NONE, MEMORY | MAP_NORESERVE, NOBODY),
    CALL(ENTER, mprotect, 65536, 4096, CODE),
    CALL(ENTER, mprotect, 65536, 4096, RW),
    CALL(ENTER, mprotect, 65536, 4096, PROT_READ),
    CALL(ENTER, brk, 1),
    CALL(ENTER, clone3, 1, 88),
    CALL(ENTER, clone, THREAD, 1, 1, 1, 1),
    CALL(ENTER, set_robust_list, 1, 24),
    CALL(ENTER, rseq, 1, 32, 0, 0x53053053),
    CALL(ENTER, openat, (u32)AT_FDCWD, 1, O_CLOEXEC),
    CALL(ENTER, lseek, SOME_FD, 0, SEEK_END),
    CALL(ENTER, pread64, SOME_FD, 1, 64, 64),
    CALL(ENTER, fstat, SOME_FD, 1),
    CALL(ENTER, madvise, 65536, 65536, MADV_DONTNEED),
    CALL(ENTER, ppoll, 0, 0, 1, 0, 8),
    CALL(ENTER, exit, 0),
    CALL(HAND, socketpair, AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, 1),
    CALL(HAND, recvmsg, SOME_FD, 1, MSG_CMSG_CLOEXEC | MSG_DONTWAIT),
};

struct machine {
    u32 a;
    u32 x;
    u32 memory[BPF_MEMWORDS];
};

static u32
calculate(u32 operation, u32 a, u32 b)
{
    switch (operation) {
    case BPF_ADD:
        return a + b;
    case BPF_SUB:
        return a - b;
    case BPF_MUL:
        return a * b;
    case BPF_DIV:
        return b ? a / b : 0;
    case BPF_AND:
        return a & b;
    case BPF_OR:
        return a | b;
    case BPF_XOR:
        return a ^ b;
    case BPF_LSH:
        return b < 32 ? a << b : 0;
    case BPF_RSH:
        return b < 32 ? a >> b : 0;
    default: /* BPF_NEG */
        return 0 - a;
    }
}

static int
holds(u32 condition, u32 a, u32 b)
{
    switch (condition) {
    case BPF_JEQ:
        return a == b;
    case BPF_JGT:
        return a > b;
    case BPF_JGE:
        return a >= b;
    default: /* BPF_JSET */
        return (a & b) != 0;
    }
}

static u32
load(const struct machine *m, const struct sock_filter *i, const struct seccomp_data *d)
{
    u32 word = 0;

    switch (BPF_MODE(i->code)) {
    case BPF_IMM:
        return i->k;
    case BPF_MEM:
        return i->k < BPF_MEMWORDS ? m->memory[i->k] : 0;
    case BPF_LEN:
        return sizeof(*d);
    default: /* BPF_ABS */
        if (i->k <= sizeof(*d) - sizeof(word))
            memcpy(&word, (const char *)d + i->k, sizeof(word));
        return word;
    }
}

/* Run an instruction that is neither a jump nor a return. */
static void
step(struct machine *m, const struct sock_filter *i, const struct seccomp_data *data)
{
    switch (BPF_CLASS(i->code)) {
    case BPF_LD:
        m->a = load(m, i, data);
        break;
    case BPF_LDX:
        m->x = load(m, i, data);
        break;
    case BPF_ST:
        m->memory[i->k % BPF_MEMWORDS] = m->a;
        break;
    case BPF_STX:
        m->memory[i->k % BPF_MEMWORDS] = m->x;
        break;
    case BPF_ALU:
        m->a = calculate(BPF_OP(i->code), m->a,
                         BPF_SRC(i->code) == BPF_X ? m->x : i->k);
        break;
    case BPF_MISC:
        if (BPF_MISCOP(i->code) == BPF_TXA)
            m->a = m->x;
        else
            m->x = m->a;
        break;
    default:
        break;
    }
}

u32
filter_run(const struct sock_filter *code, u32 len, const struct seccomp_data *data)
{
    struct machine m = { 0 };

    /* This ends, since jumps only go forward. */
    for (u64 pc = 0; pc < len; pc++) {
        const struct sock_filter *i = &code[pc];
        u32 operand = BPF_SRC(i->code) == BPF_X ? m.x : i->k;

        if (BPF_CLASS(i->code) == BPF_RET)
            return BPF_RVAL(i->code) == BPF_A ? m.a : i->k;
        if (BPF_CLASS(i->code) != BPF_JMP)
            step(&m, i, data);
        else if (BPF_OP(i->code) == BPF_JA)
            pc += i->k;
        else
            pc += holds(BPF_OP(i->code), m.a, operand) ? i->jt : i->jf;
    }
    return SECCOMP_RET_ALLOW;
}

/*
 * Does the filter let the collector make a call? Calls may fail with an error, except
 * those of FILTER_HITS and FILTER_CLOCK; but no call may be answered by killing or
 * stopping the process.
 */
static int
may(u32 use, u32 action)
{
    action &= SECCOMP_RET_ACTION_FULL;
    return action == SECCOMP_RET_ALLOW || action == SECCOMP_RET_LOG ||
           (action == SECCOMP_RET_ERRNO && !(use & (FILTER_HITS | FILTER_CLOCK)));
}

static u32
run_for(const struct sock_filter *code, u32 len, const struct call *call)
{
    struct seccomp_data data = { .nr = call->number, .arch = AUDIT_ARCH_X86_64 };

    memcpy(data.args, call->args, sizeof(call->args));
    return filter_run(code, len, &data);
}

u32
filter_allows(const struct sock_filter *code, u32 len)
{
    u32 uses = FILTER_ALL;

    for (size_t i = 0; i < ER_COUNT(calls); i++)
        if (!may(calls[i].use, run_for(code, len, &calls[i])))
            uses &= ~calls[i].use;
    return uses;
}

/*
 * Does the filter let collect -P make a call in a running process? The call must
 * succeed, unless it names descriptors, or there is another way, or it is clone3() and
 * the error that of a kernel without it, since libc then calls clone().
 */
static int
may_enter(const struct call *call, u32 result)
{
    u32 action = result & SECCOMP_RET_ACTION_FULL, error = result & SECCOMP_RET_DATA;

    if (action == SECCOMP_RET_ALLOW || action == SECCOMP_RET_LOG)
        return 1;
    return action == SECCOMP_RET_ERRNO &&
           (call->use & (FILTER_NAMES | FILTER_HOME) ||
            call->number == SYS_perf_event_open ||
            (call->number == SYS_clone3 && error == ENOSYS));
}

const char *
filter_forbids(const struct sock_filter *code, u32 len, u32 uses)
{
    for (size_t i = 0; i < ER_COUNT(calls); i++)
        if (calls[i].use & uses && !may_enter(&calls[i], run_for(code, len, &calls[i])))
            return calls[i].name;
    return NULL;
}

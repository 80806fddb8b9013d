/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/filter.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/futex.h>
#include <linux/mempolicy.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>

enum {
    SOME_FD = 9, /* as good as any: not one of the standard streams */
    RW = PROT_READ | PROT_WRITE,
};

/* Calls that we make, with the arguments that are known beforehand. */
static const struct {
    u32 use;
    int number;
    u64 args[5];
} calls[] = {
    { FILTER_HITS, SYS_rt_sigreturn, { 0 } },
    { FILTER_HITS, SYS_rt_sigprocmask, { SIG_BLOCK, 1, 1, 8 } },
    { FILTER_HITS, SYS_rt_sigprocmask, { SIG_UNBLOCK, 1, 1, 8 } },
    { FILTER_HITS, SYS_rt_sigprocmask, { SIG_SETMASK, 1, 0, 8 } },
    { FILTER_TIMERS, SYS_getrusage, { RUSAGE_THREAD } },
    { FILTER_VARY, SYS_ioctl, { SOME_FD, PERF_EVENT_IOC_ID } },
    { FILTER_VARY, SYS_ioctl, { SOME_FD, PERF_EVENT_IOC_PERIOD } },
    { FILTER_VARY, SYS_clock_gettime, { CLOCK_THREAD_CPUTIME_ID } },
    { FILTER_WAKE, SYS_futex, { 1, FUTEX_WAKE, 1 } },
    { FILTER_WINDOWS, SYS_mremap, { 1, 0, 4096, MREMAP_MAYMOVE } },
    { FILTER_WINDOWS, SYS_madvise, { 1, 4096, MADV_DONTFORK } },
    { FILTER_PROBE, SYS_rt_sigprocmask, { (u32)-1, 1, 0, 8 } },
    { FILTER_HOME, SYS_get_mempolicy, { 1, 0, 0, 1, MPOL_F_NODE | MPOL_F_ADDR } },
    { FILTER_CLOCK, SYS_getcpu, { 1 } },
    { FILTER_CLOCK, SYS_clock_gettime, { CLOCK_MONOTONIC, 1 } },
    { FILTER_PID, SYS_getpid, { 0 } },
    { FILTER_REST, SYS_gettid, { 0 } },
    { FILTER_REST, SYS_getppid, { 0 } },
    { FILTER_REST, SYS_getuid, { 0 } },
    { FILTER_REST, SYS_kill, { 1, 0 } },
    { FILTER_REST, SYS_getrusage, { RUSAGE_SELF } },
    { FILTER_REST, SYS_clock_gettime, { CLOCK_PROCESS_CPUTIME_ID } },
    { FILTER_REST, SYS_clock_getres, { CLOCK_MONOTONIC_COARSE } },
    { FILTER_REST, SYS_sched_yield, { 0 } },
    { FILTER_REST, SYS_nanosleep, { 1, 1 } },
    { FILTER_REST, SYS_futex, { 1, FUTEX_WAIT, 1, 1 } },
    { FILTER_REST, SYS_prctl, { PR_GET_NAME, 1 } },
    { FILTER_REST, SYS_prlimit64, { 0, RLIMIT_NOFILE, 0, 1 } },
    { FILTER_REST, SYS_perf_event_open, { 1, 0, (u64)-1, (u64)-1 } },
    { FILTER_REST, SYS_fcntl, { SOME_FD, 10, SIGURG } },
    { FILTER_REST, SYS_fcntl, { SOME_FD, 1030, 1000 } },
    { FILTER_REST, SYS_ioctl, { SOME_FD, PERF_EVENT_IOC_ENABLE } },
    { FILTER_REST, SYS_ioctl, { SOME_FD, PERF_EVENT_IOC_DISABLE } },
    { FILTER_REST, SYS_timer_create, { CLOCK_THREAD_CPUTIME_ID, 1, 1 } },
    { FILTER_REST, SYS_timer_settime, { 1, 0, 1 } },
    { FILTER_REST, SYS_timer_delete, { 1 } },
    { FILTER_REST, SYS_rt_sigtimedwait, { 1, 1, 1, 8 } },
    { FILTER_REST, SYS_rt_sigpending, { 1, 8 } },
    { FILTER_REST, SYS_rt_sigaction, { SIGURG, 1, 1, 8 } },
    { FILTER_REST, SYS_rt_tgsigqueueinfo, { 1, 1, SIGURG, 1 } },
    { FILTER_REST, SYS_sigaltstack, { 1, 1 } },
    { FILTER_REST, SYS_mmap, { 0, 4096, RW, MAP_PRIVATE | MAP_ANONYMOUS } },
    { FILTER_REST, SYS_mmap, { 0, 4096, PROT_READ, MAP_SHARED } },
    { FILTER_REST, SYS_mmap, { 0, 4096, RW, MAP_SHARED } },
    { FILTER_REST, SYS_munmap, { 1, 4096 } },
    { FILTER_REST, SYS_madvise, { 1, 4096, MADV_WIPEONFORK } },
    { FILTER_REST, SYS_openat, { SOME_FD, 1, 1, 0 } },
    { FILTER_REST, SYS_read, { SOME_FD, 1, 1 } },
    { FILTER_REST, SYS_write, { SOME_FD, 1, 1 } },
    { FILTER_REST, SYS_close, { SOME_FD } },
    { FILTER_REST, SYS_fallocate, { SOME_FD, 0, 0, 1 } },
    { FILTER_REST, SYS_ftruncate, { SOME_FD, 1 } },
    { FILTER_REST, SYS_newfstatat, { SOME_FD, 1, 1, 0 } },
    { FILTER_REST, SYS_readlink, { 1, 1, 1 } },
    { FILTER_NAMES, SYS_readlink, { 1, 1, 1 } },
    { FILTER_NAMES, SYS_fcntl, { SOME_FD, F_GETFD } },
    { FILTER_NAMES, SYS_fstat, { SOME_FD, 1 } },
    { FILTER_NAMES, SYS_fstatfs, { SOME_FD, 1 } },
    { FILTER_NAMES, SYS_getcwd, { 1, 1 } },
    { FILTER_NAMES, SYS_getsockname, { SOME_FD, 1, 1 } },
    { FILTER_NAMES, SYS_getpeername, { SOME_FD, 1, 1 } },
    { FILTER_NAMES, SYS_getsockopt, { SOME_FD, SOL_SOCKET, SO_TYPE, 1 } },
    { FILTER_NAMES, SYS_getsockopt, { SOME_FD, SOL_SOCKET, SO_DOMAIN, 1 } },
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

/* All instructions but jumps and returns. */
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

    /* The loop ends, since jumps go only forward. */
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

/* Most of our calls may fail, but none may kill or stop the process. */
static int
may(u32 use, u32 action)
{
    action &= SECCOMP_RET_ACTION_FULL;
    return action == SECCOMP_RET_ALLOW || action == SECCOMP_RET_LOG ||
           (action == SECCOMP_RET_ERRNO && !(use & (FILTER_HITS | FILTER_CLOCK)));
}

u32
filter_allows(const struct sock_filter *code, u32 len)
{
    u32 uses = FILTER_ALL;

    for (size_t i = 0; i < ER_COUNT(calls); i++) {
        struct seccomp_data data = { .nr = calls[i].number, .arch = AUDIT_ARCH_X86_64 };

        memcpy(data.args, calls[i].args, sizeof(calls[i].args));
        if (!may(calls[i].use, filter_run(code, len, &data)))
            uses &= ~calls[i].use;
    }
    return uses;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "share/filter.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <linux/audit.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/sig/sys.h"

enum {
    PROGRAMS = 150,
    CALLS = 8,
    BODY = 24,
    ALL = BODY + 6,
};

static u32 seed;

static u32
pick(u32 n)
{
    seed = seed * 1103515245 + 12345;
    return (seed >> 12) % n;
}

/* An instruction that the kernel accepts, left of so many others. */
static struct sock_filter
random_step(u32 left)
{
    static const unsigned short alu[] = { BPF_ADD, BPF_SUB, BPF_MUL,
                                          BPF_AND, BPF_OR,  BPF_XOR };
    static const unsigned short jump[] = { BPF_JEQ, BPF_JGT, BPF_JGE, BPF_JSET };
    unsigned short from = pick(2) ? BPF_X : BPF_K;
    u32 k = pick(2) ? pick(8) : pick(1u << 20) * 4001;

    switch (pick(12)) {
    case 0:
        return (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                            offsetof(struct seccomp_data, args) +
                                                4 * pick(6));
    case 1:
        return (struct sock_filter)BPF_STMT(BPF_ST, pick(3));
    case 2:
        return (struct sock_filter)BPF_STMT(BPF_STX, pick(3));
    case 3:
        return (struct sock_filter)BPF_STMT(BPF_LD | BPF_IMM, k);
    case 4:
        return (struct sock_filter)BPF_STMT(BPF_LDX | BPF_IMM, k);
    case 5:
        return (struct sock_filter)BPF_STMT(BPF_MISC | (pick(2) ? BPF_TAX : BPF_TXA),
                                            0);
    case 6:
        return (struct sock_filter)BPF_STMT(BPF_ALU | BPF_NEG, 0);
    case 7:
        return (struct sock_filter)BPF_STMT(
            BPF_ALU | BPF_K | (pick(2) ? BPF_LSH : BPF_RSH), pick(32));
    case 8:
        return (struct sock_filter)BPF_STMT(BPF_ALU | BPF_DIV | BPF_K, 1 + pick(9));
    case 9:
        return (struct sock_filter)BPF_STMT(
            (pick(2) ? BPF_LD : BPF_LDX) | BPF_W | BPF_LEN, 0);
    case 10:
        return (struct sock_filter)BPF_JUMP(BPF_JMP | jump[pick(4)] | from, k,
                                            (unsigned char)pick(left),
                                            (unsigned char)pick(left));
    default:
        return (struct sock_filter)BPF_STMT(BPF_ALU | alu[pick(6)] | from, k);
    }
}

/* Answers one call with what is left in A, as an error number. */
static void
make(struct sock_filter *code)
{
    code[0] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                           offsetof(struct seccomp_data, nr));
    code[1] =
        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getpgid, 1, 0);
    code[2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    for (u32 i = 0; i < BODY; i++)
        code[3 + i] = random_step(BODY - i);
    code[BODY + 3] = (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0x7ff);
    code[BODY + 4] =
        (struct sock_filter)BPF_STMT(BPF_ALU | BPF_OR | BPF_K, SECCOMP_RET_ERRNO);
    code[BODY + 5] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_A, 0);
}

/* In a child: 0 = the kernel answers as we do, 1 = it does not, 2 = it took it not. */
static int
compare(const struct sock_filter *code)
{
    struct sock_fprog program = { ALL, (struct sock_filter *)(uintptr_t)code };

    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        return 2;
    for (int i = 0; i < CALLS; i++) {
        struct seccomp_data data = { .nr = SYS_getpgid, .arch = AUDIT_ARCH_X86_64 };
        u32 answer;

        for (int k = 0; k < 4; k++)
            data.args[k] = (u64)pick(1u << 20) << 32 | pick(16);
        answer = filter_run(code, ALL, &data);
        if ((answer & SECCOMP_RET_ACTION_FULL) != SECCOMP_RET_ERRNO)
            return 1;
        if (sys_call4(SYS_getpgid, (long)data.args[0], (long)data.args[1],
                      (long)data.args[2],
                      (long)data.args[3]) != -(long)(answer & SECCOMP_RET_DATA))
            return 1;
    }
    return 0;
}

Test(filter, answers_are_the_kernels)
{
    int same = 0;

    for (u32 i = 0; i < PROGRAMS; i++) {
        struct sock_filter code[ALL];
        int status = -1;
        pid_t pid;

        seed = i * 7919 + 1;
        make(code);
        pid = fork();
        if (pid == 0)
            _exit(compare(code));
        waitpid(pid, &status, 0);
        cr_assert(WIFEXITED(status) && WEXITSTATUS(status) != 1, "program %u: %x", i,
                  (unsigned)status);
        same += WEXITSTATUS(status) == 0;
    }
    if (same == 0)
        cr_skip_test("no filter can be set here");
    cr_expect_gt(same, PROGRAMS / 2);
}

/* Everything but one call is allowed. */
static u32
without(int number, u32 action)
{
    const struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (u32)number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, action),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };

    return filter_allows(code, ER_COUNT(code));
}

Test(filter, uses_follow_from_calls)
{
    cr_expect_eq(without(SYS_reboot, SECCOMP_RET_KILL_PROCESS), FILTER_ALL);
    cr_expect_eq(without(SYS_getrusage, SECCOMP_RET_KILL_THREAD),
                 FILTER_ALL & ~(FILTER_TIMERS | FILTER_REST));
    cr_expect_eq(without(SYS_rt_sigreturn, SECCOMP_RET_TRAP),
                 FILTER_ALL & ~FILTER_HITS);
    cr_expect_eq(without(SYS_rt_sigreturn, SECCOMP_RET_ERRNO | 1),
                 FILTER_ALL & ~FILTER_HITS);
    cr_expect_eq(without(SYS_getpid, SECCOMP_RET_TRACE), FILTER_ALL & ~FILTER_PID);
    cr_expect_eq(without(SYS_openat, SECCOMP_RET_ERRNO | 1), FILTER_ALL);
    cr_expect_eq(without(SYS_openat, SECCOMP_RET_KILL_PROCESS),
                 FILTER_ALL & ~FILTER_REST);
    cr_expect_eq(without(SYS_getpeername, SECCOMP_RET_KILL_PROCESS),
                 FILTER_ALL & ~FILTER_NAMES);
    cr_expect_eq(without(SYS_mremap, SECCOMP_RET_LOG), FILTER_ALL);
}

/* What is in the way of collect -P when a call has such a result. */
static const char *
forbidden(int number, u32 action, u32 uses)
{
    const struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (u32)number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, action),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const char *name = filter_forbids(code, ER_COUNT(code), uses);

    return name ? name : "";
}

Test(filter, entering_needs_every_call)
{
    const u32 kill = SECCOMP_RET_KILL_PROCESS, error = SECCOMP_RET_ERRNO;
    const u32 all = FILTER_ENTER | FILTER_ALL;

    cr_expect_str_eq(forbidden(SYS_reboot, kill, all), "");
    cr_expect_str_eq(forbidden(SYS_memfd_create, error | EPERM, all), "memfd_create");
    cr_expect_str_eq(forbidden(SYS_openat, SECCOMP_RET_USER_NOTIF, all), "openat");
    cr_expect_str_eq(forbidden(SYS_mprotect, SECCOMP_RET_LOG, all), "");
    cr_expect_str_eq(forbidden(SYS_perf_event_open, error | EPERM, all), "");
    cr_expect_str_eq(forbidden(SYS_perf_event_open, kill, all), "perf_event_open");
    cr_expect_str_eq(forbidden(SYS_clone3, error | ENOSYS, all), "");
    cr_expect_str_eq(forbidden(SYS_clone3, error | EPERM, all), "clone3");
    cr_expect_str_eq(forbidden(SYS_getpeername, kill, all), "getpeername");
    cr_expect_str_eq(forbidden(SYS_getpeername, kill, all & ~(u32)FILTER_NAMES), "");
    cr_expect_str_eq(forbidden(SYS_getpeername, error | EPERM, all), "");
    cr_expect_str_eq(forbidden(SYS_socketpair, kill, all), "");
    cr_expect_str_eq(forbidden(SYS_socketpair, kill, all | FILTER_HAND), "socketpair");
}

/* What the kernel would not take ends, and reads nothing that is not there. */
Test(filter, nonsense_is_borne)
{
    const struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0xffffffff),
        BPF_STMT(BPF_ST, 0xffffffff),
        BPF_STMT(BPF_LD | BPF_MEM, 0xffffffff),
        BPF_STMT(BPF_ALU | BPF_DIV | BPF_K, 0),
        BPF_STMT(BPF_ALU | BPF_LSH | BPF_K, 77),
        BPF_JUMP(BPF_JMP | BPF_JA, 0xffffffff, 255, 255),
    };
    const struct seccomp_data data = { .nr = 1 };

    for (u32 n = 0; n <= ER_COUNT(code); n++)
        cr_expect_eq(filter_run(code, n, &data), SECCOMP_RET_ALLOW);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Confines itself by a filter that kills for all but a few system calls, and goes on:
 *
 *   confined work        uses CPU time, for many samples
 *   confined tsc         the same, having forbidden itself to read the TSC
 *   confined tsc-after   the same, but it does that afterwards
 *   confined clone3      has a clone3() refused that cannot be read
 *   confined exec        tries to become what is not there
 */
/* build: -O2 -g */
#define _GNU_SOURCE
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ALLOW(number)                                              \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)(number), 0, 1), \
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static volatile unsigned long sink;

__attribute__((noinline)) static void
work(void)
{
    for (unsigned long i = 0; i < 1500000000; i++)
        sink += i;
}

/* Nothing that asks for the time, or reads memory to see whether it is there. */
static void
confine(int with_masks)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        ALLOW(SYS_rt_sigreturn),
        ALLOW(SYS_write),
        ALLOW(SYS_exit_group),
        ALLOW(SYS_execve),
        ALLOW(SYS_getpid),
        ALLOW(SYS_clone3),
        ALLOW(SYS_prctl),
        ALLOW(with_masks ? SYS_rt_sigprocmask : SYS_write),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    struct sock_fprog program = { sizeof(code) / sizeof(*code), code };

    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int
main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "work";
    char *none[] = { "none", NULL };

    work();
    puts("confined");
    fflush(stdout);
    if (!strcmp(how, "tsc"))
        prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0);
    confine(!strcmp(how, "work") || !strncmp(how, "tsc", 3));
    if (!strcmp(how, "tsc-after"))
        prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0);
    if (!strcmp(how, "clone3") && syscall(SYS_clone3, 8L, 88L) == -1)
        write(1, "refused\n", 8);
    if (!strcmp(how, "exec"))
        execve("/nonexistent", none, none + 1);
    work();
    write(1, "done\n", 5);
    syscall(SYS_exit_group, 7);
}

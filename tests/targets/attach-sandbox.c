/* SPDX-License-Identifier: Apache-2.0 */
/* build: -O1 */
/* link: -lpthread */
/*
 * usage: attach-sandbox FILTER...: two threads compute, allocate and start others under
 * these filters of system calls, one above the other, until the standard input ends.
 * Prints `ready`, then the numbers of rounds; "not permitted", status 3, where the
 * kernel cannot do so. Behind `-`, filters are of the second thread alone.
 *
 * all: lets everything pass. only: kills for all but what this program and the
 * collector use. container: fails with EPERM where containers' filters usually do, and
 * as if there were no clone3. kill=NUMBER, errno=NUMBER: kills for one call, or fails
 * with EPERM.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_rseq
#define SYS_rseq 334
#define SYS_clone3 435
#endif

enum { ROOM = 200 };

/* What the collector's table names, and what else this program does. */
static const unsigned short needed[] = {
    SYS_rt_sigreturn, SYS_rt_sigprocmask, SYS_getrusage, SYS_ioctl, SYS_clock_gettime,
    SYS_futex, SYS_mremap, SYS_madvise, SYS_get_mempolicy, SYS_getcpu, SYS_getpid,
    SYS_gettid, SYS_getppid, SYS_getuid, SYS_kill, SYS_clock_getres, SYS_sched_yield,
    SYS_nanosleep, SYS_prctl, SYS_prlimit64, SYS_perf_event_open, SYS_fcntl,
    SYS_timer_create, SYS_timer_settime, SYS_timer_delete, SYS_rt_sigtimedwait,
    SYS_rt_sigpending, SYS_rt_sigaction, SYS_rt_tgsigqueueinfo, SYS_tgkill,
    SYS_sigaltstack, SYS_mmap, SYS_munmap, SYS_openat, SYS_read, SYS_write, SYS_close,
    SYS_fallocate, SYS_ftruncate, SYS_newfstatat, SYS_readlink, SYS_readlinkat,
    SYS_fstat, SYS_fstatfs, SYS_getcwd, SYS_getsockname, SYS_getpeername,
    SYS_getsockopt, SYS_memfd_create, SYS_mprotect, SYS_brk, SYS_clone3, SYS_clone,
    SYS_set_robust_list, SYS_rseq, SYS_lseek, SYS_pread64, SYS_ppoll, SYS_exit,
    /* of its own */
    SYS_exit_group, SYS_clock_nanosleep, SYS_restart_syscall, SYS_seccomp,
    SYS_getrandom,
};

static struct sock_filter code[ROOM];
static unsigned short length;

static void
add(struct sock_filter step)
{
    code[length++] = step;
}

static void
answer(unsigned result)
{
    add((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, result));
}

static void
load(size_t offset)
{
    add((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offset));
}

static void
answer_if(unsigned number, unsigned result)
{
    add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1));
    answer(result);
}

static void
make(const char *kind)
{
    const char *number = strchr(kind, '=');

    length = 0;
    load(offsetof(struct seccomp_data, nr));
    if (!strcmp(kind, "container")) {
        answer_if(SYS_perf_event_open, SECCOMP_RET_ERRNO | EPERM);
        answer_if(SYS_get_mempolicy, SECCOMP_RET_ERRNO | EPERM);
        answer_if(SYS_clone3, SECCOMP_RET_ERRNO | ENOSYS);
        add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3));
        load(offsetof(struct seccomp_data, args));
        add((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K,
                                         CLONE_NEWNS | CLONE_NEWUSER | CLONE_NEWPID, 0,
                                         1));
        answer(SECCOMP_RET_ERRNO | EPERM);
        answer(SECCOMP_RET_ALLOW);
    } else if (!strcmp(kind, "only")) {
        for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++)
            answer_if(needed[i], SECCOMP_RET_ALLOW);
        answer(SECCOMP_RET_KILL_PROCESS);
    } else {
        if (number)
            answer_if((unsigned)atoi(number + 1), *kind == 'k'
                                                      ? SECCOMP_RET_KILL_PROCESS
                                                      : SECCOMP_RET_ERRNO | EPERM);
        answer(SECCOMP_RET_ALLOW);
    }
}

/* Set filters up to one named `-`; those behind it are returned. */
static char **
set(char **kinds)
{
    for (; *kinds && strcmp(*kinds, "-"); kinds++) {
        struct sock_fprog program = { .filter = code };

        make(*kinds);
        program.len = length;
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
            prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
            puts("not permitted");
            exit(3);
        }
    }
    return *kinds ? kinds + 1 : kinds;
}

static volatile int over;
static volatile double sum;
static pthread_barrier_t ready;

static void *
brief(void *arg)
{
    return malloc(arg != NULL);
}

__attribute__((noipa)) static unsigned long
work(void)
{
    unsigned long rounds = 0;

    for (; !over; rounds++) {
        pthread_t thread;
        void *block;

        for (int i = 0; i < 1000000; i++)
            sum += i;
        if (rounds % 16 || pthread_create(&thread, NULL, brief, NULL))
            continue;
        pthread_join(thread, &block);
        free(block);
    }
    return rounds;
}

static void *
other(void *arg)
{
    set(arg);
    pthread_barrier_wait(&ready);
    return (void *)work();
}

static void *
wait_for_end(void *arg)
{
    char byte;

    while (read(0, &byte, 1) > 0)
        continue;
    over = 1;
    return arg;
}

int
main(int argc, char **argv)
{
    pthread_t thread, input;
    unsigned long rounds;
    void *others;

    (void)argc;
    pthread_barrier_init(&ready, NULL, 2);
    argv = set(argv + 1);
    if (pthread_create(&thread, NULL, other, argv) ||
        pthread_create(&input, NULL, wait_for_end, NULL))
        return 4;
    pthread_barrier_wait(&ready);
    puts("ready");
    fflush(stdout);
    rounds = work();
    pthread_join(thread, &others);
    pthread_join(input, NULL);
    printf("rounds %lu %lu\n", rounds, (unsigned long)others);
    return 0;
}

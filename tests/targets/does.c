/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does one thing to its process that programs do, works a little, and prints what came
 * of it, with no numbers that vary. See table[].
 */
/* build: -O2 -g */
/* build: name=static -O2 -g -static */
/* link: -lpthread */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "work.h"

static volatile int ticks, strange;

static void
on_tick(int signo, siginfo_t *info, void *context)
{
    (void)context;
    ticks++;
    strange += signo != SIGPROF ||
               (info->si_code != SI_KERNEL && info->si_code != SI_TIMER);
}

static void
handle(int signo, void (*handler)(int, siginfo_t *, void *))
{
    struct sigaction act;

    memset(&act, 0, sizeof(act));
    act.sa_sigaction = handler;
    act.sa_flags = SA_SIGINFO;
    sigaction(signo, &act, NULL);
}

static void
tell_ticks(void)
{
    for (int i = 0; i < 100 && ticks < 5; i++)
        work(10);
    printf("ticks %s, strange %d\n", ticks >= 5 ? "came" : "lost", strange);
}

static void
own_setitimer(void)
{
    struct itimerval every = { { 0, 4000 }, { 0, 4000 } }, now;

    handle(SIGPROF, on_tick);
    setitimer(ITIMER_PROF, &every, NULL);
    tell_ticks();
    getitimer(ITIMER_PROF, &now);
    printf("still %d\n", (int)now.it_interval.tv_usec);
}

static void
own_timer(void)
{
    struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGPROF };
    struct itimerspec every = { { 0, 4000000 }, { 0, 4000000 } };
    timer_t timer;

    handle(SIGPROF, on_tick);
    printf("made %d\n", timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer));
    timer_settime(timer, 0, &every, NULL);
    tell_ticks();
}

static void *
work_long(void *arg)
{
    work(40);
    return arg;
}

/* Waits while another thread works: nothing may cut them short. */
static void
waits(void)
{
    struct timespec nap = { 0, 80000000 };
    struct timeval tv = { 0, 80000 };
    pthread_t thread;

    pthread_create(&thread, NULL, work_long, NULL);
    printf("poll %d", poll(NULL, 0, 80));
    printf(" select %d", select(0, NULL, NULL, NULL, &tv));
    printf(" nanosleep %d\n", nanosleep(&nap, NULL));
    pthread_join(thread, NULL);
    work(30);
}

static void
traced(void)
{
    pid_t pid = fork();
    int status;

    if (pid == 0) {
        ptrace(PTRACE_TRACEME, 0, 0, 0);
        raise(SIGSTOP);
        work(10);
        _exit(3);
    }
    while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
        int signo = WSTOPSIG(status);

        ptrace(PTRACE_CONT, pid, 0, (long)(signo == SIGSTOP ? 0 : signo));
    }
    printf("traced child %d\n", WEXITSTATUS(status));
    work(30);
}

static void
undumpable(void)
{
    printf("set %d", prctl(PR_SET_DUMPABLE, 0, 0, 0, 0));
    work(40);
    printf(" now %d\n", prctl(PR_GET_DUMPABLE, 0, 0, 0, 0));
}

/* Reading the TSC kills the thread, and those that it makes. */
static void
no_tsc(void)
{
    void *volatile block;
    pthread_t thread;

    printf("forbidden %d\n", prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0));
    pthread_create(&thread, NULL, work_long, NULL);
    for (int i = 0; i < 1000; i++)
        free((void *)(block = calloc(1, 100 + (size_t)i)));
    work(60);
    pthread_join(thread, NULL);
    printf("allowed %d\n", prctl(PR_SET_TSC, PR_TSC_ENABLE, 0, 0, 0));
    work(20);
}

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_ON 1
#endif

static volatile char blocks; /* system calls */
static volatile int dispatched;

static void
on_dispatch(int signo, siginfo_t *info, void *context)
{
    (void)signo, (void)info, (void)context;
    blocks = 0;
    dispatched++;
}

/* System calls are signals for a while, as an emulator of programs wants it. */
static void
dispatch(void)
{
    handle(SIGSYS, on_dispatch);
    if (prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, 0, 0, &blocks)) {
        puts("not known here");
        return;
    }
    for (int i = 0; i < 3; i++) {
        blocks = 1;
        for (int k = 0; k < 30000000; k++)
            sink += (unsigned long)k;
        syscall(SYS_getppid);
        work(5);
    }
    printf("dispatched %d\n", dispatched);
}

static void
limits(void)
{
    struct rlimit few = { 5, 5 }, small = { 300000000, 300000000 };
    int fds[8], n = 0;

    setrlimit(RLIMIT_NOFILE, &few);
    setrlimit(RLIMIT_AS, &small);
    work(30);
    for (int i = 0; i < 8; i++)
        n += (fds[n] = open("/dev/null", O_RDONLY)) >= 0;
    printf("descriptors %d, error %d\n", n, errno);
    work(30);
}

static void
descriptors(void)
{
    for (int fd = 3; fd < 5000; fd++)
        close(fd);
    syscall(SYS_close_range, 3u, ~0u, 0u);
    work(30);
    for (int fd = 3; fd < 1100; fd++)
        dup2(1, fd);
    work(30);
    printf("mine %d %d\n", fcntl(1000, F_GETFD), fcntl(1005, F_GETFD));
}

static sigjmp_buf back;

static void
on_fault(int signo, siginfo_t *info, void *context)
{
    (void)signo;
    (void)info;
    (void)context;
    ticks++;
    siglongjmp(back, 1);
}

static void
faults(void)
{
    volatile int *nowhere = (int *)8;

    handle(SIGSEGV, on_fault);
    for (volatile int i = 0; i < 200; i++) {
        if (!sigsetjmp(back, 1))
            *nowhere = 1;
        sink += (unsigned long)i;
    }
    printf("faults %d\n", ticks);
    work(40);
}

static void
user_stack(void)
{
    size_t bytes = 65536;
    char *stack = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                       -1, 0);
    pthread_attr_t attr;
    pthread_t thread;

    pthread_attr_init(&attr);
    pthread_attr_setstack(&attr, stack, bytes);
    printf("made %d", pthread_create(&thread, &attr, work_long, NULL));
    printf(" joined %d\n", pthread_join(thread, NULL));
}

static void
all_blocked(void)
{
    sigset_t all, now;

    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    for (int signo = 1; signo < 32; signo++)
        signal(signo, SIG_IGN);
    work(50);
    sigprocmask(SIG_SETMASK, NULL, &now);
    printf("blocked %d %d\n", sigismember(&now, SIGURG), sigismember(&now, SIGPROF));
}

static void
goes_away(void)
{
    printf("daemon %d\n", daemon(0, 1));
    work(50);
}

/* Nothing of libc until the thread pointer is what it was. */
__attribute__((noinline, optimize("no-stack-protector"))) static void
other_pointers(void)
{
    enum { SET_FS = 0x1002, GET_FS = 0x1003 };
    static unsigned long area[64], old, sum;
    unsigned long others[] = { 0, (unsigned long)&area[32] };
    long result;

    syscall(SYS_arch_prctl, GET_FS, &old);
    for (int i = 0; i < 2; i++) {
        __asm__ volatile("syscall"
                         : "=a"(result)
                         : "0"((long)SYS_arch_prctl), "D"((long)SET_FS), "S"(others[i])
                         : "rcx", "r11", "memory");
        for (unsigned long k = 0; k < 300000000; k++)
            __asm__ volatile("" : "+r"(k));
    }
    for (int i = 0; i < 64; i++)
        sum += area[i];
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"((long)SYS_arch_prctl), "D"((long)SET_FS), "S"(old)
                     : "rcx", "r11", "memory");
    printf("set %ld, written there: %lu\n", result, sum);
}

static int
in_zeros(void *program)
{
    if (chdir("/") == 0 && program)
        execve(program, (char *[]){ program, NULL }, environ);
    _exit(5);
}

/*
 * As browsers' sandboxes do it: a child in this memory, whose thread pointer points to
 * zeros, so that it has no errno.
 */
static void
zeros(void)
{
    static char stack[65536] __attribute__((aligned(16)));
    static char words[16384] __attribute__((aligned(64)));
    char *programs[] = { NULL, (char[]){ "/bin/true" }, (char[]){ "/bin/false" } };

    for (int i = 0; i < 3; i++) {
        int status = -1, flags = CLONE_VM | CLONE_FS | CLONE_VFORK | CLONE_SETTLS;
        pid_t pid = clone(in_zeros, stack + sizeof(stack), flags | SIGCHLD, programs[i],
                          NULL, words + sizeof(words) / 2, NULL);

        waitpid(pid, &status, 0);
        printf("in zeros: 0x%x\n", status);
    }
}

static const struct {
    const char *name;
    void (*act)(void);
} table[] = {
    { "setitimer", own_setitimer }, { "timer", own_timer },
    { "waits", waits },             { "traced", traced },
    { "undumpable", undumpable },   { "limits", limits },
    { "no_tsc", no_tsc },           { "dispatch", dispatch },
    { "descriptors", descriptors }, { "faults", faults },
    { "user_stack", user_stack },   { "all_blocked", all_blocked },
    { "daemon", goes_away },        { "work", waits },
    { "other_pointers", other_pointers }, { "zeros", zeros },
};

int
main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    work(30);
    for (size_t i = 0; argc > 1 && i < sizeof(table) / sizeof(table[0]); i++)
        if (!strcmp(argv[1], table[i].name))
            table[i].act();
    puts("done");
    return 7;
}

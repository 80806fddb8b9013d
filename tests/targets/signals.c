/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Uses signals in every way there is, SIGURG above all, with work between, and prints
 * what it saw: the same with a profiler in it as without.
 *
 *   signals [PART]   one part alone: a function below
 */
/* build: -O2 -g */
/* build: name=fortify -O2 -g -D_FORTIFY_SOURCE=2 */
/* link: -lpthread */
#define _GNU_SOURCE
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "work.h"

extern char **environ;
static volatile int count, value, code, on_alt, nested, deepest;
static char alt[65536];
static sigjmp_buf escape;
static char *self;

static void
plain(int signo)
{
    char here;

    count += signo == SIGURG;
    on_alt = &here >= alt && &here < alt + sizeof(alt);
    nested++;
    deepest = nested > deepest ? nested : deepest;
    work(6);
    if (count == 1)
        raise(SIGURG);
    work(6);
    nested--;
}

static void
with_info(int signo, siginfo_t *info, void *context)
{
    count += signo == SIGURG;
    code = info->si_code;
    value = info->si_value.sival_int;
    work(6);
    (void)context;
}

static void
jumps(int signo)
{
    count += signo == SIGURG;
    work(6);
    siglongjmp(escape, 1);
}

static int
blocked(void)
{
    sigset_t now;

    sigemptyset(&now);
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    return sigismember(&now, SIGURG);
}

static int
pending(void)
{
    sigset_t now;

    sigpending(&now);
    return sigismember(&now, SIGURG);
}

static void
mask(int how)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGURG);
    sigprocmask(how, &set, NULL);
}

static void
install(void (*handler)(int), void (*action)(int, siginfo_t *, void *), int flags)
{
    struct sigaction act, old;

    memset(&act, 0, sizeof(act));
    if (action)
        act.sa_sigaction = action;
    else
        act.sa_handler = handler;
    act.sa_flags = flags;
    sigaddset(&act.sa_mask, SIGUSR2);
    if (sigaction(SIGURG, &act, NULL))
        perror("sigaction");
    sigaction(SIGURG, NULL, &old);
    printf("action %d flags %x mask %d %d\n",
           action ? old.sa_sigaction == action : old.sa_handler == handler,
           (unsigned)old.sa_flags & ~0x04000000u, sigismember(&old.sa_mask, SIGUSR2),
           sigismember(&old.sa_mask, SIGURG));
    count = nested = deepest = value = code = 0;
}

static void
handlers(void)
{
    static const int flags[] = { 0,          SA_RESTART,              SA_NODEFER,
                                 (int)SA_RESETHAND, SA_ONSTACK,
                                 SA_ONSTACK | SA_NODEFER, SA_SIGINFO };
    stack_t ss = { .ss_sp = alt, .ss_size = sizeof(alt) }, old;

    for (int with_alt = 0; with_alt < 2; with_alt++) {
        memset(&old, 0, sizeof(old));
        sigaltstack(NULL, &old);
        printf("stack %d %zu\n", old.ss_flags, old.ss_size);
        if (with_alt)
            sigaltstack(&ss, NULL);
        for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
            install(plain, NULL, flags[i]);
            on_alt = -1;
            raise(SIGURG);
            printf("flags %x count %d deepest %d alt %d blocked %d\n",
                   (unsigned)flags[i], count, deepest, on_alt, blocked());
        }
    }
    sigaltstack(NULL, &old);
    printf("stack %d %zu %d\n", old.ss_flags, old.ss_size, old.ss_sp == alt);
    ss.ss_flags = SS_DISABLE;
    sigaltstack(&ss, &old);
    printf("stack was %d\n", old.ss_sp == alt);
    sigaltstack(NULL, &old);
    printf("stack %d %zu\n", old.ss_flags, old.ss_size);
    install(NULL, with_info, SA_SIGINFO);
    sigqueue(getpid(), SIGURG, (union sigval){ .sival_int = 4711 });
    printf("queued %d value %d code %d\n", count, value, code);
}

static void
blocking(void)
{
    sigset_t set, empty;
    siginfo_t info;
    struct timespec soon = { 0, 20000000 };
    int got = 0;

    sigemptyset(&empty);
    sigemptyset(&set);
    sigaddset(&set, SIGURG);
    install(plain, NULL, 0);
    count = 1; /* plain() raises no more */
    mask(SIG_BLOCK);
    printf("blocked %d pending %d\n", blocked(), pending());
    work(10);
    raise(SIGURG);
    kill(getpid(), SIGURG);
    work(10);
    printf("blocked %d pending %d count %d\n", blocked(), pending(), count);
    mask(SIG_UNBLOCK);
    printf("unblocked: pending %d count %d\n", pending(), count);
    mask(SIG_BLOCK);
    kill(getpid(), SIGURG);
    printf("sigwait %d", sigwait(&set, &got));
    printf(" got %d pending %d count %d\n", got, pending(), count);
    sigqueue(getpid(), SIGURG, (union sigval){ .sival_int = 12 });
    got = sigwaitinfo(&set, &info);
    printf("sigwaitinfo %d value %d code %d\n", got, info.si_value.sival_int,
           info.si_code);
    got = sigtimedwait(&set, &info, &soon);
    printf("sigtimedwait %d %s\n", got, got < 0 ? strerror(errno) : "");
    raise(SIGURG);
    count = 1;
    got = sigsuspend(&empty);
    printf("sigsuspend %d %s count %d blocked %d\n", got, strerror(errno), count,
           blocked());
    kill(getpid(), SIGURG);
    got = ppoll(NULL, 0, &soon, &empty);
    printf("ppoll %d count %d\n", got, count);
    kill(getpid(), SIGURG);
    got = pselect(0, NULL, NULL, NULL, &soon, &empty);
    printf("pselect %d count %d blocked %d\n", got, count, blocked());
    {
        struct epoll_event event;
        int fd = epoll_create1(0);

        kill(getpid(), SIGURG);
        got = epoll_pwait(fd, &event, 1, 20, &empty);
        printf("epoll_pwait %d count %d blocked %d\n", got, count, blocked());
        close(fd);
    }
    mask(SIG_UNBLOCK);
}

static void
counts(int signo)
{
    count += signo == SIGURG;
}

/* Signals that were pending when they are unblocked; none may be lost. */
static void
unblocking(void)
{
    enum { ROUNDS = 2000 };
    sigset_t empty;
    int suspended = 0;

    sigemptyset(&empty);
    install(counts, NULL, 0);
    for (int i = 0; i < ROUNDS; i++) {
        mask(SIG_BLOCK);
        raise(SIGURG);
        mask(SIG_UNBLOCK);
    }
    printf("unblocked %d of %d\n", count, ROUNDS);
    mask(SIG_BLOCK);
    count = 0;
    for (int i = 0; i < ROUNDS; i++) {
        int before = count;

        raise(SIGURG);
        /* A hit may end a wait, too; the signal must not be lost with it. */
        for (int tries = 0; count == before && tries < 3; tries++)
            suspended += sigsuspend(&empty) == -1;
    }
    mask(SIG_UNBLOCK);
    printf("suspended %d of %d\n", count, suspended >= ROUNDS ? ROUNDS : suspended);
}

static void
jumping(void)
{
    for (volatile int i = 0; i < 20; i++) {
        if (i == 0)
            install(jumps, NULL, 0);
        if (!sigsetjmp(escape, 1))
            raise(SIGURG);
        work(1);
    }
    printf("jumped %d blocked %d\n", count, blocked());
    signal(SIGURG, jumps);
    count = 0;
    for (volatile int i = 0; i < 5; i++)
        if (!sigsetjmp(escape, 1))
            kill(getpid(), SIGURG);
    printf("jumped %d by signal() blocked %d\n", count, blocked());
}

static void
other_ways(void)
{
    void (*old)(int);

    old = signal(SIGURG, SIG_IGN);
    printf("signal: old %d", old == jumps);
    raise(SIGURG);
    old = sysv_signal(SIGURG, plain);
    printf(" ignored %d", old == SIG_IGN);
    count = 1;
    raise(SIGURG);
    old = signal(SIGURG, SIG_DFL);
    printf(" sysv reset %d count %d\n", old == SIG_DFL, count);
    raise(SIGURG);
    old = sigset(SIGURG, plain);
    printf("sigset %d", old == SIG_DFL);
    sigset(SIGURG, SIG_HOLD);
    printf(" held %d\n", blocked());
    mask(SIG_UNBLOCK);
    siginterrupt(SIGURG, 1);
    sigignore(SIGURG);
    old = signal(SIGURG, SIG_DFL);
    printf("sigignore %d\n", old == SIG_IGN);
}

/* read() of a pipe that another thread signals and then writes to. */
static pthread_t reader;
static int ends[2];

/* 1 = the first thread sleeps in a system call. */
static int
sleeps(void)
{
    char path[64], state = 0;
    FILE *f;

    snprintf(path, sizeof(path), "/proc/self/task/%d/stat", getpid());
    f = fopen(path, "r");
    if (!f || fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
        state = 0;
    if (f)
        fclose(f);
    return state == 'S';
}

static volatile int reading;

static void *
disturb(void *arg)
{
    while (!reading || !sleeps())
        usleep(1000);
    pthread_kill(reader, SIGURG);
    while (count == 1)
        usleep(1000);
    usleep(30000);
    if (write(ends[1], "x", 1) != 1)
        return NULL;
    return arg;
}

static void
restarting(void)
{
    for (int restart = 0; restart < 2; restart++) {
        pthread_t id;
        char byte;
        ssize_t got;

        install(plain, NULL, restart ? SA_RESTART : 0);
        count = 1;
        if (pipe(ends))
            exit(1);
        reader = pthread_self();
        pthread_create(&id, NULL, disturb, NULL);
        work(5);
        reading = 1;
        got = read(ends[0], &byte, 1);
        reading = 0;
        printf("read %zd %s count %d\n", got, got < 0 ? strerror(errno) : "", count);
        pthread_join(id, NULL);
        close(ends[0]);
        close(ends[1]);
    }
}

static void *
waits(void *arg)
{
    sigset_t set;
    int got = 0;

    sigemptyset(&set);
    sigaddset(&set, SIGURG);
    for (int i = 0; i < 5; i++) {
        sigwait(&set, &got);
        printf("waiter got %d\n", got);
        if (write(ends[1], "x", 1) != 1)
            break;
    }
    return arg;
}

/* All threads block it, one waits for it. */
static void
waiting_thread(void)
{
    pthread_t id;
    char byte;

    signal(SIGURG, SIG_DFL);
    mask(SIG_BLOCK);
    if (pipe(ends))
        exit(1);
    pthread_create(&id, NULL, waits, NULL);
    for (int i = 0; i < 5; i++) {
        work(3);
        kill(getpid(), SIGURG);
        work(3);
        if (read(ends[0], &byte, 1) != 1)
            break;
    }
    pthread_join(id, NULL);
    printf("pending %d\n", pending());
    mask(SIG_UNBLOCK);
}

static volatile int profs;

static void
on_prof(int signo)
{
    profs += signo == SIGPROF;
}

static void
own_profiler(void)
{
    struct itimerval it = { { 0, 10000 }, { 0, 10000 } };
    const struct timespec pause = { 0, 1300000 };
    struct timespec from, to;
    sigset_t all, old;
    long ms;

    clock_gettime(CLOCK_MONOTONIC, &from);
    signal(SIGPROF, on_prof);
    setitimer(ITIMER_PROF, &it, NULL);
    /*
     * The kernel looks at such timers at its ticks. To one of many, who are given the
     * processor in turns, few ticks may fall, or many: one that sleeps in between is in
     * step with nothing. No more time than has gone by can be charged to it.
     */
    for (int i = 0; i < 40 || (profs < 2 && i < 1000); i++) {
        work(5);
        nanosleep(&pause, NULL);
    }
    memset(&it, 0, sizeof(it));
    setitimer(ITIMER_PROF, &it, NULL);
    clock_gettime(CLOCK_MONOTONIC, &to);
    ms = (to.tv_sec - from.tv_sec) * 1000 + (to.tv_nsec - from.tv_nsec) / 1000000;
    printf("its own profiler %s\n",
           profs >= 2 && profs <= ms / 8 + 3 ? "works" : "fails");
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &old);
    sigprocmask(SIG_SETMASK, NULL, &all);
    printf("all blocked");
    for (int i = 1; i < 65; i++)
        if (!sigismember(&all, i))
            printf(" but %d", i);
    sigprocmask(SIG_SETMASK, &old, NULL);
    printf("\n");
}

static void
tell_status(void)
{
    FILE *f = fopen("/proc/self/status", "r");
    char line[256];

    while (fgets(line, sizeof(line), f))
        if (!strncmp(line, "SigBlk", 6) || !strncmp(line, "SigIgn", 6) ||
            !strncmp(line, "SigCgt", 6))
            printf("%s", line);
    fclose(f);
    fflush(stdout);
}

static void
children(void)
{
    char *argv[] = { self, (char *)"status", NULL };
    char command[4096];
    pid_t pid;
    int status;

    snprintf(command, sizeof(command), "exec %s status", self);
    for (int round = 0; round < 3; round++) {
        signal(SIGURG, round == 1 ? SIG_IGN : round == 2 ? plain : SIG_DFL);
        mask(round == 2 ? SIG_BLOCK : SIG_UNBLOCK);
        work(10);
        printf("fork\n");
        fflush(stdout);
        if ((pid = fork()) == 0) {
            tell_status();
            printf("in child: blocked %d\n", blocked());
            fflush(stdout);
            execv(self, argv);
            _exit(1);
        }
        waitpid(pid, &status, 0);
        printf("vfork\n");
        fflush(stdout);
        if ((pid = vfork()) == 0) {
            mask(SIG_UNBLOCK);
            execv(self, argv);
            _exit(1);
        }
        waitpid(pid, &status, 0);
        printf("still %d\nspawn\n", blocked());
        fflush(stdout);
        posix_spawn(&pid, self, NULL, NULL, argv, environ);
        waitpid(pid, &status, 0);
        posix_spawnp(&pid, self, NULL, NULL, argv, environ);
        waitpid(pid, &status, 0);
        status = system(command);
        printf("system %d\n", status);
        fflush(stdout);
        pclose(popen(command, "w"));
        work(10);
    }
    mask(SIG_UNBLOCK);
}

static void
descriptor(void)
{
    struct signalfd_siginfo info;
    sigset_t set;
    int fd;

    sigemptyset(&set);
    sigaddset(&set, SIGURG);
    signal(SIGURG, SIG_DFL);
    mask(SIG_BLOCK);
    fd = signalfd(-1, &set, 0);
    for (int i = 0; i < 5; i++) {
        kill(getpid(), SIGURG);
        work(10);
        if (read(fd, &info, sizeof(info)) != sizeof(info))
            break;
        printf("signalfd %u code %d mine %d\n", info.ssi_signo, info.ssi_code,
               info.ssi_pid == (unsigned)getpid());
    }
    printf("blocked %d pending %d\n", blocked(), pending());
    close(fd);
    mask(SIG_UNBLOCK);
    printf("blocked %d pending %d\n", blocked(), pending());
}

#define PART(name) { #name, name }

static const struct {
    const char *name;
    void (*run)(void);
} parts[] = {
    PART(handlers),     PART(blocking), PART(unblocking), PART(jumping),
    PART(other_ways),   PART(restarting), PART(waiting_thread),
    PART(own_profiler), PART(children), PART(descriptor),
};

int
main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    self = argv[0];
    if (argc > 1 && !strcmp(argv[1], "status")) {
        tell_status();
        return 0;
    }
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (argc < 2 || !strcmp(argv[1], parts[i].name))
            parts[i].run();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cut FILE [HOW]: works, makes FILE empty (a data file of the experiment that records
 * it), works on in two threads, and prints what SIGBUS has been to it. HOW:
 *
 *   handler  it has a handler, once by sigaction and once by signal
 *   blocked  all signals are blocked
 *   die      it gets a SIGBUS of its own and has no handler
 *   kill     somebody sends it SIGBUS
 */
/* build: -O2 -g */
/* link: -lpthread */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;
static sigjmp_buf back;
static volatile int code, how_flags;

static void
work(int ms)
{
    struct timespec a, b;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
    do {
        for (int i = 0; i < 2000; i++)
            sink += (unsigned long)i;
        free(malloc(100));
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
    } while ((b.tv_sec - a.tv_sec) * 1000 + (b.tv_nsec - a.tv_nsec) / 1000000 < ms);
}

static void *
work_too(void *arg)
{
    work(30);
    return arg;
}

static void
on_bus(int signo, siginfo_t *info, void *context)
{
    struct sigaction now;

    (void)signo;
    (void)context;
    sigaction(SIGBUS, NULL, &now);
    code = info->si_code;
    how_flags = now.sa_flags & (SA_SIGINFO | SA_NODEFER | SA_RESTART | SA_ONSTACK);
    siglongjmp(back, 1);
}

static void
on_bus_plain(int signo)
{
    code = signo;
    siglongjmp(back, 1);
}

/* A page of a file that has none. */
static volatile char *
nowhere(void)
{
    FILE *file = tmpfile();

    return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
}

static void
own_fault(const char *what)
{
    volatile char *page = nowhere();
    struct sigaction now;

    code = how_flags = 0;
    if (!sigsetjmp(back, 1))
        page[0] = 1;
    sigaction(SIGBUS, NULL, &now);
    printf("%s: code %d, flags %x, still %s\n", what, code, (unsigned)how_flags,
           now.sa_sigaction == on_bus             ? "sigaction's"
           : now.sa_handler == on_bus_plain       ? "signal's"
           : now.sa_handler == SIG_DFL            ? "default"
                                                  : "something else");
}

static void
handle(void)
{
    struct sigaction act, old;

    memset(&act, 0, sizeof(act));
    act.sa_sigaction = on_bus;
    act.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGBUS, &act, &old);
    printf("before: %s %x\n", old.sa_handler == SIG_DFL ? "default" : "another",
           (unsigned)old.sa_flags);
    own_fault("sigaction");
    printf("signal: %s\n",
           (void *)signal(SIGBUS, on_bus_plain) == (void *)on_bus ? "as set" : "other");
    own_fault("signal");
    act.sa_flags |= (int)SA_RESETHAND;
    sigaction(SIGBUS, &act, &old);
    printf("before: %d %x\n", old.sa_handler == on_bus_plain, (unsigned)old.sa_flags);
    own_fault("once");
    act.sa_flags &= ~(int)SA_RESETHAND;
    sigaction(SIGBUS, &act, &old);
}

int
main(int argc, char **argv)
{
    const char *how = argc > 2 ? argv[2] : "";
    pthread_t thread;
    sigset_t all;

    setvbuf(stdout, NULL, _IOLBF, 0);
    sigfillset(&all);
    if (!strcmp(how, "blocked"))
        sigprocmask(SIG_BLOCK, &all, NULL);
    work(40);
    if (!strcmp(how, "handler"))
        handle();
    if (argc > 1 && truncate(argv[1], 0) < 0)
        perror(argv[1]);
    pthread_create(&thread, NULL, work_too, NULL);
    work(50);
    pthread_join(thread, NULL);
    if (!strcmp(how, "handler"))
        own_fault("afterwards");
    puts("done");
    if (!strcmp(how, "die"))
        nowhere()[0] = 1;
    if (!strcmp(how, "kill"))
        kill(getpid(), SIGBUS);
    return 7;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handles signals on alternate stacks of several sizes, in each way there is, and tells
 * where its handlers ran, what called them and what they were told; no line varies.
 */
/* build: -O2 -g -rdynamic */
/* link: -lpthread */
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "work.h"

enum { JUMPS = 200, FRAMES = 32 };

static __thread char *lo;
static __thread size_t size;
static __thread sigjmp_buf back;
static __thread volatile int on, nested, frames, refused, flags, code;
static volatile char *nowhere;

static int
is_here(void)
{
    char here;

    return &here >= lo && &here < lo + size;
}

static void
inner(int signo)
{
    (void)signo;
    nested = is_here();
}

/* Says where it is, what calls it, and what it may do there. */
static void
outer(int signo)
{
    stack_t now, other = { .ss_flags = SS_DISABLE };

    (void)signo;
    on = is_here();
    sigaltstack(NULL, &now);
    flags = now.ss_flags;
    refused = sigaltstack(&other, NULL) < 0 ? errno : 0;
    raise(SIGUSR2);
}

static void
traced(int signo, siginfo_t *info, void *context)
{
    void *at[FRAMES];

    (void)signo;
    on = is_here();
    frames = backtrace(at, FRAMES);
    code = info->si_code;
    nested = ((ucontext_t *)context)->uc_mcontext.fpregs != NULL;
}

static void
jumps(int signo)
{
    (void)signo;
    on += is_here();
    siglongjmp(back, 1);
}

__attribute__((noinline)) void
busy_in_handler(void)
{
    work(40);
    sink++; /* so that this is a caller */
}

static void
works(int signo)
{
    (void)signo;
    on = is_here();
    busy_in_handler();
}

static void
set(int signo, void (*handler)(int), int with)
{
    struct sigaction act, now;

    memset(&act, 0, sizeof(act));
    act.sa_handler = handler;
    act.sa_flags = with;
    sigaction(signo, &act, NULL);
    sigaction(signo, NULL, &now);
    if (now.sa_handler != handler || now.sa_flags != (act.sa_flags | 0x04000000))
        printf("signal %d has another handler, flags %x\n", signo, now.sa_flags);
}

static unsigned long
deeper(unsigned long n)
{
    volatile char much[1024];

    much[n % sizeof(much)] = (char)n;
    return n ? deeper(n + 1) + (unsigned long)much[0] : 0;
}

static void
by_faults(void)
{
    volatile int all;

    set(SIGSEGV, jumps, SA_ONSTACK);
    set(SIGBUS, jumps, SA_ONSTACK);
    for (on = all = 0; all < JUMPS; all++)
        if (!sigsetjmp(back, 1))
            *nowhere = 1;
        else if (!sigsetjmp(back, 1))
            raise(SIGBUS);
    printf("faults %d", on);
    set(SIGSEGV, SIG_DFL, 0);
    set(SIGBUS, SIG_DFL, 0);
}

static void
overflow(void)
{
    set(SIGSEGV, jumps, SA_ONSTACK);
    on = 0;
    if (!sigsetjmp(back, 1))
        sink += deeper(1);
    printf(" overflow %d\n", on);
    set(SIGSEGV, SIG_DFL, 0);
}

static void
by_kinds(int signo)
{
    struct sigaction act;
    volatile double kept = 1.25;
    double product = kept * 3;

    set(SIGUSR2, inner, SA_ONSTACK);
    set(signo, outer, SA_ONSTACK);
    on = nested = 0;
    raise(signo);
    printf("signal %d: on %d nested %d flags %d refused %d", signo, on, nested, flags,
           refused);
    set(SIGUSR2, inner, 0);
    raise(signo);
    printf(" without %d", nested);
    set(signo, outer, 0);
    raise(signo);
    printf(" none %d %d", on, flags);
    memset(&act, 0, sizeof(act));
    act.sa_sigaction = traced;
    act.sa_flags = SA_SIGINFO | SA_ONSTACK | (int)SA_RESETHAND;
    sigaction(signo, &act, NULL);
    raise(signo);
    sigaction(signo, NULL, &act);
    /* Of the signal that profilers may have for themselves, one more may be seen. */
    printf(" frames %d code %d floats %d once %d %d\n", signo == SIGURG ? 0 : frames,
           code, nested, act.sa_handler == SIG_DFL, product == kept * 3);
    set(signo, works, SA_ONSTACK);
    raise(signo);
    if (signal(signo, SIG_DFL) != works || signal(signo, SIG_DFL) != SIG_DFL)
        puts("another handler was there");
}

/* The stack is in the middle of what must stay as it is. */
static void *
with_stack(void *arg)
{
    size_t around = 8192, damaged = 0;
    char *room;
    stack_t stack;

    size = *(size_t *)arg;
    room = malloc(size + 2 * around);
    memset(room, 90, size + 2 * around);
    lo = room + around;
    stack = (stack_t){ .ss_sp = lo, .ss_size = size };
    printf("%zu: set %d\n", size, sigaltstack(&stack, NULL));
    by_kinds(SIGUSR1);
    by_kinds(SIGURG);
    by_kinds(SIGBUS);
    by_faults();
    overflow();
    for (size_t i = 0; i < around; i++)
        damaged += (room[i] != 90) + (lo[size + i] != 90);
    stack.ss_flags = SS_DISABLE;
    printf("unset %d damaged %zu\n", sigaltstack(&stack, NULL), damaged);
    free(room);
    return NULL;
}

int
main(void)
{
    static size_t sizes[] = { 16384, 13504, 32767, 65536 };
    void *at[FRAMES];
    pthread_t thread;

    setvbuf(stdout, NULL, _IOLBF, 0);
    backtrace(at, FRAMES); /* loads what it needs */
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        with_stack(&sizes[i]);
        pthread_create(&thread, NULL, with_stack, &sizes[i]);
        pthread_join(thread, NULL);
    }
    puts("done");
    return 7;
}

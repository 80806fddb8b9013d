/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handlers compare the mask in their context with what pthread_sigmask() says, as
 * SBCL's runtime does: signals of a group are blocked together, or not at all. Prints
 * what they find, for each way to have a handler; no line varies.
 */
/* build: -O2 -g */
/* link: -lpthread */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "work.h"

static const int group[] = { SIGINT, SIGURG, SIGWINCH, SIGIO };

enum { GROUP = sizeof(group) / sizeof(*group) };

static volatile int inside, before, leave_as;

/* 0 none, 1 all, 2 some of the group are in it. */
static int
blocked(const sigset_t *set)
{
    int n = 0;

    for (int i = 0; i < GROUP; i++)
        n += sigismember(set, group[i]);
    return n == 0 ? 0 : n == GROUP ? 1 : 2;
}

static int
blocked_now(void)
{
    sigset_t set;

    pthread_sigmask(SIG_BLOCK, NULL, &set);
    return blocked(&set);
}

static void
change(sigset_t *set, int add)
{
    for (int i = 0; i < GROUP; i++)
        (add ? sigaddset : sigdelset)(set, group[i]);
}

static void
handler(int signo, siginfo_t *info, void *context)
{
    ucontext_t *uc = context;

    (void)signo;
    (void)info;
    inside = blocked_now();
    before = blocked(&uc->uc_sigmask);
    work(20);
    if (leave_as >= 0)
        change(&uc->uc_sigmask, leave_as);
}

static void
plain(int signo)
{
    (void)signo;
    inside = blocked_now();
    before = -1;
    work(20);
}

static void
try(const char *what, int flags, int masked, int thread_masked, int leave)
{
    struct sigaction act = { .sa_flags = flags };
    sigset_t set;

    if (flags & SA_SIGINFO)
        act.sa_sigaction = handler;
    else
        act.sa_handler = plain;
    if (masked)
        change(&act.sa_mask, 1);
    sigaction(SIGUSR1, &act, NULL);
    leave_as = leave;
    sigemptyset(&set);
    change(&set, 1);
    pthread_sigmask(thread_masked ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
    inside = before = -2;
    raise(SIGUSR1);
    printf("%s: inside %d before %d after %d\n", what, inside, before, blocked_now());
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void *
run(void *arg)
{
    static const char *const names[] = { "plain", "info", "alternate",
                                         "alternate info" };
    static const int flags[] = { 0, SA_SIGINFO, SA_ONSTACK, SA_ONSTACK | SA_SIGINFO };
    stack_t stack = { .ss_size = *(size_t *)arg };

    stack.ss_sp = malloc(stack.ss_size);
    sigaltstack(&stack, NULL);
    printf("stack %zu\n", stack.ss_size);
    for (int i = 0; i < 4; i++)
        for (int m = 0; m < 4; m++) {
            try(names[i], flags[i], m & 1, m & 2, -1);
            if (flags[i] & SA_SIGINFO) {
                try(names[i], flags[i], m & 1, m & 2, 1);
                try(names[i], flags[i], m & 1, m & 2, 0);
            }
        }
    fflush(stdout);
    return NULL;
}

int
main(void)
{
    size_t sizes[] = { 16384, 65536 };
    pthread_t thread;

    for (int i = 0; i < 2; i++) {
        run(&sizes[i]);
        pthread_create(&thread, NULL, run, &sizes[i]);
        pthread_join(thread, NULL);
    }
    return 0;
}

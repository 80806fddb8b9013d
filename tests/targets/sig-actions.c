/* SPDX-License-Identifier: Apache-2.0 */
/* build: -O2 -Wno-deprecated-declarations */
/*
 * Sets its actions for SIGUSR1, SIGUSR2 and SIGURG, and prints what the calls report of
 * them. Plainly run, and whatever signals a collector uses, it prints the same.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>

static void
first(int signo)
{
    (void)signo;
}

static void
second(int signo)
{
    (void)signo;
}

static const char *
name(sighandler_t handler)
{
    return handler == SIG_DFL ? "default" : handler == SIG_IGN ? "ignore"
           : handler == first ? "first" : handler == second ? "second" : "foreign";
}

static void
show(int signo)
{
    struct sigaction act, old;

    memset(&act, 0, sizeof(act));
    act.sa_handler = first;
    act.sa_flags = SA_RESTART | SA_NODEFER;
    sigaddset(&act.sa_mask, SIGHUP);
    sigaction(signo, &act, &old);
    printf("%d: had %s, ", signo, name(old.sa_handler));
    sigaction(signo, NULL, &old);
    printf("has %s %x %d, ", name(old.sa_handler), (unsigned)old.sa_flags,
           sigismember(&old.sa_mask, SIGHUP));
    printf("signal: %s, ", name(signal(signo, second)));
    printf("sigset: %s, ", name(sigset(signo, SIG_HOLD)));
    printf("then: %s\n", name(signal(signo, SIG_IGN)));
}

int
main(void)
{
    show(SIGUSR1);
    show(SIGUSR2);
    show(SIGURG);
    return 0;
}

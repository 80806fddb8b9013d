/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A server whose child is woken by SIGURG, which it reads from a descriptor, as
 * PostgreSQL's processes are; it works after each. SIGWINCH has a handler and comes,
 * too. Prints what came, and exits with 3.
 */
/* build: -O1 */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 10 };

static volatile sig_atomic_t resized;
static volatile unsigned long sum;

static void
on_resize(int signo)
{
    (void)signo;
    resized++;
}

static void
work(void)
{
    struct timespec now;
    long end;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    end = now.tv_sec * 1000 + now.tv_nsec / 1000000 + 30;
    do {
        for (int i = 0; i < 100000; i++)
            sum += (unsigned long)i;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    } while (now.tv_sec * 1000 + now.tv_nsec / 1000000 < end);
}

static int
child(int ready)
{
    struct signalfd_siginfo info;
    struct sigaction action = { .sa_handler = on_resize };
    sigset_t urgent, old;
    int woken = 0, fd;

    sigfillset(&action.sa_mask);
    sigaction(SIGWINCH, &action, NULL);
    sigemptyset(&urgent);
    sigaddset(&urgent, SIGURG);
    sigprocmask(SIG_BLOCK, &urgent, NULL);
    fd = signalfd(-1, &urgent, SFD_NONBLOCK);
    for (int i = 0; i < ROUNDS; i++) {
        struct pollfd wait = { fd, POLLIN, 0 };

        if (write(ready, "x", 1) != 1)
            return 1;
        while (poll(&wait, 1, 10000) < 0)
            continue;
        while (read(fd, &info, sizeof(info)) == sizeof(info))
            woken += info.ssi_signo == SIGURG && info.ssi_pid == (unsigned)getppid();
        work();
        raise(SIGWINCH);
    }
    sigprocmask(SIG_BLOCK, NULL, &old);
    printf("woken %d, resized %d, blocked %d %d\n", woken, (int)resized,
           sigismember(&old, SIGURG), sigismember(&old, SIGWINCH));
    return 3;
}

int
main(void)
{
    int pipes[2], status;
    char c;
    pid_t pid;

    if (pipe(pipes) < 0)
        return 1;
    pid = fork();
    if (pid == 0) {
        close(pipes[0]);
        exit(child(pipes[1]));
    }
    close(pipes[1]);
    while (read(pipes[0], &c, 1) == 1)
        kill(pid, SIGURG);
    waitpid(pid, &status, 0);
    return WEXITSTATUS(status);
}

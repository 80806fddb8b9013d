/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forks while its heap is traced. Parent and child each tell what they did, the child
 * in the file `child`. The child ends blocks of its parent's, and keeps some.
 *
 *   heap-fork plain            from the only thread
 *   heap-fork thread           from a thread, while others allocate
 *   heap-fork stray            from a thread that is past its destructors
 *   heap-fork handler          in a signal handler, which the child returns from: often
 *                              in the midst of an allocation; nothing is told
 */
/* build: -O1 -g -fno-builtin */
/* link: -lpthread */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "heap-own.h"

enum { INHERITED = 1000, KEPT = 10, TEMPORARY = 5000, FORKS = 40 };

static void *inherited[INHERITED];
static int status = 95;

static void
child(void)
{
    int fd = open("child", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    void *volatile p;

    memset(&own, 0, sizeof(own));
    for (int i = 0; i < INHERITED / 2; i++) {
        free(inherited[i]);
        own.frees++;
    }
    for (int i = 0; i < KEPT; i++)
        inherited[i] = own_begin(malloc(33), 33);
    for (int i = 0; i < TEMPORARY; i++) {
        p = own_begin(malloc(77), 77);
        free(p);
        own_end(77);
    }
    dup2(fd, 1);
    own_tell();
    _exit(7);
}

static void
fork_once(void)
{
    pid_t pid = fork();
    int how;

    if (pid == 0)
        child();
    if (pid > 0 && waitpid(pid, &how, 0) == pid)
        status = WIFEXITED(how) ? WEXITSTATUS(how) : 100 + WTERMSIG(how);
}

static volatile int busy = 1;

static void *
allocate(void *arg)
{
    void *volatile p;

    while (busy) {
        p = malloc(64);
        free(p);
    }
    return arg;
}

static void *
fork_thread(void *arg)
{
    fork_once();
    return arg;
}

static pthread_key_t key;

/* Rounds enough for the collector to have taken its leave. */
static void
destroy(void *round)
{
    if ((long)round < 4)
        pthread_setspecific(key, (void *)((long)round + 1));
    else
        fork_once();
}

static void *
fork_stray(void *arg)
{
    pthread_setspecific(key, (void *)1);
    return arg;
}

static void
run_threads(void *(*forks)(void *), int others)
{
    pthread_t id[3];

    for (int i = 0; i < others; i++)
        pthread_create(&id[i], NULL, allocate, NULL);
    pthread_create(&id[2], NULL, forks, NULL);
    pthread_join(id[2], NULL);
    busy = 0;
    for (int i = 0; i < others; i++)
        pthread_join(id[i], NULL);
}

static volatile sig_atomic_t left, forked;

/* The child goes on where the signal came, for a while. */
static void
handler(int signo)
{
    int saved = errno;

    (void)signo;
    if (forked < FORKS && !left) {
        forked++;
        if (fork() == 0)
            left = 2000;
    }
    errno = saved;
}

static int
in_handler(void)
{
    struct itimerval timer = { { 0, 997 }, { 0, 997 } };
    void *volatile p;
    int how, good = 0;

    signal(SIGALRM, handler);
    setitimer(ITIMER_REAL, &timer, NULL);
    while (forked < FORKS || left) {
        p = malloc(48);
        free(p);
        if (left && --left == 0)
            _exit(7);
    }
    while (waitpid(-1, &how, 0) > 0)
        good += WIFEXITED(how) && WEXITSTATUS(how) == 7;
    return good == FORKS ? 7 : 94;
}

int
main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "handler"))
        return in_handler();
    for (int i = 0; i < INHERITED; i++)
        inherited[i] = own_begin(malloc(100 + (size_t)i), 100 + (unsigned long)i);
    if (argc > 1 && !strcmp(argv[1], "thread")) {
        run_threads(fork_thread, 2);
    } else if (argc > 1 && !strcmp(argv[1], "stray")) {
        pthread_key_create(&key, destroy);
        run_threads(fork_stray, 0);
    } else {
        fork_once();
    }
    for (int i = 0; i < INHERITED; i++) {
        free(inherited[i]);
        own_end(100 + (unsigned long)i);
    }
    own_tell();
    return status;
}

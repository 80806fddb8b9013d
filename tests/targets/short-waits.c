/* SPDX-License-Identifier: Apache-2.0 */
/*
 * build: -O2
 * build: name=static -O2 -static
 * link: -lpthread
 *
 * Threads compute for some us and wait for less than a ms, in turn, by calls that a
 * stop of the thread would have fail with EINTR. Prints how many calls there were, and
 * how many failed so.
 *
 * usage: short-waits [THREADS [CALLS]]      CALLS: of each thread
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum {
    THREADS = 64,
    KINDS = 4,
};

static int calls = 1000;
static int set;
static long interrupted;

static void
compute(void)
{
    volatile long sum = 0;

    for (int i = 0; i < 30000; i++)
        sum += i;
}

static int
wait_once(int kind, int poll, int silent)
{
    struct timespec pause = { 0, 200000 };
    struct sembuf take = { 0, -1, 0 };
    struct epoll_event event;
    sigset_t none;
    char byte;

    switch (kind) {
    case 0:
        return epoll_wait(poll, &event, 1, 1);
    case 1:
        return semtimedop(set, &take, 1, &pause);
    case 2:
        sigemptyset(&none);
        sigaddset(&none, SIGUSR2);
        return sigtimedwait(&none, NULL, &pause);
    default:
        return (int)recv(silent, &byte, 1, 0);
    }
}

static void *
work(void *arg)
{
    struct timeval limit = { 0, 1000 };
    int poll = epoll_create1(0), ends[2];

    if (poll < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) ||
        setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)))
        exit(2);
    for (int i = 0; i < calls; i++) {
        compute();
        if (wait_once(i % KINDS, poll, ends[0]) < 0 && errno == EINTR)
            __atomic_fetch_add(&interrupted, 1, __ATOMIC_RELAXED);
    }
    return arg;
}

int
main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 8;
    pthread_t thread[THREADS];

    calls = argc > 2 ? atoi(argv[2]) : calls;
    set = semget(IPC_PRIVATE, 1, 0600);
    if (threads < 1 || threads > THREADS || set < 0)
        return 2;
    for (int i = 0; i < threads; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    semctl(set, 0, IPC_RMID);
    printf("calls %d interrupted %ld\n", threads * calls, interrupted);
    return 0;
}

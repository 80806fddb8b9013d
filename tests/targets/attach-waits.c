/* SPDX-License-Identifier: Apache-2.0 */
/*
 * attach-waits SECONDS: thirteen threads, each in a kind of call that waits. A call
 * that fails with EINTR, or ends before its time, is counted. Prints a line for each
 * kind, and `calls N interrupted N early N`; then, as it was at the beginning, whether
 * what others may have changed in the process is the same: signal actions and masks,
 * alternate stacks, open descriptors, threads.
 */
/* build: -O2 -g */
/* link: -lpthread */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { KINDS = 13, WAIT_MS = 30, MS = 1000000 };

static volatile int over;
static int epoll, pair[2], sems;
static sem_t semaphore;

static long long
now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * 1000000000ll + ts.tv_nsec;
}

static struct timespec
at(clockid_t clock)
{
    struct timespec ts;

    clock_gettime(clock, &ts);
    ts.tv_nsec += WAIT_MS * MS;
    if (ts.tv_nsec >= 1000000000) {
        ts.tv_nsec -= 1000000000;
        ts.tv_sec++;
    }
    return ts;
}

static const char *const names[KINDS] = {
    "nanosleep", "clock_nanosleep", "poll",     "ppoll",     "select",
    "pselect",   "epoll_wait",      "epoll_pwait", "sigtimedwait", "sem_timedwait",
    "cond_timedwait", "semtimedop", "recv",
};

/* Waits WAIT_MS; 0, or the errno with which it ended before. */
static int
wait_once(int kind)
{
    const struct timespec wait = { 0, WAIT_MS * MS };
    struct timeval tv = { 0, WAIT_MS * 1000 };
    struct timespec until;
    struct epoll_event event;
    struct sembuf op = { 0, -1, 0 };
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
    sigset_t set;
    char byte;
    int r, error;

    sigemptyset(&set);
    errno = 0;
    switch (kind) {
    case 0:
        return nanosleep(&wait, NULL) < 0 ? errno : 0;
    case 1:
        until = at(CLOCK_MONOTONIC);
        return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    case 2:
        r = poll(NULL, 0, WAIT_MS);
        break;
    case 3:
        r = ppoll(NULL, 0, &wait, &set);
        break;
    case 4:
        r = select(0, NULL, NULL, NULL, &tv);
        break;
    case 5:
        r = pselect(0, NULL, NULL, NULL, &wait, &set);
        break;
    case 6:
        r = epoll_wait(epoll, &event, 1, WAIT_MS);
        break;
    case 7:
        r = epoll_pwait(epoll, &event, 1, WAIT_MS, &set);
        break;
    case 8:
        sigaddset(&set, SIGUSR2);
        r = sigtimedwait(&set, NULL, &wait);
        return r < 0 && errno == EAGAIN ? 0 : errno;
    case 9:
        until = at(CLOCK_REALTIME);
        r = sem_timedwait(&semaphore, &until);
        return r < 0 && errno == ETIMEDOUT ? 0 : errno;
    case 10:
        until = at(CLOCK_REALTIME);
        pthread_mutex_lock(&lock);
        error = pthread_cond_timedwait(&cond, &lock, &until);
        pthread_mutex_unlock(&lock);
        return error == ETIMEDOUT ? 0 : error ? error : EINTR;
    case 11:
        r = semtimedop(sems, &op, 1, &wait);
        return r < 0 && errno == EAGAIN ? 0 : errno;
    default:
        r = (int)recv(pair[0], &byte, 1, 0);
        return r < 0 && errno == EAGAIN ? 0 : errno;
    }
    return r < 0 ? errno : 0;
}

struct tally {
    long calls, interrupted, early, others;
    int kind, mask_differs;
};

/* Is the mask, and the alternate stack, what a thread has from its maker? */
static int
differs(const sigset_t *before)
{
    sigset_t mask;
    stack_t stack;

    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    sigaltstack(NULL, &stack);
    return memcmp(before, &mask, 8) != 0 || !(stack.ss_flags & SS_DISABLE);
}

static void *
run(void *arg)
{
    struct tally *t = arg;
    sigset_t before;

    pthread_sigmask(SIG_SETMASK, NULL, &before);
    while (!over) {
        long long start = now();
        int error = wait_once(t->kind);

        t->calls++;
        t->interrupted += error == EINTR;
        t->others += error && error != EINTR;
        /* Clocks of the kernel's calls may be coarse by one of its ticks. */
        t->early += now() - start < (WAIT_MS - 1) * (long long)MS;
    }
    t->mask_differs = differs(&before);
    return NULL;
}

static int
descriptors(void)
{
    DIR *dir = opendir("/proc/self/fd");
    int n = 0;

    while (dir && readdir(dir))
        n++;
    if (dir)
        closedir(dir);
    return n;
}

/* All signal actions, in a few bytes. */
static unsigned long
actions(void)
{
    unsigned long hash = 5381;
    struct sigaction a;

    for (int sig = 1; sig < 32; sig++)
        if (sigaction(sig, NULL, &a) == 0)
            hash = hash * 33 + (unsigned long)a.sa_handler + (unsigned long)a.sa_flags;
    return hash;
}

int
main(int argc, char **argv)
{
    const struct timespec second = { 1, 0 };
    struct timeval limit = { 0, WAIT_MS * 1000 };
    struct tally tally[KINDS] = { 0 };
    long sum[4] = { 0 };
    pthread_t thread[KINDS];
    unsigned long before = actions();
    int count, seconds = argc > 1 ? atoi(argv[1]) : 1, masks = 0;

    epoll = epoll_create1(0);
    sems = semget(IPC_PRIVATE, 1, 0600);
    sem_init(&semaphore, 0, 0);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0)
        return 1;
    setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
    count = descriptors();
    for (int i = 0; i < KINDS; i++) {
        tally[i].kind = i;
        pthread_create(&thread[i], NULL, run, &tally[i]);
    }
    puts("ready");
    fflush(stdout);
    while (seconds-- > 0 && !over)
        over = nanosleep(&second, NULL) < 0;
    over = 1;
    for (int i = 0; i < KINDS; i++) {
        const struct tally *t = &tally[i];

        pthread_join(thread[i], NULL);
        printf("%s calls %ld interrupted %ld early %ld others %ld\n", names[i],
               t->calls, t->interrupted, t->early, t->others);
        sum[0] += t->calls;
        sum[1] += t->interrupted;
        sum[2] += t->early;
        sum[3] += t->others;
        masks += t->mask_differs;
    }
    semctl(sems, 0, IPC_RMID);
    printf("calls %ld interrupted %ld early %ld others %ld\n", sum[0], sum[1], sum[2],
           sum[3]);
    printf("actions %s masks %s descriptors %s\n",
           before == actions() ? "same" : "differ", masks ? "differ" : "same",
           count == descriptors() ? "same" : "differ");
    return 0;
}

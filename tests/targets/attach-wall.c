/* SPDX-License-Identifier: Apache-2.0 */
/*
 * attach-wall: threads that each do one thing again and again, 50 ms each time:
 * `sleeps` nanosleep(), `polls` epoll_pwait(), `waits` pthread_cond_timedwait(),
 * `reads` read() of a pipe that `writes` fills, which sleeps; `burns` computes. Says
 * `ready`, and ends when a line comes on its standard input. Prints `early N`, calls
 * that ended too soon or otherwise than they should.
 */
/* build: -O1 -g */
/* link: -lpthread */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

enum { MS = 1000000, PART = 50 * MS };

static volatile int over, early;
static int pipes[2];
static volatile unsigned long burnt;

static void
sleeps(void)
{
    const struct timespec part = { 0, PART };

    early += nanosleep(&part, NULL) != 0;
}

static void
polls(void)
{
    static int fd = -1;
    struct epoll_event event;

    if (fd < 0)
        fd = epoll_create1(0);
    early += epoll_pwait(fd, &event, 1, PART / MS, NULL) != 0;
}

static void
waits(void)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += PART;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&mutex);
    early += pthread_cond_timedwait(&never, &mutex, &until) != ETIMEDOUT;
    pthread_mutex_unlock(&mutex);
}

static void
reads(void)
{
    char byte;

    early += read(pipes[0], &byte, 1) != 1;
}

static void
writes(void)
{
    sleeps();
    early += write(pipes[1], "", 1) != 1;
}

static void
burns(void)
{
    for (int i = 0; i < 1000000; i++)
        burnt++;
}

static const struct act {
    const char *name;
    void (*function)(void);
} acts[] = {
    { "sleeps", sleeps }, { "polls", polls },   { "waits", waits },
    { "reads", reads },   { "writes", writes }, { "burns", burns },
};

static void *
repeat(void *arg)
{
    const struct act *act = arg;

    pthread_setname_np(pthread_self(), act->name);
    while (!over)
        act->function();
    return NULL;
}

int
main(void)
{
    enum { ACTS = sizeof(acts) / sizeof(*acts) };
    pthread_t thread[ACTS];

    if (pipe(pipes) < 0)
        return 1;
    for (int i = 0; i < ACTS; i++)
        pthread_create(&thread[i], NULL, repeat, (void *)(unsigned long)&acts[i]);
    puts("ready");
    fflush(stdout);
    (void)getchar();
    over = 1;
    /* Who reads may wait for one more. */
    (void)!write(pipes[1], "", 1);
    for (int i = 0; i < ACTS; i++)
        pthread_join(thread[i], NULL);
    printf("early %d\n", early);
    return 0;
}

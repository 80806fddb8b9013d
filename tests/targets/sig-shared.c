/* SPDX-License-Identifier: Apache-2.0 */
/* build: -O1 -pthread */
/*
 * One thread of two reads SIGURG from a descriptor, and then works. With an argument it
 * does not wait until the other one has begun.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;
static volatile int begun, over;

static void
work(long ms)
{
    struct timespec start, now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    do {
        for (int i = 0; i < 20000; i++)
            sink += (unsigned long)i;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while ((now.tv_sec - start.tv_sec) * 1000 +
                 (now.tv_nsec - start.tv_nsec) / 1000000 <
             ms);
}

static void *
other(void *arg)
{
    while (!over) {
        work(10);
        begun = 1;
    }
    return arg;
}

int
main(int argc, char **argv)
{
    struct signalfd_siginfo info;
    pthread_t thread;
    sigset_t set;
    int fd;

    (void)argv;
    sigemptyset(&set);
    sigaddset(&set, SIGURG);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (pthread_create(&thread, NULL, other, NULL))
        return 1;
    while (argc < 2 && !begun)
        usleep(1000);
    fd = signalfd(-1, &set, 0);
    while (!begun)
        usleep(1000);
    kill(getpid(), SIGURG);
    usleep(20000); /* the other thread must not take it meanwhile */
    if (read(fd, &info, sizeof(info)) != (ssize_t)sizeof(info))
        return 1;
    printf("signal %u from itself: %d\n", info.ssi_signo,
           info.ssi_pid == (unsigned)getpid());
    work(100);
    over = 1;
    return pthread_join(thread, NULL) ? 1 : 0;
}

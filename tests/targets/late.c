/* SPDX-License-Identifier: Apache-2.0 */
/*
 * late FILE: forks a child in which THREADS threads work while the process whose number
 * stands in the file, collect, is stopped: nobody else makes room for what they record.
 */
/* build: -O2 -g */
/* link: -lpthread */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 6, MS = 60 };

static volatile unsigned long sink;

static void *
work(void *arg)
{
    struct timespec ts;

    do {
        for (int i = 0; i < 10000; i++)
            sink += (unsigned long)i;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
    } while (ts.tv_sec == 0 && ts.tv_nsec < MS * 1000000);
    return arg;
}

int
main(int argc, char **argv)
{
    pthread_t thread[THREADS];
    FILE *f = argc > 1 ? fopen(argv[1], "r") : NULL;
    int launcher;

    if (!f || fscanf(f, "%d", &launcher) != 1)
        return 2;
    if (fork() > 0)
        return wait(NULL) < 0;
    kill(launcher, SIGSTOP);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    kill(launcher, SIGCONT);
    return 0;
}

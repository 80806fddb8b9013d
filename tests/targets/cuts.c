/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A little of all that can be recorded, in two threads, in a child, and in this program
 * as the child's child: blocks, locks, files, CPU time.
 *
 *   cuts [last]
 */
/* build: -O1 -g */
/* link: -lpthread */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned long sink;

static void
burn(void)
{
    struct timespec t;

    do {
        for (int i = 0; i < 10000; i++)
            sink += (unsigned long)i;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    } while (t.tv_nsec < 20000000);
}

static void *
work(void *arg)
{
    char *kept[20];
    int fd = open("/dev/null", O_WRONLY);

    for (int i = 0; i < 20; i++) {
        kept[i] = malloc((size_t)i * 37 + 1);
        pthread_mutex_lock(&mutex);
        if (write(fd, "abc", 3) != 3)
            abort();
        pthread_mutex_unlock(&mutex);
    }
    for (int i = 0; i < 15; i++)
        free(kept[i]);
    close(fd);
    burn();
    return arg;
}

int
main(int argc, char **argv)
{
    int last = argc > 1 && !strcmp(argv[1], "last"), status;
    pthread_t thread;
    pid_t pid;

    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
    pthread_join(thread, NULL);
    if (last)
        return 0;
    pid = fork();
    if (pid == 0) {
        work(NULL);
        execl("/proc/self/exe", argv[0], "last", NULL);
        _exit(1);
    }
    waitpid(pid, &status, 0);
    return status != 0;
}

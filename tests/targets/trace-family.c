/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Children that do known work, one after the other; odd ones are forked, even ones are
 * this program again.
 *
 *   trace-family CHILDREN CALLS    child n makes n * CALLS writes of 3 bytes to
 *                                  /dev/null and takes a mutex 2 * n * CALLS times
 */
/* build: -O2 -g */
/* link: -lpthread */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int
work(long count)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    int fd = open("/dev/null", O_WRONLY);

    for (long i = 0; i < count; i++)
        if (write(fd, "abc", 3) != 3)
            return 1;
    for (long i = 0; i < 2 * count; i++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    return close(fd) != 0;
}

static pid_t
begin(char *self, int n, long count)
{
    char number[32];
    char *argv[] = { self, (char[]){ "work" }, number, NULL };
    pid_t pid;

    snprintf(number, sizeof(number), "%ld", count);
    if (n % 2 == 0)
        return posix_spawn(&pid, "/proc/self/exe", NULL, NULL, argv, environ) ? -1
                                                                              : pid;
    pid = fork();
    if (pid == 0)
        _exit(work(count));
    return pid;
}

int
main(int argc, char **argv)
{
    int children = argc > 2 ? atoi(argv[1]) : 0, status;

    if (argc > 2 && !strcmp(argv[1], "work"))
        return work(atol(argv[2]));
    for (int n = 1; n <= children; n++) {
        long count = n * atol(argv[2]);
        pid_t pid = begin(argv[0], n, count);

        if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
            return 1;
        printf("_f%d%s.er: writes %ld bytes %ld locks %ld\n", n,
               n % 2 ? "" : "_x1", count, 3 * count, 2 * count);
    }
    return 7;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* build: -O2 -g */
/* link: -lpthread */
/*
 * system THREADS MS: each thread uses MS of CPU time three times: reading /dev/zero
 * (zero_work), in user mode (user_work), and reading again (more_work). Prints for each
 * function the CPU time in ns that all threads together used in it. With a third
 * argument, that program is executed at the end with the arguments behind it.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define KEPT __attribute__((noinline, noclone))

enum { BYTES = 1 << 18, TURNS = 200000, READS = 20 };

static long limit, used[3];
static volatile unsigned long sum;

static long
now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
    return ts.tv_sec * 1000000000 + ts.tv_nsec;
}

KEPT static void
read_zeros(int fd, char *buffer)
{
    if (read(fd, buffer, BYTES) != BYTES)
        abort();
    sum += (unsigned char)buffer[0];
}

KEPT static long
zero_work(int fd, char *buffer)
{
    long start = now();

    while (now() - start < limit)
        for (int i = 0; i < READS; i++)
            read_zeros(fd, buffer);
    return now() - start;
}

KEPT static long
more_work(int fd, char *buffer)
{
    long start = now();

    while (now() - start < limit)
        for (int i = 0; i < READS; i++)
            read_zeros(fd, buffer);
    return now() - start + 0 * (long)sum;
}

KEPT static long
user_work(void)
{
    long start = now();

    while (now() - start < limit)
        for (int i = 0; i < TURNS; i++)
            sum += (unsigned long)i;
    return now() - start;
}

static void *
work(void *arg)
{
    int fd = open("/dev/zero", O_RDONLY);
    char *buffer = malloc(BYTES);

    if (fd < 0 || !buffer)
        abort();
    __atomic_fetch_add(&used[0], zero_work(fd, buffer), __ATOMIC_RELAXED);
    __atomic_fetch_add(&used[1], user_work(), __ATOMIC_RELAXED);
    __atomic_fetch_add(&used[2], more_work(fd, buffer), __ATOMIC_RELAXED);
    free(buffer);
    close(fd);
    return arg;
}

int
main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 1;
    pthread_t *t = calloc((size_t)threads, sizeof(*t));

    limit = (argc > 2 ? atol(argv[2]) : 500) * 1000000;
    for (int i = 0; i < threads; i++)
        if (pthread_create(&t[i], NULL, work, NULL))
            abort();
    for (int i = 0; i < threads; i++)
        pthread_join(t[i], NULL);
    printf("zero_work %ld\nuser_work %ld\nmore_work %ld\n", used[0], used[1], used[2]);
    fflush(stdout);
    if (argc > 3)
        execv(argv[3], argv + 3);
    return argc > 3;
}

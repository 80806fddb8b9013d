/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls that a signal could disturb.
 *
 *   calls short N        N rounds of short waits, in 4 threads, with work between;
 *                        prints how many failed with EINTR
 *   calls forks N MB     N forks of a process with MB of memory, whose threads work
 *   calls exec PROGRAM ARGUMENTS...
 *                        execs from the middle of work, after an exec that fails
 */
/* build: -O2 -g */
/* link: -lpthread */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int rounds, failed, done;
static volatile int stop;

static void
work(long us)
{
    static __thread volatile unsigned long sink;
    struct timespec a, b;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
    do {
        for (int i = 0; i < 500; i++)
            sink += (unsigned long)i;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
    } while ((b.tv_sec - a.tv_sec) * 1000000 + (b.tv_nsec - a.tv_nsec) / 1000 < us);
}

static void
tried(const char *what, int result)
{
    if (result < 0 && errno == EINTR) {
        __atomic_fetch_add(&failed, 1, __ATOMIC_SEQ_CST);
        fprintf(stderr, "%s: EINTR\n", what);
    }
    __atomic_fetch_add(&done, 1, __ATOMIC_SEQ_CST);
    work(60);
}

static void *
short_waits(void *arg)
{
    const struct timespec ts = { 0, 50000 };
    struct epoll_event event;
    int fd = epoll_create1(0), word = 0;
    sem_t sem;

    sem_init(&sem, 0, 0);
    for (int i = 0; i < rounds; i++) {
        struct timespec at;
        struct timeval tv = { 0, 50 };

        tried("poll", poll(NULL, 0, 1));
        tried("select", select(0, NULL, NULL, NULL, &tv));
        tried("nanosleep", nanosleep(&ts, NULL));
        tried("epoll_wait", epoll_wait(fd, &event, 1, 1));
        clock_gettime(CLOCK_REALTIME, &at);
        at.tv_nsec += 50000;
        if (at.tv_nsec >= 1000000000) {
            at.tv_nsec -= 1000000000;
            at.tv_sec++;
        }
        tried("sem_timedwait", sem_timedwait(&sem, &at));
        tried("futex",
              (int)syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &ts, NULL, 0));
    }
    return arg;
}

static void
in_threads(void *(*body)(void *), pthread_t *id, int count)
{
    for (int i = 0; i < count; i++)
        if (pthread_create(&id[i], NULL, body, NULL))
            exit(1);
}

static void
join(pthread_t *id, int count)
{
    for (int i = 0; i < count; i++)
        pthread_join(id[i], NULL);
}

static void *
busy(void *arg)
{
    while (!stop)
        work(1000);
    return arg;
}

static void
forks(int n, size_t mb)
{
    char *memory = mmap(NULL, mb << 20, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_t id[2];
    int good = 0;

    madvise(memory, mb << 20, MADV_NOHUGEPAGE);
    for (size_t i = 0; i < mb << 20; i += 4096)
        memory[i] = 1;
    in_threads(busy, id, 2);
    for (int i = 0; i < n; i++) {
        int status = 0;
        pid_t pid = fork();

        if (pid == 0) {
            work(2000);
            memory[0]++;
            if (i & 1)
                _exit(3);
            exit(3);
        }
        work(500);
        waitpid(pid, &status, 0);
        good += WIFEXITED(status) && WEXITSTATUS(status) == 3;
    }
    stop = 1;
    join(id, 2);
    printf("forks %d good %d\n", n, good);
}

int
main(int argc, char **argv)
{
    pthread_t id[4];

    if (argc >= 3 && !strcmp(argv[1], "short")) {
        rounds = atoi(argv[2]);
        in_threads(short_waits, id, 4);
        join(id, 4);
        printf("calls %d eintr %d\n", done, failed);
    } else if (argc >= 4 && !strcmp(argv[1], "forks")) {
        forks(atoi(argv[2]), (size_t)atoi(argv[3]));
    } else if (argc >= 3 && !strcmp(argv[1], "exec")) {
        in_threads(busy, id, 2);
        work(3000);
        execv("/nonexistent", argv + 2);
        printf("failed: %s\n", strerror(errno));
        fflush(stdout);
        work(3000);
        execv(argv[2], argv + 2);
    } else {
        return 2;
    }
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does I/O where it is awkward, and prints its account of it.
 *
 *   io-odd handlers | jumps | cancel | interrupt | threads | pause | fork | pipe | many
 */
/* build: -O1 -g -fno-builtin */
/* link: -I@S@/../.. @S@/../../share/iocall.c -lpthread */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "io-own.h"

void collector_pause(void) __attribute__((weak));
void collector_resume(void) __attribute__((weak));

static int null_fd, empty[2];
static volatile int hits, jumps;
static sigjmp_buf back;

static void
handler(int signo)
{
    (void)signo;
    hits++;
    MUST(MOVED(write, write(null_fd, "handler", 7)) == 7);
    if (jumps)
        siglongjmp(back, 1);
}

static void
ticks(int flags, long usec)
{
    struct sigaction act = { .sa_handler = handler, .sa_flags = flags };
    struct itimerval every = { { 0, usec }, { 0, usec } };

    sigemptyset(&act.sa_mask);
    sigaction(SIGALRM, &act, NULL);
    setitimer(ITIMER_REAL, &every, NULL);
}

static void
no_ticks(void)
{
    struct itimerval none = { { 0, 0 }, { 0, 0 } };

    setitimer(ITIMER_REAL, &none, NULL);
}

static void
in_handlers(void)
{
    ticks(SA_RESTART, 300);
    for (int i = 0; i < 100000 || hits < 50; i++)
        MUST(MOVED(write, write(null_fd, "x", 1)) == 1);
    no_ticks();
}

/* The read that is left by a jump does not count. */
static void
out_of_handlers(void)
{
    volatile int times = 0;
    char c;

    jumps = 1;
    if (sigsetjmp(back, 1))
        times++;
    if (times < 100) {
        ticks(0, 500);
        for (;;)
            read(empty[0], &c, 1);
    }
    no_ticks();
    jumps = 0;
    for (int i = 0; i < 1000; i++)
        MUST(MOVED(write, write(null_fd, "x", 1)) == 1);
}

static void
cleanup(void *arg)
{
    (void)arg;
    MOVED(write, write(null_fd, "cleaned", 7));
}

static void *
blocked(void *arg)
{
    char c;

    pthread_cleanup_push(cleanup, NULL);
    if (arg)
        pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    MOVED(write, write(null_fd, "begin", 5));
    for (;;)
        read(empty[0], &c, 1);
    pthread_cleanup_pop(1);
    return NULL;
}

static void
cancelled(void)
{
    for (int i = 0; i < 40; i++) {
        pthread_t id;
        void *result;

        pthread_create(&id, NULL, blocked, NULL);
        if (i % 2)
            usleep(1000);
        pthread_cancel(id);
        pthread_join(id, &result);
        MUST(result == PTHREAD_CANCELED);
    }
}

static void
quiet_handler(int signo)
{
    (void)signo;
    hits++;
}

static void
interrupted(void)
{
    struct sigaction act = { .sa_handler = quiet_handler };
    struct itimerval every = { { 0, 2000 }, { 0, 2000 } };
    int all = (int)DONE(epoll_create, epoll_create1(0));
    struct pollfd one = { .fd = empty[0], .events = POLLIN };
    struct epoll_event event;
    char c;

    sigaction(SIGALRM, &act, NULL);
    setitimer(ITIMER_REAL, &every, NULL);
    for (int i = 0; i < 20; i++) {
        errno = 0;
        MUST(MOVED(read, read(empty[0], &c, 1)) == -1 && errno == EINTR);
        MUST(DONE(poll, poll(&one, 1, -1)) == -1 && errno == EINTR);
        MUST(DONE(select, select(0, NULL, NULL, NULL, NULL)) == -1);
        MUST(DONE(epoll_wait, epoll_wait(all, &event, 1, -1)) == -1);
    }
    no_ticks();
}

/* Numbers go from thread to thread; each has a file of its own. */
static void *
write_own(void *arg)
{
    char name[20];
    long me = (long)arg;

    snprintf(name, sizeof(name), "own-%ld", me);
    for (int i = 0; i < 2000; i++) {
        int fd = (int)DONE(open, open(name, O_WRONLY | O_CREAT, 0600));

        MUST(fd >= 0);
        MUST(MOVED(write, write(fd, "0123456789", (size_t)me)) == me);
        MUST(DONE(close, close(fd)) == 0);
    }
    return NULL;
}

static void
in_threads(void)
{
    pthread_t id[4];

    for (long i = 0; i < 4; i++)
        pthread_create(&id[i], NULL, write_own, (void *)(i + 1));
    for (int i = 0; i < 4; i++)
        pthread_join(id[i], NULL);
}

/* What is opened and closed meanwhile is known afterwards all the same. */
static void
paused(void)
{
    int a = (int)DONE(open, open("a", O_WRONLY | O_CREAT, 0600)), b;

    MUST(collector_pause && collector_resume);
    MUST(MOVED(write, write(a, "1234", 4)) == 4);
    collector_pause();
    MUST(write(a, "12345", 5) == 5 && close(a) == 0);
    b = open("b", O_WRONLY | O_CREAT, 0600);
    MUST(b == a && write(b, "123456", 6) == 6);
    collector_resume();
    MUST(MOVED(write, write(b, "1234567", 7)) == 7);
    DONE(close, close(b));
}

static void
forked(void)
{
    int fd = (int)DONE(open, open("a", O_WRONLY | O_CREAT, 0600)), status;
    pid_t pid = fork();

    if (pid == 0) {
        close(fd);
        fd = open("of-child", O_WRONLY | O_CREAT, 0600);
        for (int i = 0; i < 100; i++)
            MUST(write(fd, "child", 5) == 5);
        MUST(write(null_fd, "x", 1) == 1);
        _exit(6);
    }
    MUST(waitpid(pid, &status, 0) == pid && WEXITSTATUS(status) == 6);
    MUST(MOVED(write, write(fd, "1234", 4)) == 4);
    DONE(close, close(fd));
}

static void
broken_pipe(void)
{
    int fd[2];

    MUST(DONE(pipe, pipe(fd)) == 0 && DONE(close, close(fd[0])) == 0);
    own_tell();
    write(fd[1], "x", 1);
    MUST(!"SIGPIPE did not come");
}

/* More descriptors than one page of the table, and the kernel's limit. */
static void
many(void)
{
    int fd[3000], n = 0;

    while (n < 3000 && (fd[n] = (int)DONE(open, open("/dev/null", O_WRONLY))) >= 0)
        n++;
    for (int i = 0; i < n; i++)
        MUST(MOVED(write, write(fd[i], "xy", 2)) == 2);
    for (int i = 0; i < n; i++)
        MUST(DONE(close, close(fd[i])) == 0);
}

static const struct {
    const char *name;
    void (*run)(void);
} ways[] = {
    { "handlers", in_handlers }, { "jumps", out_of_handlers },
    { "cancel", cancelled },     { "interrupt", interrupted },
    { "threads", in_threads },   { "pause", paused },
    { "fork", forked },          { "pipe", broken_pipe },
    { "many", many },
};

int
main(int argc, char **argv)
{
    null_fd = (int)DONE(open, open("/dev/null", O_WRONLY));
    MUST(DONE(pipe, pipe(empty)) == 0);
    for (size_t i = 0; argc > 1 && i < ER_COUNT(ways); i++)
        if (!strcmp(argv[1], ways[i].name))
            ways[i].run();
    own_tell();
    return 0;
}

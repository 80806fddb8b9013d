/* SPDX-License-Identifier: Apache-2.0 */
/* build: -O2 -g -fno-builtin -U_FORTIFY_SOURCE */
/* link: -lpthread -lrt */
/*
 * Calls that wait, each for a while, in a function of its own, do_NAME; for each a line
 * "NAME STATE SECONDS": which state that is, and how long the call took. What it waits
 * for is done by another thread, which sleeps first.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

/* What fortified programs call, and old names; no header says so. */
ssize_t __read_chk(int, void *, size_t, size_t);
ssize_t __recv_chk(int, void *, size_t, size_t, int);
int __poll_chk(struct pollfd *, nfds_t, int, size_t);
int __ppoll_chk(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *,
                size_t);
size_t __fread_chk(void *, size_t, size_t, size_t, FILE *);
char *__fgets_chk(char *, size_t, int, FILE *);
int __printf_chk(int, const char *, ...);
int __fprintf_chk(FILE *, int, const char *, ...);
int __vprintf_chk(int, const char *, va_list);
int __vfprintf_chk(FILE *, int, const char *, va_list);
int __isoc99_scanf(const char *, ...);
int __isoc99_fscanf(FILE *, const char *, ...);
int __isoc99_vscanf(const char *, va_list);
int __isoc99_vfscanf(FILE *, const char *, va_list);

enum { LATER_US = 20000 };

static const struct timespec later = { 0, LATER_US * 1000 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_t main_thread, other;
static mtx_t c11;
static cnd_t c11_condition;
static sem_t semaphore;
static int word, woken;
static int in, out;         /* a pipe */
static int near_end, far;   /* a pair of sockets */
static int listener, message_queue, semaphores, ready_set;
static mqd_t posix_queue;
static FILE *stream;
static struct sockaddr_storage at;
static socklen_t at_size;

static struct timespec
until(clockid_t clock)
{
    struct timespec ts;

    clock_gettime(clock, &ts);
    ts.tv_sec += 20;
    return ts;
}

/* What the other thread does after a while. */
enum deed { NOTHING, WRITE, SEND, RELEASE, POST, WAKE, MEET, TELL, OPERATE, QUEUE,
            CONNECT, SIGNAL, DRAIN, DRAIN_QUEUE, END };

static void
connect_once(void)
{
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    if (fd < 0 || connect(fd, (void *)&at, at_size) < 0)
        abort();
    close(fd);
}

static void
drain(void)
{
    char buf[65536];

    /* No more than was there: the caller goes on filling it. */
    if (read(in, buf, sizeof(buf)) < 0)
        abort();
}

static void
empty_queue(void)
{
    char buf[16];

    (void)!mq_receive(posix_queue, buf, sizeof(buf), NULL);
}

static void
operate(void)
{
    struct sembuf up = { 0, 1, 0 };

    semop(semaphores, &up, 1);
}

static void
queue(void)
{
    struct { long type; char text[4]; } message = { 1, "abc" };

    msgsnd(message_queue, &message, sizeof(message.text), 0);
}

static void
act(enum deed deed)
{
    switch (deed) {
    case WRITE: if (write(out, "x 1\n", 4) != 4) abort(); break;
    case SEND: send(far, "x\n", 2, 0); break;
    case POST: sem_post(&semaphore); break;
    case MEET: pthread_barrier_wait(&barrier); break;
    case TELL: mq_send(posix_queue, "x", 1, 0); break;
    case OPERATE: operate(); break;
    case QUEUE: queue(); break;
    case CONNECT: connect_once(); break;
    case SIGNAL: pthread_kill(main_thread, SIGUSR1); break;
    case DRAIN: drain(); break;
    case DRAIN_QUEUE: empty_queue(); break;
    case WAKE:
        __atomic_store_n(&word, 1, __ATOMIC_SEQ_CST);
        syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
        pthread_mutex_lock(&mutex);
        woken = 1;
        pthread_cond_broadcast(&condition);
        pthread_mutex_unlock(&mutex);
        mtx_lock(&c11);
        cnd_broadcast(&c11_condition);
        mtx_unlock(&c11);
        break;
    default: break;
    }
}

static pthread_barrier_t begun;

static void *
do_later(void *deed)
{
    enum deed what = (enum deed)(intptr_t)deed;

    if (what == RELEASE) {
        pthread_mutex_lock(&mutex);
        pthread_rwlock_wrlock(&rwlock);
        mtx_lock(&c11);
    }
    pthread_barrier_wait(&begun);
    usleep(LATER_US);
    act(what);
    if (what == RELEASE) {
        mtx_unlock(&c11);
        pthread_rwlock_unlock(&rwlock);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static double
now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

static FILE *report;

static void
measure(const char *name, const char *state, enum deed deed, void (*call)(void))
{
    void *what = (void *)(intptr_t)deed;
    double before, after;

    pthread_create(&other, NULL, do_later, what);
    pthread_barrier_wait(&begun);
    before = now();
    call();
    after = now();
    if (deed != END)
        pthread_join(other, NULL);
    fprintf(report, "%s %s %.6f\n", name, state, after - before);
}

#define LOCK "lock"
#define EVENT "event"
#define IO "io"
#define SLEEP "sleep"
#define CALL(name, state, deed, ...)                      \
    static __attribute__((noinline)) void do_##name(void) \
    {                                                     \
        __VA_ARGS__;                                      \
        __asm__ volatile("");                             \
    }
#include "wait-calls.h"
#undef CALL

static void
on_signal(int sig)
{
    (void)sig;
}

static void
prepare(void)
{
    struct sockaddr_un_like { unsigned short family; char path[100]; } un = { AF_UNIX,
                                                                            "" };
    struct mq_attr attr = { .mq_maxmsg = 1, .mq_msgsize = 8 };
    struct epoll_event event = { .events = EPOLLIN };
    int fds[2];
    char name[64];

    main_thread = pthread_self();
    signal(SIGUSR1, on_signal);
    pthread_barrier_init(&begun, NULL, 2);
    pthread_barrier_init(&barrier, NULL, 2);
    mtx_init(&c11, mtx_timed);
    cnd_init(&c11_condition);
    sem_init(&semaphore, 0, 0);
    if (pipe(fds) < 0)
        abort();
    in = fds[0];
    out = fds[1];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) < 0)
        abort();
    near_end = fds[0];
    far = fds[1];
    listener = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(un.path, sizeof(un.path), "wait-calls.%d", (int)getpid());
    memcpy(&at, &un, sizeof(un));
    at_size = sizeof(un);
    unlink(un.path);
    if (bind(listener, (void *)&at, at_size) < 0 || listen(listener, 8) < 0)
        abort();
    message_queue = msgget(IPC_PRIVATE, 0600);
    semaphores = semget(IPC_PRIVATE, 1, 0600);
    snprintf(name, sizeof(name), "/wait-calls.%d", (int)getpid());
    posix_queue = mq_open(name, O_RDWR | O_CREAT, 0600, &attr);
    mq_unlink(name);
    ready_set = epoll_create1(0);
    epoll_ctl(ready_set, EPOLL_CTL_ADD, in, &event);
    stream = fdopen(dup(in), "r");
    dup2(in, 0); /* for what reads the standard input */
    setvbuf(stream, NULL, _IOFBF, 64);
}

int
main(void)
{
    report = fdopen(dup(1), "w");
    prepare();
#define CALL(name, state, deed, ...) measure(#name, state, deed, do_##name);
#include "wait-calls.h"
#undef CALL
    msgctl(message_queue, IPC_RMID, NULL);
    semctl(semaphores, 0, IPC_RMID);
    unlink(((const char *)&at) + 2);
    return fclose(report) != 0;
}

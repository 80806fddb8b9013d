/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that wait for each other, and what may come in between. Tells its own truth:
 * lines "KEY VALUE", times in ns by its own clock.
 *
 *   sync-odd threads N M | waits N | order | cancel | signals N | jumps N | once |
 *            fork | wait-fork | late N | handoff N | deadlock | pause | held N |
 *            orders N | loop
 */
/* build: -O1 -g */
/* link: -lpthread */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void collector_pause(void) __attribute__((weak));
void collector_resume(void) __attribute__((weak));

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER,
                       c = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t told = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static long count;

static long long
now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static void
nap(long ms)
{
    struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

    while (nanosleep(&t, &t))
        continue;
}

static pthread_t
start(void *(*function)(void *), void *arg)
{
    pthread_t id;

    if (pthread_create(&id, NULL, function, arg))
        abort();
    return id;
}

static void *
lock_often(void *arg)
{
    for (long i = 0; i < (long)arg; i++) {
        pthread_mutex_lock(&a);
        count++;
        pthread_mutex_unlock(&a);
    }
    return NULL;
}

/* So many threads, so many locks each. */
static void
threads(long n, long locks)
{
    pthread_t id[64];

    for (long i = 0; i < n && i < 64; i++)
        id[i] = start(lock_often, (void *)locks);
    for (long i = 0; i < n && i < 64; i++)
        pthread_join(id[i], NULL);
    printf("locks %ld\n", count);
}

static sem_t ready;

/* Holds the lock a while, each time that it is told to. */
__attribute__((noinline)) static void *
hold(void *arg)
{
    for (long i = 0; i < (long)arg; i++) {
        while (sem_wait(&semaphore))
            continue;
        pthread_mutex_lock(&a);
        sem_post(&ready);
        nap(5);
        pthread_mutex_unlock(&a);
    }
    return NULL;
}

static void
waits(long n)
{
    pthread_t id = start(hold, (void *)n);
    long long took = 0, before;

    for (long i = 0; i < n; i++) {
        sem_post(&semaphore);
        while (sem_wait(&ready))
            continue;
        before = now();
        pthread_mutex_lock(&a);
        took += now() - before;
        pthread_mutex_unlock(&a);
    }
    pthread_join(id, NULL);
    printf("took %lld\n", took);
}

static void *
b_then_a(void *arg)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return arg;
}

/* Each new triple of a thread, what it holds and what it asks for is a record. */
static void
order(void)
{
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&a);
        pthread_mutex_lock(&b);
        pthread_mutex_lock(&c);
        pthread_mutex_unlock(&b);
        pthread_mutex_unlock(&c);
        pthread_mutex_unlock(&a);
    }
    pthread_join(start(b_then_a, NULL), NULL);
    pthread_join(start(b_then_a, NULL), NULL);
    puts("order 5");
}

static void
unlock(void *mutex)
{
    pthread_mutex_unlock(mutex);
    count++;
}

static void *
wait_told(void *arg)
{
    pthread_mutex_lock(&a);
    pthread_cleanup_push(unlock, &a);
    sem_post(&ready);
    pthread_cond_wait(&told, &a);
    pthread_cleanup_pop(1);
    return arg;
}

static void *
wait_semaphore(void *arg)
{
    sem_post(&ready);
    sem_wait(&semaphore);
    return arg;
}

static void *
wait_thread(void *id)
{
    sem_post(&ready);
    pthread_join(*(pthread_t *)id, NULL);
    return id;
}

/* Cancelled where it waits: cleanup runs, and the mutex is held there. */
static void
cancel(void)
{
    pthread_t self = pthread_self();
    void *(*const functions[])(void *) = { wait_told, wait_semaphore, wait_thread };

    for (int i = 0; i < 3; i++) {
        pthread_t id = start(functions[i], &self);
        void *result;

        while (sem_wait(&ready))
            continue;
        nap(20);
        pthread_cancel(id);
        pthread_join(id, &result);
        if (result != PTHREAD_CANCELED)
            abort();
    }
    pthread_cancel(pthread_self());
    sem_post(&semaphore);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    sem_wait(&semaphore);
    printf("cleanups %ld\ncancelled 3\n", count);
}

static volatile sig_atomic_t hits;

/* Takes locks of its own, in the midst of whatever it interrupts. */
static void
on_signal(int signo)
{
    (void)signo;
    if (pthread_mutex_trylock(&c) == 0)
        pthread_mutex_unlock(&c);
    hits = hits + 1;
}

static void
every(long us, void (*handler)(int))
{
    struct itimerval timer = { { 0, us }, { 0, us } };
    struct sigaction action;

    memset(&action, 0, sizeof(action));
    action.sa_handler = handler;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void
signals(long n)
{
    long interrupted = 0;

    every(500, on_signal);
    for (long i = 0; i < n; i++) {
        pthread_mutex_lock(&a);
        pthread_mutex_lock(&b);
        pthread_mutex_unlock(&a);
        pthread_mutex_unlock(&b);
    }
    for (int i = 0; i < 20; i++)
        if (sem_wait(&semaphore) && errno == EINTR)
            interrupted++;
    every(0, on_signal);
    printf("interrupted %ld\nlocks %ld\n", interrupted, 2 * n);
}

static sigjmp_buf back;

static void
jump(int signo)
{
    (void)signo;
    siglongjmp(back, 1);
}

/* Out of a wait, and out of whatever else there is. */
static void
jumps(long n)
{
    volatile long jumped = 0;

    if (sigsetjmp(back, 1))
        jumped++;
    every(jumped < n ? 2000 : 0, jump);
    if (jumped < n)
        for (;;)
            sem_wait(&semaphore);
    for (int i = 0; i < 1000; i++) {
        pthread_mutex_lock(&a);
        pthread_mutex_unlock(&a);
    }
    printf("jumped %ld\n", jumped);
}

static pthread_once_t once_control = PTHREAD_ONCE_INIT;

static void
initialize(void)
{
    sem_post(&ready);
    nap(50);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    count++;
}

static void *
call_once_again(void *arg)
{
    long long before = now();

    pthread_once(&once_control, initialize);
    *(long long *)arg = now() - before;
    return NULL;
}

static void
once(void)
{
    long long took[2];
    pthread_t first = start(call_once_again, &took[0]), second;

    while (sem_wait(&ready))
        continue;
    second = start(call_once_again, &took[1]);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    printf("took %lld\nran %ld\n", took[1], count);
}

static pthread_key_t key;

/* In each of four rounds, of which the collector leaves in the last. */
static void
lock_late(void *round)
{
    pthread_mutex_lock(&a);
    count++;
    pthread_mutex_unlock(&a);
    if ((long)round < 4)
        pthread_setspecific(key, (void *)((long)round + 1));
}

static void *
end_late(void *arg)
{
    pthread_setspecific(key, (void *)1);
    return arg;
}

static void
late(long n)
{
    pthread_key_create(&key, lock_late);
    for (long i = 0; i < n; i++)
        pthread_join(start(end_late, NULL), NULL);
    printf("locks %ld\n", count);
}

static void
fork_in_handler(int signo)
{
    (void)signo;
    if (fork() == 0)
        count = 1;
}

/* While it waits; the child goes on from there. */
static void
wait_and_fork(void)
{
    int status, pid;

    every(20000, fork_in_handler);
    while (sem_wait(&semaphore) == 0)
        continue;
    every(0, fork_in_handler);
    lock_often((void *)100);
    if (count > 100)
        _exit(count == 101 ? 7 : 8);
    for (status = 0; (pid = wait(&status)) > 0;)
        printf("child %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    puts("locks 100");
}

/* The child is not recorded here, or on its own: it must only work. */
static void
forks(void)
{
    int status, bad = 0;

    pthread_mutex_lock(&b);
    for (int i = 0; i < 20; i++) {
        pid_t pid = fork();

        if (pid == 0) {
            pthread_mutex_unlock(&b);
            lock_often((void *)1000);
            pthread_join(start(lock_often, (void *)1000), NULL);
            _exit(count == 2000 ? 7 : 8);
        }
        waitpid(pid, &status, 0);
        bad += !WIFEXITED(status) || WEXITSTATUS(status) != 7;
    }
    pthread_mutex_unlock(&b);
    lock_often((void *)10);
    printf("bad %d\nlocks %ld\n", bad, count + 1);
}

static void
pauses(void)
{
    lock_often((void *)100);
    pthread_mutex_lock(&b);
    if (collector_pause)
        collector_pause();
    pthread_mutex_unlock(&b); /* not recorded */
    lock_often((void *)50);
    pthread_mutex_lock(&c);
    if (collector_resume)
        collector_resume();
    pthread_mutex_unlock(&c); /* was not recorded when taken */
    lock_often((void *)10);
    puts("locks 111\nheld 110\ncalls 162");
}

static void *
unlock_often(void *arg)
{
    for (long i = 0; i < (long)arg; i++) {
        while (sem_wait(&semaphore))
            continue;
        pthread_mutex_unlock(&b);
        sem_post(&ready);
    }
    return NULL;
}

/* Unlocked by another: that is not held for ever, and gives no order. */
static void
handoff(long n)
{
    pthread_t id = start(unlock_often, (void *)n);

    for (long i = 0; i < n; i++) {
        pthread_mutex_lock(&b);
        sem_post(&semaphore);
        while (sem_wait(&ready))
            continue;
    }
    pthread_join(id, NULL);
    pthread_mutex_lock(&c);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&c);
    printf("locks %ld\nheld 2\norder 1\n", n + 2);
}

static pthread_barrier_t both;

static void *
take_two(void *first)
{
    pthread_mutex_t *second = first == &a ? &b : &a;

    pthread_mutex_lock(first);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(second);
    return NULL;
}

/* For ever. */
static void
deadlock(void)
{
    pthread_barrier_init(&both, NULL, 2);
    start(take_two, &a);
    pthread_join(start(take_two, &b), NULL);
}

static void
held(long n)
{
    pthread_mutex_t *locks = calloc((size_t)n, sizeof(*locks));

    for (long i = 0; i < n; i++)
        pthread_mutex_lock(&locks[i]);
    for (long i = 0; i < n; i++)
        pthread_mutex_unlock(&locks[i]);
    printf("locks %ld\n", n);
    free(locks);
}

/* Each two of so many locks, in one order. */
static void
orders(long n)
{
    pthread_mutex_t *locks = calloc((size_t)n, sizeof(*locks));

    for (long i = 0; i < n; i++)
        for (long k = 0; k < i; k++) {
            pthread_mutex_lock(&locks[k]);
            pthread_mutex_lock(&locks[i]);
            pthread_mutex_unlock(&locks[i]);
            pthread_mutex_unlock(&locks[k]);
        }
    printf("orders %ld\n", n * (n - 1) / 2);
    free(locks);
}

static void
loop(void)
{
    puts("looping");
    fflush(stdout);
    for (;;) {
        pthread_mutex_lock(&a);
        pthread_mutex_unlock(&a);
    }
}

int
main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    long n = argc > 2 ? atol(argv[2]) : 0, m = argc > 3 ? atol(argv[3]) : 0;

    sem_init(&semaphore, 0, 0);
    sem_init(&ready, 0, 0);
    if (!strcmp(what, "threads"))
        threads(n, m);
    else if (!strcmp(what, "waits"))
        waits(n);
    else if (!strcmp(what, "order"))
        order();
    else if (!strcmp(what, "cancel"))
        cancel();
    else if (!strcmp(what, "signals"))
        signals(n);
    else if (!strcmp(what, "jumps"))
        jumps(n);
    else if (!strcmp(what, "once"))
        once();
    else if (!strcmp(what, "fork"))
        forks();
    else if (!strcmp(what, "late"))
        late(n);
    else if (!strcmp(what, "wait-fork"))
        wait_and_fork();
    else if (!strcmp(what, "handoff"))
        handoff(n);
    else if (!strcmp(what, "deadlock"))
        deadlock();
    else if (!strcmp(what, "pause"))
        pauses();
    else if (!strcmp(what, "held"))
        held(n);
    else if (!strcmp(what, "orders"))
        orders(n);
    else if (!strcmp(what, "loop"))
        loop();
    else
        return 2;
    return 0;
}

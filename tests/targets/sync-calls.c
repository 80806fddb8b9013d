/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls each SYNC row of libc.def, and tells what it asked for, as tell-sync does: the
 * kind, the error and how often; what it held; what began anew. Without arguments.
 */
/* build: -O1 -g */
#define _GNU_SOURCE /* for pthread_tryjoin_np() and others */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

enum kind {
    MUTEX, READ, WRITE, SPIN, CONDITION, BARRIER, SEMAPHORE, JOIN, ONCE, FILES, KINDS
};

static const char *const names[] = {
    "mutex",   "read",      "write", "spin", "condition",
    "barrier", "semaphore", "join",  "once", "file",
};

static unsigned waits[KINDS][256], holds[KINDS], renews[KINDS];

/* result is what a call returned: an errno value; check that it is the one wanted. */
static void
asked(enum kind kind, int result, int wanted)
{
    if (result != wanted) {
        fprintf(stderr, "%s: %d instead of %d\n", names[kind], result, wanted);
        exit(9);
    }
    waits[kind][wanted]++;
    if (!wanted && kind <= SPIN)
        holds[kind]++; /* all is given back */
}

static void
must(int result)
{
    if (result)
        abort();
}

static int
in_errno(int result)
{
    return result < 0 ? errno : 0;
}

static const struct timespec past = { 1, 0 };

static struct timespec
later(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    t.tv_sec += 1000;
    return t;
}

static void
mutexes(void)
{
    struct timespec real = later(CLOCK_REALTIME), mono = later(CLOCK_MONOTONIC);
    struct timespec wrong = { 1, 2000000000 };
    pthread_mutexattr_t attr;
    static pthread_mutex_t m, n;

    must(pthread_mutex_init(&m, NULL));
    asked(MUTEX, pthread_mutex_lock(&m), 0);
    asked(MUTEX, pthread_mutex_trylock(&m), EBUSY);
    asked(MUTEX, pthread_mutex_timedlock(&m, &past), ETIMEDOUT);
    asked(MUTEX, pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &past), ETIMEDOUT);
    must(pthread_mutex_unlock(&m));
    asked(MUTEX, pthread_mutex_trylock(&m), 0);
    must(pthread_mutex_unlock(&m));
    asked(MUTEX, pthread_mutex_timedlock(&m, &real), 0);
    must(pthread_mutex_unlock(&m));
    asked(MUTEX, pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &mono), 0);
    must(pthread_mutex_unlock(&m));
    if (pthread_mutex_clocklock(&m, CLOCK_PROCESS_CPUTIME_ID, &mono) != EINVAL)
        abort(); /* it asks for nothing */
    asked(MUTEX, pthread_mutex_timedlock(&m, &wrong), 0); /* it is free: nobody looks */
    must(pthread_mutex_unlock(&m));
    must(pthread_mutex_destroy(&m));
    renews[MUTEX]++;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    must(pthread_mutex_init(&n, &attr));
    asked(MUTEX, pthread_mutex_lock(&n), 0);
    asked(MUTEX, pthread_mutex_lock(&n), 0);
    must(pthread_mutex_unlock(&n));
    must(pthread_mutex_unlock(&n));
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    must(pthread_mutex_init(&n, &attr));
    renews[MUTEX]++;
    asked(MUTEX, pthread_mutex_lock(&n), 0);
    asked(MUTEX, pthread_mutex_lock(&n), EDEADLK);
    must(pthread_mutex_unlock(&n));
    if (pthread_mutex_unlock(&n) != EPERM)
        abort();
    pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
    must(pthread_mutex_init(&m, &attr));
    asked(MUTEX, pthread_mutex_lock(&m), 0);
    asked(MUTEX, pthread_mutex_lock(&m), EDEADLK);
    must(pthread_mutex_unlock(&m));
}

static void *
die_with(void *mutex)
{
    must(pthread_mutex_lock(mutex));
    return NULL;
}

/* Its owner is gone: the next one gets it, and is told. */
static void
robust(void)
{
    static pthread_mutex_t m, n;
    pthread_mutexattr_t attr;
    pthread_t id;

    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    must(pthread_mutex_init(&m, &attr));
    must(pthread_create(&id, NULL, die_with, &m));
    asked(JOIN, pthread_join(id, NULL), 0);
    waits[MUTEX][0]++; /* which is never given back */
    asked(MUTEX, pthread_mutex_lock(&m), EOWNERDEAD);
    holds[MUTEX]++;
    must(pthread_mutex_unlock(&m)); /* not made consistent */
    asked(MUTEX, pthread_mutex_lock(&m), ENOTRECOVERABLE);
    asked(MUTEX, pthread_mutex_lock(&m), ENOTRECOVERABLE);
    asked(MUTEX, pthread_mutex_trylock(&m), ENOTRECOVERABLE);
    must(pthread_mutex_init(&n, &attr));
    must(pthread_create(&id, NULL, die_with, &n));
    asked(JOIN, pthread_join(id, NULL), 0);
    waits[MUTEX][0]++;
    asked(MUTEX, pthread_mutex_trylock(&n), EOWNERDEAD);
    holds[MUTEX]++;
    must(pthread_mutex_consistent(&n));
    must(pthread_mutex_unlock(&n));
    asked(MUTEX, pthread_mutex_lock(&n), 0);
    must(pthread_mutex_unlock(&n));
}

static void
rwlocks(void)
{
    struct timespec real = later(CLOCK_REALTIME), mono = later(CLOCK_MONOTONIC);
    static pthread_rwlock_t l;

    must(pthread_rwlock_init(&l, NULL));
    asked(READ, pthread_rwlock_rdlock(&l), 0);
    asked(READ, pthread_rwlock_tryrdlock(&l), 0);
    asked(READ, pthread_rwlock_timedrdlock(&l, &real), 0);
    asked(READ, pthread_rwlock_clockrdlock(&l, CLOCK_MONOTONIC, &mono), 0);
    asked(WRITE, pthread_rwlock_trywrlock(&l), EBUSY);
    asked(WRITE, pthread_rwlock_timedwrlock(&l, &past), ETIMEDOUT);
    asked(WRITE, pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, &past), ETIMEDOUT);
    for (int i = 0; i < 4; i++)
        must(pthread_rwlock_unlock(&l));
    asked(WRITE, pthread_rwlock_wrlock(&l), 0);
    asked(READ, pthread_rwlock_tryrdlock(&l), EBUSY);
    asked(READ, pthread_rwlock_rdlock(&l), EDEADLK);
    asked(WRITE, pthread_rwlock_wrlock(&l), EDEADLK);
    must(pthread_rwlock_unlock(&l));
    asked(WRITE, pthread_rwlock_trywrlock(&l), 0);
    must(pthread_rwlock_unlock(&l));
    asked(WRITE, pthread_rwlock_timedwrlock(&l, &real), 0);
    must(pthread_rwlock_unlock(&l));
    asked(WRITE, pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, &mono), 0);
    must(pthread_rwlock_unlock(&l));
    must(pthread_rwlock_destroy(&l));
    renews[WRITE]++;
}

static void
spins_and_barriers(void)
{
    static pthread_spinlock_t s;
    static pthread_barrier_t b;

    must(pthread_spin_init(&s, 0));
    asked(SPIN, pthread_spin_lock(&s), 0);
    asked(SPIN, pthread_spin_trylock(&s), EBUSY);
    must(pthread_spin_unlock(&s));
    asked(SPIN, pthread_spin_trylock(&s), 0);
    must(pthread_spin_unlock(&s));
    must(pthread_spin_destroy(&s));
    renews[SPIN]++;
    must(pthread_barrier_init(&b, NULL, 1));
    if (pthread_barrier_wait(&b) != PTHREAD_BARRIER_SERIAL_THREAD)
        abort();
    waits[BARRIER][0]++;
    must(pthread_barrier_destroy(&b));
    renews[BARRIER]++;
}

static void
semaphores(void)
{
    struct timespec real = later(CLOCK_REALTIME), mono = later(CLOCK_MONOTONIC);
    char name[64];
    static sem_t s;
    sem_t *named;

    errno = 7;
    must(sem_init(&s, 0, 4));
    asked(SEMAPHORE, in_errno(sem_wait(&s)), 0);
    asked(SEMAPHORE, in_errno(sem_trywait(&s)), 0);
    asked(SEMAPHORE, in_errno(sem_timedwait(&s, &real)), 0);
    asked(SEMAPHORE, in_errno(sem_clockwait(&s, CLOCK_MONOTONIC, &mono)), 0);
    if (errno != 7)
        abort();
    asked(SEMAPHORE, in_errno(sem_trywait(&s)), EAGAIN);
    asked(SEMAPHORE, in_errno(sem_timedwait(&s, &past)), ETIMEDOUT);
    asked(SEMAPHORE, in_errno(sem_clockwait(&s, CLOCK_MONOTONIC, &past)), ETIMEDOUT);
    must(sem_destroy(&s));
    renews[SEMAPHORE]++;
    snprintf(name, sizeof(name), "/ertools-sync-calls-%d", getpid());
    named = sem_open(name, O_CREAT | O_EXCL, 0600, 1);
    if (named == SEM_FAILED)
        abort();
    sem_unlink(name);
    asked(SEMAPHORE, in_errno(sem_wait(named)), 0);
    must(sem_close(named));
    renews[SEMAPHORE]++;
}

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t told = PTHREAD_COND_INITIALIZER;

static void *
tell(void *arg)
{
    pthread_mutex_lock(&guard);
    pthread_cond_signal(&told);
    pthread_mutex_unlock(&guard);
    return arg;
}

/* What programs of 2002 were linked with: its condition is a pointer. */
int old_timedwait(void **, pthread_mutex_t *, const struct timespec *);
int old_wait(void **, pthread_mutex_t *);
int old_signal(void **);
__asm__(".symver old_timedwait, pthread_cond_timedwait@GLIBC_2.2.5");
__asm__(".symver old_wait, pthread_cond_wait@GLIBC_2.2.5");
__asm__(".symver old_signal, pthread_cond_signal@GLIBC_2.2.5");

static void *old_told[1];

static void *
old_tell(void *arg)
{
    pthread_mutex_lock(&guard);
    old_signal(old_told);
    pthread_mutex_unlock(&guard);
    return arg;
}

/* And what a program finds that looks for itself: the new one. */
static void
versions(void)
{
    int (*found)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
    pthread_t id;

    *(void **)&found = dlsym(RTLD_DEFAULT, "pthread_cond_timedwait");
    asked(MUTEX, pthread_mutex_lock(&guard), 0);
    asked(CONDITION, found(&told, &guard, &past), ETIMEDOUT);
    asked(CONDITION, old_timedwait(old_told, &guard, &past), ETIMEDOUT);
    must(pthread_create(&id, NULL, old_tell, NULL));
    asked(CONDITION, old_wait(old_told, &guard), 0);
    holds[MUTEX] += 3;
    must(pthread_mutex_unlock(&guard));
    asked(JOIN, pthread_join(id, NULL), 0);
    waits[MUTEX][0]++; /* old_tell() */
    holds[MUTEX]++;
}

/* Each wait gives its mutex back and takes it again: that is one more hold. */
static void
conditions(void)
{
    pthread_t id;

    asked(MUTEX, pthread_mutex_lock(&guard), 0);
    asked(CONDITION, pthread_cond_timedwait(&told, &guard, &past), ETIMEDOUT);
    asked(CONDITION, pthread_cond_clockwait(&told, &guard, CLOCK_MONOTONIC, &past),
          ETIMEDOUT);
    must(pthread_create(&id, NULL, tell, NULL));
    asked(CONDITION, pthread_cond_wait(&told, &guard), 0);
    holds[MUTEX] += 3;
    must(pthread_mutex_unlock(&guard));
    asked(JOIN, pthread_join(id, NULL), 0);
    waits[MUTEX][0]++; /* tell() */
    holds[MUTEX]++;
}

static void *
idle(void *semaphore)
{
    while (sem_wait(semaphore))
        continue;
    return NULL;
}

static void
joins(void)
{
    struct timespec real = later(CLOCK_REALTIME), mono = later(CLOCK_MONOTONIC);
    pthread_t id;
    static sem_t s;

    must(sem_init(&s, 0, 0));
    must(pthread_create(&id, NULL, idle, &s));
    asked(JOIN, pthread_tryjoin_np(id, NULL), EBUSY);
    asked(JOIN, pthread_timedjoin_np(id, NULL, &past), ETIMEDOUT);
    asked(JOIN, pthread_clockjoin_np(id, NULL, CLOCK_MONOTONIC, &past), ETIMEDOUT);
    asked(JOIN, pthread_join(pthread_self(), NULL), EDEADLK);
    sem_post(&s);
    asked(JOIN, pthread_timedjoin_np(id, NULL, &real), 0);
    must(pthread_create(&id, NULL, idle, &s));
    sem_post(&s);
    asked(JOIN, pthread_clockjoin_np(id, NULL, CLOCK_MONOTONIC, &mono), 0);
    waits[SEMAPHORE][0] += 2;
}

static int ran;

static void
run(void)
{
    ran++;
}

static void
onces(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static once_flag flag = ONCE_FLAG_INIT;

    for (int i = 0; i < 3; i++)
        asked(ONCE, pthread_once(&once, run), 0);
    for (int i = 0; i < 3; i++) {
        call_once(&flag, run);
        waits[ONCE][0]++;
    }
    if (ran != 2)
        abort();
}

static int
seven(void *arg)
{
    (void)arg;
    return 7;
}

static void
c11(void)
{
    struct timespec real = later(CLOCK_REALTIME);
    thrd_t id;
    static cnd_t c;
    static mtx_t m;
    int result;

    must(mtx_init(&m, mtx_timed));
    asked(MUTEX, mtx_lock(&m) != thrd_success, 0);
    asked(MUTEX, mtx_trylock(&m) == thrd_busy ? EBUSY : -1, EBUSY);
    asked(MUTEX, mtx_timedlock(&m, &past) == thrd_timedout ? ETIMEDOUT : -1, ETIMEDOUT);
    must(cnd_init(&c));
    asked(CONDITION, cnd_timedwait(&c, &m, &past) == thrd_timedout ? ETIMEDOUT : -1,
          ETIMEDOUT);
    holds[MUTEX]++;
    must(mtx_unlock(&m));
    asked(MUTEX, mtx_timedlock(&m, &real) != thrd_success, 0);
    must(mtx_unlock(&m));
    mtx_destroy(&m);
    renews[MUTEX]++;
    must(thrd_create(&id, seven, NULL));
    asked(JOIN, thrd_join(id, &result) != thrd_success || result != 7, 0);
}

static mtx_t c11_guard;
static cnd_t c11_told;

static int
c11_tell(void *arg)
{
    (void)arg;
    mtx_lock(&c11_guard);
    cnd_signal(&c11_told);
    mtx_unlock(&c11_guard);
    return 0;
}

static void
c11_condition(void)
{
    thrd_t id;

    must(mtx_init(&c11_guard, mtx_plain));
    must(cnd_init(&c11_told));
    asked(MUTEX, mtx_lock(&c11_guard) != thrd_success, 0);
    must(thrd_create(&id, c11_tell, NULL));
    asked(CONDITION, cnd_wait(&c11_told, &c11_guard) != thrd_success, 0);
    must(mtx_unlock(&c11_guard));
    asked(JOIN, thrd_join(id, NULL) != thrd_success, 0);
    waits[MUTEX][0]++;
    holds[MUTEX] += 2;
}

static void
files(void)
{
    struct flock range = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    int a = open("locked", O_RDWR | O_CREAT, 0600), b = open("locked", O_RDWR);

    asked(FILES, in_errno(flock(a, LOCK_EX)), 0);
    asked(FILES, in_errno(flock(b, LOCK_EX | LOCK_NB)), EWOULDBLOCK);
    must(flock(a, LOCK_UN));
    asked(FILES, in_errno(lockf(a, F_LOCK, 1)), 0);
    asked(FILES, in_errno(lockf(a, F_TLOCK, 1)), 0);
    asked(FILES, in_errno(lockf64(a, F_LOCK, 1)), 0);
    asked(FILES, in_errno(lockf64(a, F_TLOCK, 1)), 0);
    must(lockf(a, F_ULOCK, 1));
    asked(FILES, in_errno(fcntl(a, F_SETLKW, &range)), 0);
    asked(FILES, in_errno(fcntl64(a, F_SETLKW, &range)), 0);
    must(fcntl(a, F_SETLK, &range));
    range.l_type = F_UNLCK;
    must(fcntl(a, F_SETLKW, &range));
    if (fcntl(a, F_GETFD) != 0 || fcntl(a, F_DUPFD, 700) != 700 || close(700))
        abort();
    asked(FILES, in_errno(flock(-1, LOCK_SH)), EBADF);
}

int
main(void)
{
    mutexes();
    robust();
    rwlocks();
    spins_and_barriers();
    semaphores();
    conditions();
    versions();
    joins();
    onces();
    c11();
    c11_condition();
    files();
    for (int k = 0; k < KINDS; k++) {
        for (int e = 0; e < 256; e++)
            if (waits[k][e])
                printf("wait %s %d %u\n", names[k], e, waits[k][e]);
        if (holds[k])
            printf("hold %s %u\n", names[k], holds[k]);
        if (renews[k])
            printf("renew %s %u\n", names[k], renews[k]);
    }
    return 0;
}

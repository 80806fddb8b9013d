/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads of all kinds, each working a little. One argument says which; prints how many
 * there were ("made N") and what the process then has open from 1000 on and below.
 */
/* build: -O2 -g */
/* link: -lpthread */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

static __thread volatile unsigned long sink;
static volatile unsigned long raw_sink;
static int made;
static volatile int ended;

static void
work(long us)
{
    struct timespec a, b;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
    do {
        for (int i = 0; i < 500; i++)
            sink += (unsigned long)i;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
    } while ((b.tv_sec - a.tv_sec) * 1000000 + (b.tv_nsec - a.tv_nsec) / 1000 < us);
}

static void *
body(void *arg)
{
    work((long)arg);
    __atomic_fetch_add(&ended, 1, __ATOMIC_SEQ_CST);
    return arg;
}

static int
c11_body(void *arg)
{
    body(arg);
    return 7;
}

static void
create(pthread_t *id, const pthread_attr_t *attr, void *(*start)(void *), long us)
{
    int error = pthread_create(id, attr, start, (void *)us);

    if (error) {
        printf("pthread_create: %s\n", strerror(error));
        exit(1);
    }
    made++;
}

static void
many_short(int n)
{
    while (n > 0) {
        pthread_t id[8];

        for (int i = 0; i < 8; i++)
            create(&id[i], NULL, body, i == 0 ? 300 : 5);
        for (int i = 0; i < 8; i++)
            pthread_join(id[i], NULL);
        n -= 8;
    }
}

static void
smallest(void)
{
    pthread_attr_t attr;
    pthread_t id;

    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, (size_t)sysconf(_SC_THREAD_STACK_MIN));
    for (int i = 0; i < 20; i++) {
        create(&id, &attr, body, 5000);
        pthread_join(id, NULL);
    }
}

static void
detached(void)
{
    pthread_attr_t attr;
    pthread_t id;

    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    for (int i = 0; i < 50; i++)
        create(&id, &attr, body, 1000);
    while (ended < 50)
        usleep(1000);
    usleep(20000);
}

static void *
sleeper(void *arg)
{
    work(3000);
    for (;;)
        pause();
    return arg;
}

static void *
stubborn(void *arg)
{
    int old;

    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
    for (;;)
        sink++;
    return arg;
}

static void *
creator(void *arg)
{
    pthread_t id;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    while (!*(volatile int *)arg)
        ;
    usleep(20000);
    /* A cancellation is pending now: neither of these may act on it. */
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    create(&id, NULL, body, 100);
    pthread_join(id, NULL); /* this one may, where it waits */
    pthread_testcancel();   /* this one does */
    return arg;
}

static void
cancelled(void)
{
    static volatile int go;
    pthread_t id;
    void *result;
    int n = 0;

    for (int i = 0; i < 40; i++) {
        create(&id, NULL, i & 1 ? stubborn : sleeper, 0);
        usleep(2000);
        pthread_cancel(id);
        pthread_join(id, &result);
        n += result == PTHREAD_CANCELED;
    }
    pthread_create(&id, NULL, creator, (void *)&go);
    made++;
    pthread_cancel(id);
    go = 1;
    pthread_join(id, &result);
    usleep(50000);
    printf("cancelled %d last %d\n", n, result == PTHREAD_CANCELED);
}

static void
c11(void)
{
    for (int i = 0; i < 20; i++) {
        thrd_t id;
        int result = 0;

        if (thrd_create(&id, c11_body, (void *)1000L) != thrd_success)
            exit(1);
        made++;
        thrd_join(id, &result);
        if (result != 7)
            printf("wrong result %d\n", result);
    }
}

#ifdef __x86_64__
/* What programs built before glibc 2.34 call. */
int old_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
__asm__(".symver old_create, pthread_create@GLIBC_2.2.5");
#else
#define old_create pthread_create
#endif

static void
both_versions(void)
{
    pthread_t id;

    create(&id, NULL, body, 20000);
    pthread_join(id, NULL);
    if (old_create(&id, NULL, body, (void *)20000L))
        exit(1);
    made++;
    pthread_join(id, NULL);
}

static ucontext_t main_context, contexts[4];
static volatile int turns;

static void
coroutine(int me)
{
    for (int i = 0; i < 2000; i++) {
        for (int j = 0; j < 20000; j++)
            sink += (unsigned long)j;
        turns++;
        swapcontext(&contexts[me], me == 3 ? &main_context : &contexts[me + 1]);
    }
}

static void
coroutines(void)
{
    for (int i = 0; i < 4; i++) {
        char *stack =
            mmap(NULL, 3 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        /* 4 KiB, between pages that nobody may touch. */
        mprotect(stack + 4096, 4096, PROT_READ | PROT_WRITE);
        getcontext(&contexts[i]);
        contexts[i].uc_stack.ss_sp = stack + 4096;
        contexts[i].uc_stack.ss_size = 4096;
        contexts[i].uc_link = &main_context;
        makecontext(&contexts[i], (void (*)(void))coroutine, 1, i);
    }
    for (int i = 0; i < 1000; i++)
        swapcontext(&main_context, &contexts[0]);
    printf("turns %d\n", turns);
}

static char raw_tls[2][65536] __attribute__((aligned(64)));
static int raw_tid[2];

/* No libc in here: with CLONE_SETTLS there is none, without it it is another's. */
static int
raw_body(void *arg)
{
    for (long i = 0; i < 60000000; i++)
        raw_sink += (unsigned long)i;
    (void)arg;
    return 0;
}

static void
raw(void)
{
    enum { FLAGS = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
                   CLONE_SYSVSEM | CLONE_CHILD_CLEARTID | CLONE_PARENT_SETTID };

    for (int i = 0; i < 2; i++) {
        char *stack = mmap(NULL, 65536, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        char *tls = raw_tls[i] + 32768;

        raw_tid[i] = 1;
        memcpy(tls, &tls, sizeof(tls));
        if (clone(raw_body, stack + 65536, FLAGS | (i ? CLONE_SETTLS : 0), NULL,
                  &raw_tid[i], tls, &raw_tid[i]) < 0)
            perror("clone");
    }
    work(100000);
    for (int i = 0; i < 2; i++)
        while (__atomic_load_n(&raw_tid[i], __ATOMIC_SEQ_CST))
            usleep(1000);
}

static sem_t gate;

static void *
waiting(void *arg)
{
    work(500);
    __atomic_fetch_add(&ended, 1, __ATOMIC_SEQ_CST);
    sem_wait(&gate);
    work(500);
    return arg;
}

static void
descriptors(void)
{
    int low = 0, high = 0;
    DIR *dir = opendir("/proc/self/fd");
    struct dirent *e;

    while ((e = readdir(dir))) {
        int fd = atoi(e->d_name);

        if (fd >= 1000)
            high++;
        else if (fd > 2 && fd != dirfd(dir))
            low++;
    }
    closedir(dir);
    printf("open below 1000: %d\n", low);
    fprintf(stderr, "high %d\n", high);
}

static void
at_once(int n)
{
    static pthread_t id[1000];

    sem_init(&gate, 0, 0);
    for (int i = 0; i < n; i++)
        create(&id[i], NULL, waiting, 0);
    while (__atomic_load_n(&ended, __ATOMIC_SEQ_CST) < n)
        usleep(1000);
    descriptors();
    for (int i = 0; i < n; i++)
        sem_post(&gate);
    for (int i = 0; i < n; i++)
        pthread_join(id[i], NULL);
}

static void *
last(void *arg)
{
    work(100000);
    printf("made %d\n", made);
    return arg;
}

int
main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    pthread_t id;

    work(3000);
    if (!strcmp(what, "short"))
        many_short(atoi(argv[2]));
    else if (!strcmp(what, "smallest"))
        smallest();
    else if (!strcmp(what, "detached"))
        detached();
    else if (!strcmp(what, "cancelled"))
        cancelled();
    else if (!strcmp(what, "c11"))
        c11();
    else if (!strcmp(what, "versions"))
        both_versions();
    else if (!strcmp(what, "coroutines"))
        coroutines();
    else if (!strcmp(what, "raw"))
        raw();
    else if (!strcmp(what, "at-once"))
        at_once(atoi(argv[2]));
    else if (!strcmp(what, "exit-main")) {
        create(&id, NULL, last, 0);
        pthread_exit(NULL);
    }
    descriptors();
    printf("made %d\n", made);
    return 0;
}

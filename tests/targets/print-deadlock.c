/* SPDX-License-Identifier: Apache-2.0 */
/* build: -O2 -g */
/* link: -lpthread */
/*
 * Takes locks in orders that could have ended in a deadlock, and in some that could
 * not, one thread after another. Then one thread waits for another; prints how long by
 * its own clock, in ns: "waited NS".
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t mine = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t yours = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t renewed = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t kept = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t slow = PTHREAD_MUTEX_INITIALIZER;
static sem_t taken;

__attribute__((noinline)) static void
both(pthread_mutex_t *a, pthread_mutex_t *b)
{
    pthread_mutex_lock(a);
    pthread_mutex_lock(b);
    pthread_mutex_unlock(b);
    pthread_mutex_unlock(a);
}

static void *
one_way(void *arg)
{
    both(&left, &right);
    pthread_mutex_lock(&gate);
    both(&inner, &outer);
    pthread_mutex_unlock(&gate);
    both(&mine, &yours);
    both(&yours, &mine);
    both(&renewed, &kept);
    return arg;
}

static void *
other_way(void *arg)
{
    both(&right, &left);
    pthread_mutex_lock(&gate);
    both(&outer, &inner);
    pthread_mutex_unlock(&gate);
    both(&kept, &renewed);
    return arg;
}

static void *
hold(void *arg)
{
    struct timespec nap = { 0, 30000000 };

    pthread_mutex_lock(&slow);
    sem_post(&taken);
    nanosleep(&nap, NULL);
    pthread_mutex_unlock(&slow);
    return arg;
}

static long long
now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static void
run(void *(*start)(void *))
{
    pthread_t thread;

    pthread_create(&thread, NULL, start, NULL);
    pthread_join(thread, NULL);
}

int
main(void)
{
    long long waited = 0;
    pthread_t holder;

    run(one_way);
    pthread_mutex_destroy(&renewed);
    pthread_mutex_init(&renewed, NULL);
    run(other_way);
    sem_init(&taken, 0, 0);
    for (int i = 0; i < 8; i++) {
        pthread_create(&holder, NULL, hold, NULL);
        sem_wait(&taken);
        waited -= now();
        pthread_mutex_lock(&slow);
        waited += now();
        pthread_mutex_unlock(&slow);
        pthread_join(holder, NULL);
    }
    printf("waited %lld\n", waited);
    return 0;
}

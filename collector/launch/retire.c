/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/retire.h"

#include <pthread.h>
#include <signal.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static struct member *queue;
static int ending;
static int running; /* 1 = `thread` runs; used by the launcher's first thread only */
static pthread_t thread;

static void
put_away(struct member *m)
{
    member_close(m);
    member_free(m);
}

/* Wait for the next member of the queue, and take it. NULL at the end. */
static struct member *
dequeue(void)
{
    struct member *m;

    pthread_mutex_lock(&lock);
    while (!queue && !ending)
        pthread_cond_wait(&more, &lock);
    m = queue;
    if (m)
        queue = m->next;
    pthread_mutex_unlock(&lock);
    return m;
}

static void *
work(void *arg)
{
    struct member *m;

    while ((m = dequeue()))
        put_away(m);
    return arg;
}

/*
 * Start the thread. It blocks all signals, which the first thread handles, except
 * SIGBUS, for faults of its own.
 */
static int
start(void)
{
    sigset_t all, before;

    sigfillset(&all);
    sigdelset(&all, SIGBUS);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    running = pthread_create(&thread, NULL, work, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return running;
}

void
retire(struct member *m)
{
    if (member_is_light(m) || (!running && !start())) {
        put_away(m);
        return;
    }
    pthread_mutex_lock(&lock);
    m->next = queue;
    queue = m;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
}

void
retire_wait(void)
{
    if (!running)
        return;
    pthread_mutex_lock(&lock);
    ending = 1;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    running = ending = 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes as many keys of thread-specific data as there can be, and tells their number;
 * then threads that use them, and tells how often their destructors were called. With
 * an argument, the keys are made by C11's call.
 */
/* build: -O2 -g */
/* link: -lpthread */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

enum { MOST = 2000, THREADS = 20 };

static pthread_key_t keys[MOST];
static int calls, wrong;

static void
destructor(void *value)
{
    if (*(int *)value != 42)
        __atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
    free(value);
}

static void *
use_last(void *arg)
{
    int *value = malloc(sizeof(*value));

    *value = 42;
    if (pthread_setspecific(*(pthread_key_t *)arg, value))
        abort();
    return NULL;
}

/* By C11's call, or by that of POSIX; the keys are of one kind. */
static int
make(int c11, pthread_key_t *key)
{
    if (c11)
        return tss_create(key, destructor) != thrd_success;
    return pthread_key_create(key, destructor);
}

int
main(int argc, char **argv)
{
    pthread_t thread[THREADS];
    int n = 0;

    (void)argv;
    while (n < MOST && make(argc > 1, &keys[n]) == 0)
        n++;
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&thread[i], NULL, use_last, &keys[n - 1]))
            return 1;
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    printf("%d keys, %d calls, %d wrong\n", n, calls, wrong);
    return 0;
}

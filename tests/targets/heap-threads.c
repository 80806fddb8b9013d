/* SPDX-License-Identifier: Apache-2.0 */
/*
 *   heap-threads COUNT: two threads allocate COUNT blocks each; each frees the half of
 *   what the other one made, through a ring, and leaves 100 of its own. Thread-specific
 *   data allocate in their destructors, too. Neither waits for the other's every step:
 *   where others load the machine, giving way to them takes long.
 */
/* build: -O2 -g -fno-builtin */
/* link: -lpthread */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "heap-own.h"

enum { RING = 256, BEHIND = RING / 2 };

static void *ring[2][RING];
static pthread_key_t key;
static unsigned long count;

static void
leave(void *p)
{
    free(p);
    free(malloc(77));
    if (!malloc(7))
        abort();
}

static void
put(void **slot, void *p)
{
    while (__atomic_load_n(slot, __ATOMIC_ACQUIRE))
        sched_yield();
    __atomic_store_n(slot, p, __ATOMIC_RELEASE);
}

static void
take(void **slot)
{
    void *p;

    while (!(p = __atomic_exchange_n(slot, NULL, __ATOMIC_ACQ_REL)))
        sched_yield();
    free(p);
}

static void *
work(void *arg)
{
    size_t me = (size_t)arg, given = 0, taken = 0;

    pthread_setspecific(key, malloc(1));
    for (unsigned long i = 0; i < count; i++) {
        void *p = malloc(32 + i % 64);

        if (i < 100)
            continue;
        if (i & 1) {
            put(&ring[me][given++ % RING], p);
            if (given > BEHIND)
                take(&ring[!me][taken++ % RING]);
        } else {
            free(p);
        }
    }
    while (taken < given)
        take(&ring[!me][taken++ % RING]);
    return NULL;
}

int
main(int argc, char **argv)
{
    pthread_t id[2];

    count = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;
    pthread_key_create(&key, leave);
    for (size_t i = 0; i < 2; i++)
        pthread_create(&id[i], NULL, work, (void *)i);
    for (size_t i = 0; i < 2; i++)
        pthread_join(id[i], NULL);
    for (unsigned long i = 0; i < count; i++)
        own.bytes += 2 * (32 + i % 64);
    own.bytes += 2 * (1 + 77 + 7);
    own.allocs = 2 * count + 6;
    own.frees = 2 * (count - 100) + 4;
    own.live = 202;
    own_tell();
    return 0;
}

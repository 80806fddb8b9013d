/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/thread_key.h"

#include <pthread.h>
#include <stdint.h>

#include "collector/preload/thread.h"
#include "collector/sig/gate.h"

enum {
    KEY_ROUNDS = 4, /* PTHREAD_DESTRUCTOR_ITERATIONS: we come in the last */
    AT_HAND = 32,   /* values of further keys need malloc(), in glibc */
};

static pthread_key_t key;
static int key_made;

/*
 * Destructors of keys run in rounds; other keys' destructors are worth sampling. In a
 * forked child nothing of the thread's is left: its timer's number may be another's.
 */
static void
key_destructor(void *round)
{
    uintptr_t n = (uintptr_t)round;

    if (!gate_is_open() || gate_limited)
        return;
    if (n < KEY_ROUNDS)
        pthread_setspecific(key, (void *)(n + 1));
    else
        thread_end();
}

void
thread_key_set(void)
{
    if (key_made)
        pthread_setspecific(key, (void *)1);
}

void
thread_key_set_stopped(void)
{
    if (key < AT_HAND)
        thread_key_set();
}

void
thread_key_start(void)
{
    if (!key_made)
        key_made = pthread_key_create(&key, key_destructor) == 0;
}

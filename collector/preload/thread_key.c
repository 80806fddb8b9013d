/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/thread_key.h"

#include <pthread.h>
#include <stdint.h>

#include "collector/sig/guard.h"
#include "collector/preload/thread.h"
#include "collector/sig/gate.h"

enum {
    KEY_ROUNDS = 4, /* PTHREAD_DESTRUCTOR_ITERATIONS: we act in the last */
    AT_HAND = 32,   /* in glibc, values of keys from this one on need malloc() */
};

static pthread_key_t key;
static int key_made;

/* Set the key's value, unless the key has been given to the target in the meantime. */
static void
set(uintptr_t value)
{
    u64 mask = guard_enter();

    guard_lock(&guard_thread_key);
    if (key_made)
        pthread_setspecific(key, (void *)value);
    guard_unlock(&guard_thread_key);
    guard_leave(mask);
}

/*
 * The destructor of our key. Destructors run in rounds; we end the thread in the last
 * round, so that other destructors are still sampled. Does nothing while the gate is
 * shut, as in a child that is not recorded: the thread's state is gone there, and its
 * timer's id may belong to another timer.
 */
static void
key_destructor(void *round)
{
    uintptr_t n = (uintptr_t)round;

    if (!gate_is_open() || gate_limited)
        return;
    if (n < KEY_ROUNDS)
        set(n + 1);
    else
        thread_end();
}

void
thread_key_set(void)
{
    set(1);
}

void
thread_key_set_stopped(void)
{
    if (key >= AT_HAND || !guard_try(&guard_thread_key))
        return;
    if (key_made)
        pthread_setspecific(key, (void *)1);
    guard_unlock(&guard_thread_key);
}

int
thread_key_delete(void)
{
    u64 mask = guard_enter();
    int had;

    guard_lock(&guard_thread_key);
    had = key_made && pthread_key_delete(key) == 0;
    key_made = 0;
    guard_unlock(&guard_thread_key);
    guard_leave(mask);
    return had;
}

void
thread_key_start(void)
{
    if (!key_made)
        key_made = pthread_key_create(&key, key_destructor) == 0;
}

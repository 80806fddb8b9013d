/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sync/sync_thread.c"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>

static struct rec_thread row;

static struct thread *
make(u32 tid)
{
    struct thread *t = calloc(1, sizeof(*t));

    t->id = tid + 1000;
    t->tid = tid;
    t->row = &row;
    return t;
}

static void
take(struct sync_thread *s, u64 object)
{
    struct sync_held entry = { .object = object, .pc = object * 3,
                               .ticks = object * 5, .kind = SYNC_WRITE };

    sync_hold(s, &entry);
}

static u64
give(struct sync_thread *s, u64 object)
{
    struct sync_held entry;

    sync_release(s, object, &entry);
    return entry.object ? entry.pc : 0;
}

Test(sync_thread, what_is_held_is_given_back_in_any_order)
{
    struct sync_thread *s = sync_thread_of(make(1));

    take(s, 16);
    take(s, 32);
    take(s, 48);
    take(s, 32);
    cr_assert_eq(s->count, 4);
    cr_assert_eq(give(s, 16), 48, "from the middle");
    cr_assert_eq(give(s, 64), 0, "never taken");
    cr_assert_eq(give(s, 32), 96);
    cr_assert_eq(give(s, 32), 96, "taken twice");
    cr_assert_eq(give(s, 48), 144);
    cr_assert_eq(give(s, 48), 0);
    cr_assert_eq(s->count, 0);
}

Test(sync_thread, too_many_are_counted)
{
    struct sync_thread *s = sync_thread_of(make(1));

    for (u64 i = 1; i <= SYNC_HELD + 3; i++)
        take(s, i * 16);
    cr_assert_eq(s->count, SYNC_HELD);
    cr_assert_eq(row.sync_unheld, 3);
    for (u64 i = SYNC_HELD + 3; i > 0; i--)
        cr_assert_eq(give(s, i * 16), i > SYNC_HELD ? 0 : i * 48);
}

static void
take_mutex(struct sync_thread *s, pthread_mutex_t *m, int owner)
{
    struct sync_held entry = { .object = (u64)(uintptr_t)m, .kind = SYNC_MUTEX };

    m->__data.__owner = owner;
    sync_hold(s, &entry);
}

Test(sync_thread, mutexes_of_others_are_forgotten_when_there_are_too_many)
{
    struct sync_thread *s = sync_thread_of(make(7));
    static pthread_mutex_t own, others, again;
    static pthread_mutex_t twice = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

    take_mutex(s, &own, 7);
    take_mutex(s, &twice, 7);
    take_mutex(s, &twice, 7);
    take_mutex(s, &others, 8);
    for (u32 i = 4; i < SYNC_HELD; i++)
        take_mutex(s, &again, 7);
    cr_assert_eq(s->count, SYNC_HELD);
    take_mutex(s, &again, 7);
    cr_assert_eq(s->count, 4, "own, twice, twice, again");
    cr_assert_eq(row.sync_unheld, 0);
    cr_assert_eq(s->held[3].object, (u64)(uintptr_t)&again);
}

Test(sync_thread, threads_are_found_until_they_end)
{
    struct thread *t[300];

    for (u32 i = 0; i < 300; i++) {
        t[i] = make(i * 7 + 1);
        cr_assert(sync_thread_of(t[i]));
    }
    for (u32 i = 0; i < 300; i++)
        cr_assert_eq(sync_thread_by_tid(i * 7 + 1), t[i]->trace[TRACE_sync].own);
    for (u32 i = 0; i < 300; i += 2)
        t[i]->trace[TRACE_sync].ended(t[i]->trace[TRACE_sync].own);
    for (u32 i = 0; i < 300; i++)
        cr_assert_eq(sync_thread_by_tid(i * 7 + 1) != NULL, i % 2);
    cr_assert_null(sync_thread_by_tid(0));
    cr_assert_null(sync_thread_by_tid(99999));
    for (u32 i = 0; i < 150; i++)
        cr_assert(sync_thread_of(make(100000 + i)));
    cr_assert_eq(given, 300, "lists are used again");
}

/* More than there is a table for: some are not found, none is found wrongly. */
Test(sync_thread, many_threads)
{
    u32 found = 0;

    for (u32 i = 1; i <= 20000; i++)
        cr_assert(sync_thread_of(make(i)));
    for (u32 i = 1; i <= 20000; i++) {
        const struct sync_thread *s = sync_thread_by_tid(i);

        cr_assert(!s || s->tid == i);
        found += s != NULL;
    }
    cr_assert_geq(found, SETS * WAYS / 2);
}

static int over;

static void *
churn(void *arg)
{
    struct sync_thread *s = arg;
    u32 random = 1;

    for (u32 i = 0; i < 2000000; i++) {
        random = random * 1664525 + 1013904223;
        if (s->count < 8)
            take(s, (random >> 16 & 7) * 16 + 16);
        else
            give(s, s->held[random >> 16 & 7].object);
    }
    __atomic_store_n(&over, 1, __ATOMIC_RELEASE);
    return NULL;
}

Test(sync_thread, others_read_what_was_whole)
{
    struct sync_thread *s = sync_thread_of(make(1));
    pthread_t id;
    u64 found = 0, wrong = 0;

    cr_assert_eq(pthread_create(&id, NULL, churn, s), 0);
    while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE) || !found) {
        for (u64 object = 16; object <= 128; object += 16) {
            struct sync_held entry;

            if (!sync_thread_find(object, &entry))
                continue;
            found++;
            cr_assert_eq(entry.object, object);
            wrong += entry.pc != object * 3 || entry.ticks != object * 5;
        }
    }
    pthread_join(id, NULL);
    /* One who is held up at the wrong moment finds the object there once more. */
    cr_assert_leq(wrong, found / 100);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "tests/gen/trace.h"

enum {
    SUMS = 4, /* wait, waits, hold, holds */
    BASE = 0x7ffff0001000,
    THREAD_BITS = 64, /* threads beyond are not told apart: use fewer */
};

struct lock {
    u64 waits, contended, failed, wait, longest;
    u64 holds, hold, longest_hold;
    u64 threads; /* bits */
    u64 renewed;
};

struct syncs {
    struct world *world;
    struct lock *lock;
    u64 *self; /* SUMS for each node */
    u64 events;
};

static const char *const classes[SYNC_KIND_COUNT] = {
    [SYNC_MUTEX] = "mutex",           [SYNC_READ] = "read-write lock",
    [SYNC_WRITE] = "read-write lock", [SYNC_SPIN] = "spinlock",
    [SYNC_CONDITION] = "condition",   [SYNC_BARRIER] = "barrier",
    [SYNC_SEMAPHORE] = "semaphore",   [SYNC_JOIN] = "end of a thread",
    [SYNC_ONCE] = "once",             [SYNC_FILE] = "file lock",
    [SYNC_FUTEX] = "futex",
};

static u64
address(u32 lock)
{
    return lock % 10 == 9 ? lock : BASE + 40 * (u64)lock;
}

static u32
kind_of(struct world *w, u32 lock)
{
    static const u32 kinds[10] = {
        SYNC_MUTEX, SYNC_READ, SYNC_SPIN, SYNC_CONDITION, SYNC_BARRIER, SYNC_SEMAPHORE,
        SYNC_JOIN, SYNC_ONCE, SYNC_MUTEX, SYNC_FILE,
    };

    if (kinds[lock % 10] == SYNC_READ && forest_below(&w->forest, 2))
        return SYNC_WRITE;
    return kinds[lock % 10];
}

static u64
max(u64 a, u64 b)
{
    return a > b ? a : b;
}

static void
touch(struct syncs *s, struct lock *lock, u32 thread)
{
    lock->threads |= (u64)1 << thread % THREAD_BITS;
    s->events++;
}

static void
make_wait(struct syncs *s, u32 number)
{
    struct world *w = s->world;
    struct lock *lock = &s->lock[number];
    u32 thread = world_thread(w);
    bool contended = forest_below(&w->forest, 2);
    struct rec_wait r = {
        .took = world_time(w, 1000),
        .kind = kind_of(w, number),
        .error = forest_below(&w->forest, 20) ? 0 : 110,
        .object = address(number),
        .holder = contended ? world_thread(w) : 0,
        .holder_node = contended ? forest_node(&w->forest) : 0,
        .node = forest_node(&w->forest),
    };
    u64 *self = &s->self[r.node * SUMS];

    gen_wait(w->gen, thread, w->mono, &r);
    touch(s, lock, thread);
    lock->waits++;
    lock->contended += contended;
    lock->failed += r.error != 0;
    lock->wait += r.took;
    lock->longest = max(lock->longest, r.took);
    self[0] += r.took;
    self[1]++;
}

static void
make_hold(struct syncs *s, u32 number)
{
    struct world *w = s->world;
    struct lock *lock = &s->lock[number];
    u32 thread = world_thread(w);
    struct rec_hold r = {
        .held = world_time(w, 5000),
        .kind = kind_of(w, number),
        .object = address(number),
        .node = forest_node(&w->forest),
    };
    u64 *self = &s->self[r.node * SUMS];

    gen_hold(w->gen, thread, w->mono, &r);
    touch(s, lock, thread);
    lock->holds++;
    lock->hold += r.held;
    lock->longest_hold = max(lock->longest_hold, r.held);
    self[2] += r.held;
    self[3]++;
}

static void
make_renew(struct syncs *s, u32 number)
{
    struct world *w = s->world;
    struct rec_renew r = { .object = address(number), .kind = kind_of(w, number) };

    gen_renew(w->gen, world_thread(w), w->mono, &r);
    s->lock[number].renewed++;
    s->events++;
}

/* Something that no target does. */
static void
make_hostile(struct world *w)
{
    u64 r = forest_random(&w->forest), size = r >> forest_below(&w->forest, 64);
    u32 thread = world_thread(w);
    struct rec_wait wait = { 0, size & 0xffff, (u32)r, (u32)size, r, (u32)r, (u32)size,
                             (u32)(r >> 7) };
    struct rec_hold hold = { 0, size & 0xffff, (u32)r & 15, size, (u32)r };
    struct rec_order order = { 0, BASE + (r & 15), BASE + (size & 15), (u32)r & 15,
                               (u32)size & 15, (u32)r & 31, (u32)size & 31 };
    struct rec_renew renew = { 0, BASE + (r & 15), (u32)size };

    switch (forest_below(&w->forest, 4)) {
    case 0:
        gen_wait(w->gen, thread, w->mono, &wait);
        break;
    case 1:
        gen_hold(w->gen, thread, w->mono, &hold);
        break;
    case 2:
        gen_order(w->gen, thread, w->mono, &order);
        break;
    default:
        gen_renew(w->gen, thread, w->mono, &renew);
    }
}

/* What two threads do that may one day wait for each other: one cycle of three. */
static void
make_orders(struct syncs *s)
{
    struct world *w = s->world;

    for (u32 i = 0; i < 3 && w->locks > 20; i++) {
        u32 held = 10 * (i % 3), asked = 10 * ((i + 1) % 3);
        struct rec_order r = {
            .held = address(held),
            .object = address(asked),
            .held_kind = SYNC_MUTEX,
            .kind = SYNC_MUTEX,
            .held_node = forest_node(&w->forest),
            .node = forest_node(&w->forest),
        };

        world_step(w);
        gen_order(w->gen, 1 + i % w->threads, w->mono, &r);
        s->events++;
    }
}

static void
tell(const struct syncs *s)
{
    const struct world *w = s->world;
    u64 total[SUMS] = { 0 };

    for (u32 id = 1; id <= w->forest.nodes; id++)
        for (u32 k = 0; k < SUMS; k++)
            total[k] += s->self[id * SUMS + k];
    printf("sync");
    for (u32 k = 0; k < SUMS; k++)
        printf(" %llu", (unsigned long long)total[k]);
    printf(" %llu\n", (unsigned long long)s->events);
    for (u32 i = 0; i < w->locks; i++) {
        const struct lock *l = &s->lock[i];
        u64 values[] = { l->waits, l->contended, l->failed,       l->wait, l->longest,
                         l->holds, l->hold,      l->longest_hold,
                         (u64)__builtin_popcountll(l->threads), l->renewed };

        if (!l->waits && !l->holds)
            continue;
        printf("lock|0x%llx|%s", (unsigned long long)address(i),
               classes[kind_of(s->world, i)]);
        for (u32 k = 0; k < ER_COUNT(values); k++)
            printf("|%llu", (unsigned long long)values[k]);
        printf("\n");
    }
}

void
gen_syncs(struct world *w)
{
    struct syncs s = { .world = w };

    if (!w->syncs)
        return;
    s.lock = forest_must(calloc(w->locks, sizeof(*s.lock)));
    s.self = forest_must(calloc((size_t)(w->forest.nodes + 1) * SUMS, sizeof(*s.self)));
    make_orders(&s);
    while (s.events < w->syncs) {
        u32 number = forest_below(&w->forest, w->locks);

        world_step(w);
        if (w->hostile && forest_below(&w->forest, 4) == 0)
            make_hostile(w);
        if (forest_below(&w->forest, 200) == 0)
            make_renew(&s, number);
        else if (forest_below(&w->forest, 2))
            make_wait(&s, number);
        else
            make_hold(&s, number);
    }
    tell(&s);
    forest_tell(&w->forest, "sync-function", s.self, SUMS);
    free(s.lock);
    free(s.self);
}

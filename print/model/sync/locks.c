/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/sync/locks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/bins.h"
#include "print/model/symbols/stacks.h"
#include "print/model/pass/tracepass.h"

enum wish {
    WISH_WAIT,
    WISH_HOLD,
    WISH_RENEW,
    WISHES,
};

enum field {
    FIELD_TIME,
    FIELD_TOOK,
    FIELD_KIND,
    FIELD_OBJECT,
    FIELD_NODE,
    FIELD_HOLDER_NODE,
    FIELD_HOLDER,
    FIELD_ERROR,
};

static const struct trace_wish wishes[WISHES] = {
    { "wait", { "time", "took", "kind", "object", "node", "holder_node", "holder",
                "error" } },
    { "hold", { "time", "held", "kind", "object", "node" } },
    { "renew", { "time", NULL, "kind", "object" } },
};

/* bin_key.what: these bits; above them, the kind. */
enum {
    WHAT_WISH = 3,
    WHAT_CONTENDED = 4,
    WHAT_FAILED = 8,
    WHAT_KIND_SHIFT = 4,
};

enum {
    PAIRS_MAX = 200000, /* pairs of places that are told apart, over all objects */
};

/* What one worker sums up. */
struct part {
    const struct experiment *experiment;
    struct bins sums;  /* by object, thread and how a wait ended */
    struct bins pairs; /* by object and places: of waits */
};

/* The experiment whose sums are being added to the result. */
struct collecting {
    struct session *session;
    u32 index;
    double rate;
    struct locks *locks;
    u32 from; /* index of the first conflict of the present lock */
    u32 pair; /* index of the next pair to add_part */
};

static const char *const kind_names[SYNC_KIND_COUNT] = {
    [SYNC_MUTEX] = "mutex",         [SYNC_READ] = "read-write lock",
    [SYNC_WRITE] = "read-write lock", [SYNC_SPIN] = "spinlock",
    [SYNC_CONDITION] = "condition", [SYNC_BARRIER] = "barrier",
    [SYNC_SEMAPHORE] = "semaphore", [SYNC_JOIN] = "end of a thread",
    [SYNC_ONCE] = "once",           [SYNC_FILE] = "file lock",
    [SYNC_FUTEX] = "futex",         [SYNC_MONITOR] = "Java monitor",
    [SYNC_NOTIFY] = "Java wait()",
};

const char *
lock_kind_name(u32 kind)
{
    return kind && kind < SYNC_KIND_COUNT ? kind_names[kind] : "unknown";
}

const struct thread_row *
lock_thread(const struct session *session, u32 experiment, u32 kind, u64 addr)
{
    if (kind != SYNC_JOIN || addr > UINT32_MAX)
        return NULL;
    return threads_find(&session->experiment[experiment]->threads, (u32)addr);
}

u32
lock_kind(u64 kind)
{
    if (kind >= SYNC_KIND_COUNT)
        return 0;
    return kind == SYNC_READ ? SYNC_WRITE : (u32)kind;
}

u64
lock_object(const struct experiment *e, u64 kind, u64 object, u64 ticks)
{
    const struct thread_row *thread;

    if (kind != SYNC_JOIN)
        return object;
    ticks <<= e->file[FILE_synctrace].schema->time_shift;
    thread = threads_by_pointer(&e->threads, object, clock_mono(&e->clock, ticks));
    return thread ? thread->id : object;
}

static void
on_row(void *context, const struct trace_row *row)
{
    struct part *part = (struct part *)context + row->worker;
    u32 kind = lock_kind(trace_get(row, FIELD_KIND)) << WHAT_KIND_SHIFT;
    struct bin_key pair = {
        .object = lock_object(part->experiment, trace_get(row, FIELD_KIND),
                              trace_get(row, FIELD_OBJECT), trace_get(row, FIELD_TIME)),
        .node = (u32)trace_get(row, FIELD_NODE),
        .other = (u32)trace_get(row, FIELD_HOLDER_NODE),
        .what = kind,
    };
    struct bin_key key = { .object = pair.object, .what = kind | row->wish };
    u64 took = trace_get(row, FIELD_TOOK), time = trace_get(row, FIELD_TIME);

    struct trace_share share = { took, true };

    if (row->wish != WISH_RENEW && !tracepass_share(row, took, &share))
        return;
    if (row->wish != WISH_RENEW)
        key.thread = row->slot;
    if (pair.other || trace_get(row, FIELD_HOLDER))
        key.what |= WHAT_CONTENDED;
    if (trace_get(row, FIELD_ERROR))
        key.what |= WHAT_FAILED;
    bins_add_part(&part->sums, &key, share.counts, 0, share.took, time);
    if (row->wish == WISH_WAIT)
        bins_add_part(&part->pairs, &pair, share.counts, 0, share.took, time);
}

static void
add_bin(const struct collecting *t, struct lock *lock, const struct bin *bin)
{
    u64 time = clock_scaled(bin->time, t->rate);
    u64 most = clock_scaled(bin->most, t->rate);

    switch (bin->key.what & WHAT_WISH) {
    case WISH_WAIT:
        lock->waits += bin->count;
        lock->contended += bin->key.what & WHAT_CONTENDED ? bin->count : 0;
        lock->failed += bin->key.what & WHAT_FAILED ? bin->count : 0;
        lock->wait += time;
        lock->wait_most = most > lock->wait_most ? most : lock->wait_most;
        break;
    case WISH_HOLD:
        lock->holds += bin->count;
        lock->hold += time;
        lock->hold_most = most > lock->hold_most ? most : lock->hold_most;
        break;
    default:
        lock->renewed += bin->count;
    }
}

static int
add_conflict(struct collecting *t, const struct bin *bin)
{
    struct locks *locks = t->locks;
    struct lock_conflict conflict = {
        .count = bin->count,
        .time = clock_scaled(bin->time, t->rate),
        .most = clock_scaled(bin->most, t->rate),
    };

    bool rest = bin->key.node == BINS_REST;

    if ((!rest && stacks_of(t->session, t->index, bin->key.node, &conflict.node) < 0) ||
        (!rest && bin->key.other &&
         stacks_of(t->session, t->index, bin->key.other, &conflict.holder) < 0) ||
        array_room(&locks->conflict, &locks->conflict_room, locks->conflicts + 1,
                   sizeof(conflict)) < 0)
        return -ENOMEM;
    locks->conflict[locks->conflicts++] = conflict;
    return 0;
}

static int
by_places(const void *a, const void *b)
{
    const struct lock_conflict *x = a, *y = b;

    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return x->holder < y->holder ? -1 : x->holder > y->holder;
}

static int
by_time(const void *a, const void *b)
{
    const struct lock_conflict *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? 1 : -1;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return by_places(a, b);
}

/*
 * Merge the conflicts of the current lock into one for each pair of places: the
 * waiter's and the holder's. Those with the longest total time come first.
 */
static void
merge_conflicts(struct collecting *t, struct lock *lock)
{
    struct lock_conflict *conflict;
    u32 count = t->locks->conflicts - t->from, kept = 0;

    lock->conflict = t->from;
    if (!count)
        return;
    conflict = t->locks->conflict + t->from;
    qsort(conflict, count, sizeof(*conflict), by_places);
    for (u32 i = 1; i < count; i++) {
        if (by_places(&conflict[kept], &conflict[i])) {
            conflict[++kept] = conflict[i];
            continue;
        }
        conflict[kept].count += conflict[i].count;
        conflict[kept].time += conflict[i].time;
        if (conflict[i].most > conflict[kept].most)
            conflict[kept].most = conflict[i].most;
    }
    lock->conflicts = kept + 1;
    t->locks->conflicts = t->from + lock->conflicts;
    qsort(conflict, lock->conflicts, sizeof(*conflict), by_time);
}

static int
compare_u32(const void *a, const void *b)
{
    const u32 *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

/* Count the threads that waited for the lock or held it. 0 or -ENOMEM. */
static int
count_threads(const struct bin *bin, u32 count, u32 *threads)
{
    u32 *slot = malloc(count * sizeof(*slot)), n = 0, different = 0;

    if (!slot)
        return -ENOMEM;
    for (u32 i = 0; i < count; i++)
        if ((bin[i].key.what & WHAT_WISH) != WISH_RENEW)
            slot[n++] = bin[i].key.thread;
    if (n)
        qsort(slot, n, sizeof(*slot), compare_u32);
    for (u32 i = 0; i < n; i++)
        different += !i || slot[i] != slot[i - 1];
    free(slot);
    *threads = different;
    return 0;
}

static bool
same_lock(const struct bin_key *a, const struct bin_key *b)
{
    return a->object == b->object &&
           a->what >> WHAT_KIND_SHIFT == b->what >> WHAT_KIND_SHIFT;
}

/*
 * Add one object. bin: the object's bins; its pairs of waiters and holders come next in
 * `pairs`.
 */
static int
add_lock(struct collecting *t, const struct bin *bin, u32 count,
         const struct bins *pairs)
{
    struct locks *locks = t->locks;
    struct lock lock = {
        .experiment = t->index,
        .kind = bin->key.what >> WHAT_KIND_SHIFT,
        .addr = bin->key.object,
        .first = UINT64_MAX,
    };

    t->from = locks->conflicts;
    for (u32 i = 0; i < count; i++) {
        add_bin(t, &lock, &bin[i]);
        if (bin[i].first < lock.first)
            lock.first = bin[i].first;
    }
    for (; t->pair < pairs->count; t->pair++) {
        const struct bin *pair = &pairs->bin[t->pair];

        if (!same_lock(&pair->key, &bin->key))
            break;
        if (add_conflict(t, pair) < 0)
            return -ENOMEM;
    }
    if (!lock.waits && !lock.holds && !lock.wait && !lock.hold)
        return 0;
    merge_conflicts(t, &lock);
    lock.first = tracescan_since(t->session->experiment[t->index], FILE_synctrace,
                                 lock.first);
    if (count_threads(bin, count, &lock.threads) < 0 ||
        array_room(&locks->lock, &locks->room, locks->count + 1, sizeof(lock)) < 0)
        return -ENOMEM;
    locks->lock[locks->count++] = lock;
    return 0;
}

static int
add_part(struct collecting *t, struct part *part)
{
    struct experiment *e = t->session->experiment[t->index];
    struct bins *sums = &part->sums;

    if (sums->no_memory || part->pairs.no_memory ||
        tracescan_rate(e, FILE_synctrace, &t->rate) < 0)
        return -ENOMEM;
    bins_sort(sums);
    bins_sort(&part->pairs);
    for (u32 i = 0, next; i < sums->count; i = next) {
        for (next = i + 1; next < sums->count; next++)
            if (!same_lock(&sums->bin[i].key, &sums->bin[next].key))
                break;
        if (add_lock(t, &sums->bin[i], next - i, &part->pairs) < 0)
            return -ENOMEM;
    }
    return 0;
}

static void
free_part(struct part *part)
{
    bins_free(&part->sums);
    bins_free(&part->pairs);
}

static int
add_experiment(struct session *session, u32 index, struct locks *locks)
{
    struct collecting t = { .session = session, .index = index, .locks = locks };
    struct part *part = calloc(TRACE_WORKERS, sizeof(*part));
    struct trace_sink sink = { wishes, WISHES, on_row, part };
    int ret = -ENOMEM;

    for (u32 i = 0; i < TRACE_WORKERS && part; i++) {
        part[i].experiment = session->experiment[index];
        part[i].pairs.limit = PAIRS_MAX;
    }
    if (part && experiment_clock(session->experiment[index]) == 0)
        ret = tracepass_run(session, index, FILE_synctrace, &sink);
    for (u32 i = 1; i < TRACE_WORKERS && ret == 0; i++) {
        bins_merge(&part->sums, &part[i].sums);
        bins_merge(&part->pairs, &part[i].pairs);
        free_part(&part[i]);
    }
    if (ret == 0) {
        locks->recorded = true;
        ret = add_part(&t, part);
    }
    for (u32 i = 0; i < TRACE_WORKERS && part; i++)
        free_part(&part[i]);
    free(part);
    if (ret != -ENOENT)
        return ret;
    locks->recorded |= experiment_is_requested(session->experiment[index],
                                               FILE_synctrace);
    return 0;
}

static int
by_wait(const void *a, const void *b)
{
    const struct lock *x = a, *y = b;

    if (x->wait != y->wait)
        return x->wait < y->wait ? 1 : -1;
    if (x->waits != y->waits)
        return x->waits < y->waits ? 1 : -1;
    if (x->hold != y->hold)
        return x->hold < y->hold ? 1 : -1;
    if (x->experiment != y->experiment)
        return x->experiment < y->experiment ? -1 : 1;
    if (x->addr != y->addr)
        return x->addr < y->addr ? -1 : 1;
    return x->kind < y->kind ? -1 : x->kind > y->kind;
}

int
locks_get(struct session *session, struct locks *out)
{
    struct locks locks = { 0 };
    int ret = 0;

    for (u32 i = 0; i < session->nexperiments && ret == 0; i++)
        ret = add_experiment(session, i, &locks);
    if (ret < 0) {
        locks_free(&locks);
        return ret;
    }
    if (locks.count)
        qsort(locks.lock, locks.count, sizeof(*locks.lock), by_wait);
    *out = locks;
    return 0;
}

void
locks_free(struct locks *locks)
{
    free(locks->lock);
    free(locks->conflict);
    memset(locks, 0, sizeof(*locks));
}

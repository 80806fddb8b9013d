/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/omp/omp_loop.h"

#include "collector/sig/join.h"

/*
 * Tags of struct omp_shared: the region's number and the loop's. The first thread that
 * reaches a loop reuses the entry of a loop that is OMP_SHARED loops older, and adds
 * that one to the sums. A thread that is still in the older loop is then not counted
 * there.
 */
static const u64 taken = ~0ull; /* tag of an entry that a thread is replacing */

enum { PATIENCE = 100 }; /* attempts to read an entry that is being replaced */

/* The calling thread's state, if it works in a region. */
static struct omp_state *
working(struct thread **t)
{
    struct omp_state *st;

    *t = trace_is_on() ? trace_thread() : NULL;
    st = *t ? (*t)->omp : NULL;
    return st && st->in_part && st->region && !st->alone ? st : NULL;
}

static u64
word_of(struct thread *t, struct omp_state *st, const void *pc)
{
    u32 at = (u32)((u64)(uintptr_t)pc >> 2) % OMP_PCS;
    struct trace_scope s;

    if (ER_LIKELY(st->pc[at].pc == pc && join_node(st->pc[at].word)))
        return st->pc[at].word;
    if (!trace_enter(&s))
        return 0;
    st->pc[at].pc = pc;
    st->pc[at].word = join_word(trace_services->place(t->walk, (u64)(uintptr_t)pc));
    trace_leave(&s);
    return st->pc[at].word;
}

static u64
tag_of(const struct omp_region *r, u32 number)
{
    return (u64)r->number << 32 | number;
}

static void
sum_up(struct omp_shared *s, struct thread *t, u64 now)
{
    struct omp_loop_sums *sums = omp_loop_sums_of(t, s->word, now);

    if (!sums || !s->parts)
        return;
    sums->schedule = s->schedule;
    sums->elapsed += trace_between(s->first, s->last);
    sums->lost += trace_between(s->busy, s->most * s->parts);
    sums->save += trace_between(s->busy / s->parts, s->most);
}

void
omp_loop_sum_up(struct omp_region *r, struct thread *t, u64 now)
{
    for (u32 i = 0; i < OMP_SHARED; i++) {
        struct omp_shared *s = &r->shared[i];

        if (s->tag != taken && s->tag >> 32 == r->number)
            sum_up(s, t, now);
        s->tag = 0;
    }
}

/*
 * Find the entry of the thread's loop, or make it, as the first thread that reaches the
 * loop does. NULL = there is none.
 */
static struct omp_shared *
shared_of(struct thread *t, struct omp_state *st, u64 since)
{
    const struct omp_loop *l = &st->loop;
    struct omp_region *r = st->region;
    u64 mine = tag_of(r, l->number), old;
    struct omp_shared *s;

    if (!r->shared)
        return NULL;
    s = &r->shared[l->number % OMP_SHARED];
    old = __atomic_load_n(&s->tag, __ATOMIC_ACQUIRE);
    if (ER_LIKELY(old == mine))
        return s->word == l->word ? s : NULL;
    if (old == taken || (old >> 32 == r->number && old > mine) ||
        !__atomic_compare_exchange_n(&s->tag, &old, taken, 0, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED))
        return NULL;
    if (old && old >> 32 == r->number)
        sum_up(s, t, since);
    *s = (struct omp_shared){ .tag = taken, .word = l->word, .first = since,
                              .schedule = l->schedule };
    __atomic_store_n(&r->has_loop, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&s->tag, mine, __ATOMIC_RELEASE);
    return s;
}

static void
begin(struct thread *t, struct omp_state *st, u64 word, u32 schedule, u64 since)
{
    struct omp_loop *l = &st->loop;

    l->word = word;
    l->since = word ? since : 0;
    l->schedule = schedule;
    l->iterations = l->chunks = 0;
    l->number++;
    if (word)
        shared_of(t, st, since);
}

/*
 * Add this thread's share to the entry of the loop, which all threads have in common.
 */
static void
share(struct thread *t, struct omp_state *st, u64 own, u64 now)
{
    const struct omp_loop *l = &st->loop;
    struct omp_loop_sums *sums;
    struct omp_shared *s = NULL;

    for (u32 i = 0; i < PATIENCE && !s; i++) {
        s = shared_of(t, st, l->since);
        if (!s)
            __builtin_ia32_pause();
        if (!s && st->region->shared &&
            __atomic_load_n(&st->region->shared[l->number % OMP_SHARED].tag,
                            __ATOMIC_ACQUIRE) != taken)
            break;
    }
    if (!s)
        return;
    sums = omp_loop_sums_of(t, l->word, now);
    if (__atomic_fetch_add(&s->parts, 1, __ATOMIC_RELAXED) == 0 && sums)
        sums->count++;
    __atomic_fetch_add(&s->busy, own, __ATOMIC_RELAXED);
    omp_put_most(&s->most, own);
    omp_put_most(&s->last, now);
}

static void
end(struct thread *t, struct omp_state *st, u64 now)
{
    struct omp_loop *l = &st->loop;
    u64 inner = trace_between(l->inner, st->inner);
    u64 own = trace_between(inner, trace_between(l->since, now));
    struct omp_loop_sums *sums = omp_loop_sums_of(t, l->word, now);

    if (sums) {
        sums->schedule = l->schedule;
        sums->parts++;
        sums->iterations += l->iterations;
        sums->chunks += l->chunks;
        sums->work += own;
        share(t, st, own, now);
    }
    l->since = 0;
    l->behind = l->word;
}

void
omp_loop_begin(const void *pc, enum er_omp_schedule schedule, int64_t step)
{
    struct thread *t;
    struct omp_state *st = working(&t);

    if (!st)
        return;
    st->loop.step = step;
    st->loop.inner = st->inner;
    begin(t, st, word_of(t, st, pc), schedule, trace_before());
}

/*
 * If the region consists of one loop, and the thread has begun no loop, begin that loop
 * as of the beginning of the thread's part. 1 if the loop is open now.
 */
static int
begin_combined(struct thread *t, struct omp_state *st, const void *pc)
{
    const struct omp_region *r = st->region;

    if (!r->schedule || st->loop.number)
        return 0;
    st->loop.step = r->step;
    st->loop.inner = 0;
    begin(t, st, word_of(t, st, pc), r->schedule, st->loop.phase);
    return st->loop.since != 0;
}

void
omp_loop_piece(const void *pc, u64 first, u64 end)
{
    struct thread *t;
    struct omp_state *st = working(&t);
    int64_t step, span = (int64_t)(end - first);

    if (!st || (!st->loop.since && !begin_combined(t, st, pc)))
        return;
    step = st->loop.step;
    st->loop.chunks++;
    if (step == 1 || step == -1)
        st->loop.iterations += (u64)(span * step);
    else if (step)
        st->loop.iterations += (u64)((span + step + (step > 0 ? -1 : 1)) / step);
}

void
omp_loop_pieces(u64 iterations, u64 pieces)
{
    struct thread *t;
    struct omp_state *st = working(&t);

    if (!st || !st->loop.since)
        return;
    st->loop.iterations += iterations;
    st->loop.chunks += pieces;
}

void
omp_loop_end(void)
{
    struct thread *t;
    struct omp_state *st = working(&t);

    if (st && st->loop.since)
        end(t, st, trace_before());
}

/*
 * The thread reaches a barrier. Its work since the last barrier, outside of loops that
 * we have seen, counts as a loop of its own.
 */
void
omp_loop_barrier(struct thread *t, const void *pc, int is_loops)
{
    struct omp_state *st = t->omp;

    if (!st->in_part || !st->region || st->alone || (is_loops && st->loop.behind))
        return;
    st->loop.inner = st->loop.phase_inner;
    begin(t, st, word_of(t, st, pc), OMP_BARRIER, st->loop.phase);
    if (st->loop.since)
        end(t, st, trace_before());
}

void
omp_loop_waited(struct thread *t, u64 own, u64 now)
{
    struct omp_loop *l = &t->omp->loop;
    struct omp_loop_sums *sums = l->behind ? omp_loop_sums_of(t, l->behind, now) : NULL;

    if (sums) {
        sums->schedule = l->schedule;
        sums->wait += own;
    }
    l->behind = 0;
    l->phase = now;
    l->phase_inner = t->omp->inner;
}

void
omp_loop_alone(int change)
{
    struct thread *t = trace_is_on() ? trace_thread() : NULL;

    if (t && t->omp && (change > 0 || t->omp->alone))
        t->omp->alone += (u32)change;
}

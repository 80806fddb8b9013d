/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/omp/omp_body.h"

#include "collector/omp/omp_loop.h"
#include "collector/sig/gate.h"
#include "collector/sig/join.h"

enum {
    THREADS = 256,
};

/*
 * When regions ended, by thread id and nesting level. If two threads share an entry,
 * their waits seem to end early.
 */
static ER_LARGE struct omp_end ends[THREADS][OMP_LEVELS];

static const struct walk_after working;

static u32 is_wanted; /* 1 = recording has begun, without -X omp */

static void
log_tool(const char *why)
{
    static u32 told;
    u32 pid = *trace_services->pid;

    if (__atomic_exchange_n(&told, pid, __ATOMIC_RELAXED) != pid)
        trace_services->event(EVENT_omp_tool, why, NULL, NULL, 0);
}

void
omp_started(const struct services *services, const struct er_params *params)
{
    if (params->no_omp)
        return;
    omp_real_begin();
    __atomic_store_n(&trace_services, services, __ATOMIC_RELEASE);
    __atomic_store_n(&is_wanted, 1, __ATOMIC_RELEASE);
    if (omp_other_tool())
        log_tool(omp_other_tool());
}

/* The calling thread, if it is recorded. */
static inline struct thread *
recorded(void)
{
    struct thread *t = ER_LIKELY(is_wanted && gate_is_open()) ? thread_self : NULL;

    if (ER_UNLIKELY(t && omp_other_tool() != NULL)) {
        log_tool(omp_other_tool());
        return NULL;
    }
    return t;
}

u64
omp_caller(const struct walk_start *start)
{
    struct trace_scope s;
    u64 word;

    if (!recorded() || !trace_enter(&s))
        return 0;
    word = join_word(trace_walk(&s, start));
    trace_leave(&s);
    return word;
}

/*
 * The creator enters its region. What it did before stops: until the region ends, the
 * creator's time belongs to the region.
 */
static void
enter_region(struct omp_region *r, struct omp_state *st)
{
    struct omp_sums *sums;

    r->begin = trace_before();
    if (!st)
        return;
    omp_settle(r->creator, st);
    r->outer_inner = omp_scope_begin(st);
    r->outer_word = st->word;
    r->outer_busy = st->busy;
    r->outer = st->region;
    r->outer_part = st->in_part;
    if (r->outer_word)
        r->outer_loop = st->loop;
    r->number = ++st->regions;
    sums = omp_sums_of(r->creator, r->word, r->begin);
    if (sums)
        sums->count++;
    if (sums && !r->outer_word && st->ended)
        sums->serial += trace_between(st->ended, r->begin);
}

/*
 * Set some members of a region. They are set one by one, which is quicker than clearing
 * the whole struct; the others are set when the region begins.
 */
static void
reset_region(struct omp_region *r, omp_body body, void *data)
{
    r->first = data ? *(void **)data : NULL;
    r->body = body;
    r->data = data;
    r->parts = r->busy = r->most = 0;
    r->own_parts = r->own_busy = 0;
    r->shared = NULL;
    r->number = r->has_loop = 0;
    r->schedule = 0;
    r->step = 0;
    r->ended = r->cpu = 0;
    r->outer_inner = r->outer_word = r->outer_busy = 0;
    r->outer = NULL;
    r->outer_part = 0;
}

int
omp_region_begin(struct omp_region *r, omp_body body, void *data,
                 const struct walk_start *start)
{
    u32 level;

    r->word = omp_caller(start);
    if (!r->word)
        return 0;
    reset_region(r, body, data);
    r->creator = trace_thread();
    level = r->creator->omp_level++;
    r->end = &ends[r->creator->id % THREADS][level % OMP_LEVELS];
    r->at = r->end->count;
    enter_region(r, omp_state_of(r->creator));
    if (r->creator->omp && level < OMP_LEVELS)
        r->shared = r->creator->omp->shared[level];
    return 1;
}

static void
leave_region(struct omp_region *r, struct thread *t, struct omp_state *st, u64 now)
{
    u64 waited = omp_scope_end(st, 0, r->ended, now);
    u64 parts = r->parts + r->own_parts, busy = r->busy + r->own_busy;
    u64 most = r->most > r->own_busy ? r->most : r->own_busy;
    struct omp_sums *sums;

    st->inner = r->outer_inner + trace_between(r->begin, now);
    st->word = r->outer_word;
    st->busy = r->outer_busy;
    st->region = r->outer;
    st->in_part = r->outer_part;
    if (r->outer_word)
        st->loop = r->outer_loop;
    else
        st->ended = now;
    if (r->has_loop)
        omp_loop_sum_up(r, t, now);
    sums = omp_sums_of(t, r->word, now);
    if (!sums)
        return;
    sums->wait_end += waited;
    sums->asleep += omp_asleep(r->ended, now, r->cpu, waited);
    sums->threads += parts;
    sums->elapsed += trace_between(r->begin, now);
    sums->lost += trace_between(busy, most * parts);
    if (parts)
        sums->save += trace_between(busy / parts, most);
}

/*
 * Called by the thread that began the region. If it has forked within the region, this
 * may be the child, where the thread is another one: then nothing is recorded.
 */
void
omp_region_end(struct omp_region *r)
{
    struct thread *t = recorded();
    u64 now;

    if (!t || t != r->creator || !join_node(r->word))
        return;
    now = trace_before();
    __atomic_store_n(&r->end->tick[(r->at + 1) % OMP_ENDS], now, __ATOMIC_RELAXED);
    __atomic_store_n(&r->end->count, r->at + 1, __ATOMIC_RELEASE);
    if (t->omp_level)
        t->omp_level--;
    if (t->omp && r->ended)
        leave_region(r, t, t->omp, now);
}

/* A thread's part begins. Returns the time. */
static u64
part_begin(struct omp_region *r, struct thread *t, struct omp_state *st)
{
    u64 now = trace_before();
    struct omp_sums *sums;

    if (t != r->creator)
        omp_settle(t, st);
    sums = omp_sums_of(t, r->word, now);
    if (sums)
        sums->ovhd += trace_between(r->begin, now);
    st->word = r->word;
    st->busy = 0;
    st->region = r;
    st->in_part = 1;
    st->inner = 0;
    st->alone = 0;
    st->loop = (struct omp_loop){ .phase = now };
    return now;
}

static void
part_end(struct omp_region *r, struct thread *t, struct omp_state *st, u64 since)
{
    u64 now = trace_before(), own = omp_scope_end(st, 0, since, now);
    struct omp_sums *sums = omp_sums_of(t, r->word, now);

    if (sums) {
        sums->parts++;
        sums->work += own;
    }
    st->busy += own;
    st->in_part = 0;
    st->inner = 0;
    if (t == r->creator) {
        r->own_parts++;
        r->own_busy += st->busy;
        r->ended = now;
        r->cpu = omp_cpu();
        return;
    }
    __atomic_fetch_add(&r->parts, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&r->busy, st->busy, __ATOMIC_RELAXED);
    omp_put_most(&r->most, st->busy);
    st->pending = (struct omp_pending){ 0, r->word, r->end, r->at, omp_cpu() };
    __atomic_store_n(&st->pending.since, now, __ATOMIC_RELEASE);
}

void
omp_region_part_begin(struct omp_region *r)
{
    struct thread *t = recorded();
    struct omp_state *st = t && join_node(r->word) ? omp_state_of(t) : NULL;

    r->ended = st ? part_begin(r, t, st) : trace_before();
}

void
omp_region_part_end(struct omp_region *r)
{
    struct thread *t = recorded();

    if (t && t->omp && t->omp->region == r)
        part_end(r, t, t->omp, r->ended);
}

/* Run a thread's part of the region, and add its time to the thread's account. */
static void
run_part(struct omp_region *r, struct thread *t, omp_body function, void *arg)
{
    struct omp_state *st = t ? omp_state_of(t) : NULL;
    u64 since;

    if (!st) {
        join_call(function, arg, r->word);
        return;
    }
    since = part_begin(r, t, st);
    join_call(function, arg, r->word);
    t = recorded();
    if (t && t->omp && t->omp->region == r)
        part_end(r, t, t->omp, since);
}

void
omp_region_run(struct omp_region *r, omp_body function, void *arg)
{
    struct walk_after before = working, after = { r->word, &r->end->count, r->at };
    struct thread *t = recorded();

    if (t) {
        walk_get_after(t->walk, &before);
        walk_set_after(t->walk, &working);
    }
    run_part(r, t, function, arg);
    t = recorded();
    if (t)
        walk_set_after(t->walk, t == r->creator ? &before : &after);
}

void
omp_region_body(void *region)
{
    struct omp_region *r = region;

    omp_region_run(r, r->body, r->data);
}

void
omp_team_body(void *team)
{
    const struct omp_team *r = team;

    join_call(r->body, r->data, r->word);
}

/*
 * Add the time that a thread has worked on a task, in its part of a region or while it
 * waited for the region's end.
 */
static void
count_task(struct thread *t, u64 word, u64 own, u64 now)
{
    struct omp_task_sums *task = omp_task_sums_of(t, word, now);
    struct omp_state *st = t->omp;
    struct omp_sums *sums;

    if (task) {
        task->executed++;
        task->work += own;
        if (own > task->longest)
            task->longest = own;
    }
    sums = st->word ? omp_sums_of(t, st->word, now) : NULL;
    if (sums)
        sums->work += own;
    st->busy += own;
    if (!sums || st->in_part || !st->region)
        return;
    __atomic_fetch_add(&st->region->busy, own, __ATOMIC_RELAXED);
    omp_put_most(&st->region->most, st->busy);
}

static void
run_task(omp_body body, void *data, u64 word, struct thread *t)
{
    struct omp_state *st = t ? omp_state_of(t) : NULL;
    u64 outer, since, now;

    if (!st) {
        join_call(body, data, word);
        return;
    }
    since = trace_before();
    outer = omp_scope_begin(st);
    join_call(body, data, word);
    t = recorded();
    if (!t || t->omp != st)
        return;
    now = trace_before();
    count_task(t, word, omp_scope_end(st, outer, since, now), now);
}

void
omp_task_run(omp_body body, void *data, u64 word)
{
    struct walk_after before = working;
    struct thread *t = recorded();

    if (t) {
        walk_get_after(t->walk, &before);
        walk_set_after(t->walk, &working);
    }
    run_task(body, data, word, t);
    t = recorded();
    if (t)
        walk_set_after(t->walk, &before);
}

void
omp_create_begin(struct omp_creating *c)
{
    c->t = recorded();
    if (!c->t || !omp_state_of(c->t))
        return;
    c->since = trace_before();
    c->outer = omp_scope_begin(c->t->omp);
}

void
omp_create_end(const struct omp_creating *c, u64 word, int waits)
{
    struct omp_state *st = c->t && recorded() == c->t ? c->t->omp : NULL;
    struct omp_task_sums *task;
    struct omp_sums *sums;
    u64 now, own;

    if (!st || !join_node(word))
        return;
    now = trace_before();
    own = omp_scope_end(st, c->outer, c->since, now);
    task = omp_task_sums_of(c->t, word, now);
    if (task) {
        task->created++;
        task->creating += waits ? 0 : own;
    }
    sums = st->word ? omp_sums_of(c->t, st->word, now) : NULL;
    if (sums && waits)
        sums->wait_task += own;
    else if (sums)
        sums->ovhd += own;
}

void
omp_task_here_begin(struct omp_creating *c)
{
    omp_create_begin(c);
}

void
omp_task_here_end(const struct omp_creating *c, u64 word)
{
    struct omp_state *st = c->t && recorded() == c->t ? c->t->omp : NULL;
    struct omp_task_sums *task;
    u64 now;

    if (!st || !join_node(word))
        return;
    now = trace_before();
    task = omp_task_sums_of(c->t, word, now);
    if (task)
        task->created++;
    count_task(c->t, word, omp_scope_end(st, c->outer, c->since, now), now);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/omp/omp_body.h"

#include "collector/sig/join.h"

enum {
    LEVELS = 4, /* of nested regions that a thread begins, with counts of their own */
    THREADS = 1024,
};

/* By thread and level. Another thread may share one: its waits then seem to end. */
static ER_LARGE u32 counts[THREADS][LEVELS];

static const struct walk_after working;

void
omp_started(const struct services *services, const struct er_params *params)
{
    if (!params->no_omp)
        __atomic_store_n(&trace_services, services, __ATOMIC_RELEASE);
}

/* The thread, if it is recorded. */
static struct thread *
recorded(void)
{
    return trace_is_on() ? trace_thread() : NULL;
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

int
omp_region_begin(struct omp_region *r, omp_body body, void *data,
                 const struct walk_start *start)
{
    u32 level;

    r->word = omp_caller(start);
    if (!r->word)
        return 0;
    r->creator = trace_thread();
    r->body = body;
    r->data = data;
    r->first = data ? *(void **)data : NULL;
    level = r->creator->omp_level++;
    r->count = &counts[r->creator->id % THREADS][level % LEVELS];
    r->at = *r->count;
    return 1;
}

/* In a child that the region's own thread has forked within it, the level is 0. */
void
omp_region_end(struct omp_region *r)
{
    struct thread *t = recorded();

    __atomic_store_n(r->count, r->at + 1, __ATOMIC_RELAXED);
    if (t && t == r->creator && t->omp_level)
        t->omp_level--;
}

void
omp_region_body(void *region)
{
    const struct omp_region *r = region;
    struct walk_after before = working, after = { r->word, r->count, r->at };
    struct thread *t = recorded();

    if (t) {
        walk_get_after(t->walk, &before);
        walk_set_after(t->walk, &working);
    }
    join_call(r->body, r->data, r->word);
    t = recorded();
    if (t)
        walk_set_after(t->walk, t == r->creator ? &before : &after);
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
    join_call(body, data, word);
    t = recorded();
    if (t)
        walk_set_after(t->walk, &before);
}

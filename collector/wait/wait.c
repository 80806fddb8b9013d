/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/wait/wait.h"

enum {
    STACK = 8 << 20, /* assume that addresses further apart are on different stacks */
};

/*
 * Was the call whose hook has this frame left by a jump or an unwinder? Assume so if a
 * hook that is called later has its frame at a higher address of the same stack.
 */
static int
is_dead(u64 frame, u64 here)
{
    return here >= frame && here - frame < STACK;
}

static void
set_row(const struct thread *t, u64 since, u32 state, u32 node)
{
    struct rec_thread *row = t->row;

    if (!row)
        return;
    row->wait_state = state;
    row->wait_node = node;
    __atomic_store_n(&row->wait_since, since, __ATOMIC_RELEASE);
}

static void
save_outer(struct wait_scope *s, const struct wall *w)
{
    const struct rec_thread *row = s->t->row;

    s->outer_since = w->since;
    s->outer_frame = w->frame;
    s->outer_state = row ? row->wait_state : 0;
    s->outer_node = row ? row->wait_node : 0;
    if (s->outer_since && is_dead(s->outer_frame, (u64)(uintptr_t)s))
        s->outer_since = 0;
}

/* Walk the caller's stack, and add the function that waits as its leaf. */
static u32
walk_to_leaf(struct trace_scope *scope, struct wait_scope *s)
{
    u32 node = trace_walk(scope, &s->start);

    return node && s->leaf
               ? trace_services->child(scope->t->walk, node, s->leaf)
               : node;
}

void
wait_enter(struct wait_scope *s, u32 state, u32 has_start)
{
    const struct ctl *ctl = *trace_services->ctl;
    struct trace_scope scope = { .t = trace_thread() };
    struct wall *w;

    if (!scope.t || scope.t->alone ||
        __atomic_load_n(&ctl->flags, __ATOMIC_RELAXED) & CTL_SILENT)
        return;
    s->t = scope.t;
    s->state = state;
    s->node = has_start ? walk_to_leaf(&scope, s) : 0;
    w = &s->t->wall;
    save_outer(s, w);
    s->inside = w->inside;
    s->since = trace_before();
    w->frame = (u64)(uintptr_t)s;
    w->since = s->since;
    set_row(s->t, s->since, state, s->node);
}

/*
 * Records nothing in two cases. A handler of the target has forked during the call, and
 * this is the child, whose account is new. Or the call is no longer the last one that
 * began, since the thread has jumped out of a later one.
 */
int
wait_leave(struct wait_scope *s)
{
    u64 now = trace_after(), took;
    struct wall *w = &s->t->wall;

    if (!wait_is_on() || trace_thread() != s->t || w->since != s->since)
        return 0;
    took = trace_between(s->since, now);
    s->took = trace_between(w->inside - s->inside, took);
    w->inside = s->inside + took;
    w->frame = s->outer_frame;
    w->since = s->outer_since;
    set_row(s->t, s->outer_since, s->outer_state, s->outer_node);
    if (s->took + w->brief[s->state] >= trace_services->wall_threshold())
        return 1;
    trace_count(&w->brief[s->state], s->took);
    return 0;
}

void
wait_record(struct wait_scope *s)
{
    struct trace_scope scope = { .t = s->t };

    if (!s->node)
        s->node = walk_to_leaf(&scope, s);
    trace_services->wall_over(s->t, s->state, s->took, s->node);
}

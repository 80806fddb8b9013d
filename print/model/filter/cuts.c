/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/filter/cuts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/lookup/regionlanes.h"

/* The function scale * TSTAMP + offset. */
struct line {
    int64_t scale;
    int64_t offset;
};

int
cuts_add(struct cuts *cuts, u64 at)
{
    if (array_room(&cuts->at, &cuts->room, cuts->count + 1, sizeof(at)) < 0)
        return -ENOMEM;
    cuts->at[cuts->count++] = at;
    return 0;
}

/*
 * Get the value of a node as a linear function of the time. False: it is not linear, or
 * overflows.
 */
static bool
line_of(const struct bound_filter *f, u32 at, struct line *out)
{
    const struct bound_node *node = &f->node[at];
    struct line a, b;
    bool overflow = false;

    if (node->kind == BOUND_TIME || node->kind == BOUND_CONST) {
        out->scale = node->kind == BOUND_TIME;
        out->offset = node->kind == BOUND_TIME ? 0 : node->value;
        return true;
    }
    if (node->kind != BOUND_OP ||
        (node->op != OP_ADD && node->op != OP_SUB && node->op != OP_MUL) ||
        !line_of(f, node->a, &a) || !line_of(f, node->b, &b))
        return false;
    if (node->op == OP_MUL) {
        if (a.scale && b.scale)
            return false;
        overflow |= __builtin_mul_overflow(a.scale ? a.scale : b.scale,
                                           a.scale ? b.offset : a.offset, &out->scale);
        overflow |= __builtin_mul_overflow(a.offset, b.offset, &out->offset);
    } else if (node->op == OP_ADD) {
        overflow |= __builtin_add_overflow(a.scale, b.scale, &out->scale);
        overflow |= __builtin_add_overflow(a.offset, b.offset, &out->offset);
    } else {
        overflow |= __builtin_sub_overflow(a.scale, b.scale, &out->scale);
        overflow |= __builtin_sub_overflow(a.offset, b.offset, &out->offset);
    }
    return !overflow;
}

/*
 * Add a cut `ns` nanoseconds after the start of the run; none outside the run's times.
 */
static int
add_since(struct cuts *cuts, const struct bound_filter *f, __int128 ns)
{
    const struct experiment *e = f->experiment;

    if (ns <= 0 || ns > INT64_MAX / 2)
        return 0;
    return cuts_add(cuts,
                    clock_first(&e->clock, e->origin_mono + (u64)ns, f->time_shift));
}

/* Add a cut at each time at which a linear value reaches a multiple of `step`. */
static int
add_steps(struct cuts *cuts, const struct bound_filter *f, const struct line *line,
          int64_t step)
{
    const struct experiment *e = f->experiment;
    __int128 end = (__int128)experiment_since(e, e->end_mono) * line->scale, value;
    int ret = 0;

    if (line->scale <= 0 || step <= 0 || end / step > CUTS_MAX)
        return 0;
    value = line->offset - line->offset % step;
    for (; value <= end + line->offset && ret == 0; value += step) {
        __int128 ns = value - line->offset + line->scale - 1;

        ret = add_since(cuts, f, ns / line->scale);
    }
    return ret;
}

/*
 * Add cuts where the result of comparing two lines changes: at their crossing, and 1 ns
 * after it.
 */
static int
add_crossing(struct cuts *cuts, const struct bound_filter *f, const struct line *a,
             const struct line *b)
{
    __int128 scale = (__int128)a->scale - b->scale;
    __int128 offset = (__int128)b->offset - a->offset;
    int ret;

    if (!scale)
        return 0;
    ret = add_since(cuts, f, offset / scale);
    return ret < 0 ? ret : add_since(cuts, f, offset / scale + 1);
}

static int
add_operation(struct cuts *cuts, const struct bound_filter *f,
              const struct bound_node *node)
{
    struct line a, b;

    if (node->op < OP_MUL || node->op > OP_NE || !line_of(f, node->a, &a) ||
        !line_of(f, node->b, &b) || (!a.scale && !b.scale))
        return 0;
    if (node->op >= OP_LT)
        return add_crossing(cuts, f, &a, &b);
    if (b.scale)
        return 0;
    if (node->op == OP_DIV || node->op == OP_MOD)
        return add_steps(cuts, f, &a, b.offset);
    if (node->op == OP_SHR && b.offset >= 0 && b.offset < 63)
        return add_steps(cuts, f, &a, (int64_t)1 << b.offset);
    return 0;
}

int
cuts_add_bound(struct cuts *cuts, const struct bound_filter *bound)
{
    int ret = 0;

    for (u32 i = 0; bound && i < bound->count && ret == 0; i++) {
        const struct bound_node *node = &bound->node[i];

        if (node->kind == BOUND_BEFORE)
            ret = cuts_add(cuts, (u64)node->value);
        else if (node->kind == BOUND_OP)
            ret = add_operation(cuts, bound, node);
    }
    for (u32 i = 0; bound && i < bound->samples && ret == 0; i++)
        ret = cuts_add(cuts, bound->sample[i]);
    return ret;
}

static int
compare(const void *a, const void *b)
{
    const u64 *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

void
cuts_seal(struct cuts *cuts)
{
    u32 kept = 0;

    if (cuts->count)
        qsort(cuts->at, cuts->count, sizeof(*cuts->at), compare);
    for (u32 i = 0; i < cuts->count; i++)
        if (!kept || cuts->at[kept - 1] != cuts->at[i])
            cuts->at[kept++] = cuts->at[i];
    cuts->count = kept;
}

void
cuts_free(struct cuts *cuts)
{
    free(cuts->at);
    memset(cuts, 0, sizeof(*cuts));
}

static void
put(struct slicer *s, const struct piece *piece)
{
    if (array_room(&s->piece, &s->room, s->count + 1, sizeof(*piece)) < 0)
        s->no_memory = true;
    else
        s->piece[s->count++] = *piece;
}

/* The record time of the first cut after `at`; UINT64_MAX = there is none. */
static u64
next_cut(const struct slicer *s, u64 at)
{
    u32 next = array_above(s->cuts->at, s->cuts->count, at);
    u64 cut = next < s->cuts->count ? s->cuts->at[next] : UINT64_MAX, region;

    if (!s->regions)
        return cut;
    region = regionlanes_after(s->regions,
                               at << s->shift | (((u64)1 << s->shift) - 1));
    if (region != UINT64_MAX && region >> s->shift < cut)
        cut = region >> s->shift;
    return cut;
}

/*
 * Add the pieces of the time between `from` and `to`. before: how much of the event's
 * duration, which is `whole`, had passed earlier. ends: the event ends at `to`; if `to`
 * is a cut, the end becomes a piece of its own.
 */
static void
put_span(struct slicer *s, u64 from, u64 to, u64 before, u64 whole, bool ends)
{
    u64 at = from;

    for (u64 cut = next_cut(s, at); cut <= to; cut = next_cut(s, at)) {
        struct piece piece = { at, before, before + (cut - at), whole, false };

        put(s, &piece);
        before = piece.after;
        at = cut;
    }
    if (ends || at < to) {
        struct piece piece = { ends ? to : at, before, before + (to - at), whole,
                               ends };

        put(s, &piece);
    }
}

void
cuts_slice(struct slicer *s, u64 time, u64 took)
{
    took = took < time ? took : time;
    s->count = 0;
    put_span(s, time - took, time, 0, took, true);
}

/* Extend the lane to `time`: the time since lane->until becomes a gap. */
static void
lane_reach(struct thread_lane *lane, u64 time, struct slicer *s)
{
    struct gap gap = { lane->until, time };

    if (gap.from >= time)
        return;
    lane->until = time;
    if (array_room(&lane->gap, &lane->room, lane->count + 1, sizeof(gap)) < 0)
        s->no_memory = true;
    else
        lane->gap[lane->count++] = gap;
}

void
cuts_slice_lane(struct slicer *s, struct thread_lane *lane, u64 time, u64 took)
{
    u64 left = took;
    bool ends = true;

    s->count = 0;
    lane_reach(lane, time, s);
    while (left && lane->count) {
        struct gap *gap = &lane->gap[lane->count - 1];
        u64 part = gap->to - gap->from;

        part = part < left ? part : left;
        left -= part;
        put_span(s, gap->to - part, gap->to, left, took, ends && gap->to == time);
        ends &= gap->to != time;
        gap->to -= part;
        if (gap->to == gap->from)
            lane->count--;
    }
    if (ends) {
        struct piece end = { time, 0, 0, took, true };

        put(s, &end);
    }
}

void
cuts_free_slicer(struct slicer *s)
{
    free(s->piece);
    memset(s, 0, sizeof(*s));
}

int
cuts_open_lanes(struct thread_lanes *lanes, const struct experiment *e, u32 shift)
{
    lanes->lane = calloc((size_t)e->threads.count + 1, sizeof(*lanes->lane));
    if (!lanes->lane)
        return -ENOMEM;
    lanes->count = e->threads.count + 1;
    for (u32 i = 0; i < lanes->count; i++) {
        u64 birth = i ? e->threads.row[i - 1].birth : 0;

        lanes->lane[i].until =
            clock_first(&e->clock, birth ? birth : e->start_mono, shift);
    }
    return 0;
}

void
cuts_close_lanes(struct thread_lanes *lanes)
{
    for (u32 i = 0; i < lanes->count; i++)
        free(lanes->lane[i].gap);
    free(lanes->lane);
    memset(lanes, 0, sizeof(*lanes));
}

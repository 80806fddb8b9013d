/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/clockfit.h"

#include <math.h>
#include <string.h>

/*
 * A line through the bounds has a slope and an offset. For a given slope, the bounds
 * allow an interval of offsets. The width of this interval is a concave function of the
 * slope, so the slope with the widest interval, and the slopes where the interval
 * becomes empty, are found by narrowing down.
 */

#define SLOPE_MAX 1e-3 /* no clock is worse */

/*
 * ns: a moment may be wrong by that much, since ticks are interpolated between
 * readings.
 */
#define INEXACT 1000

enum {
    STEPS = 100, /* of narrowing down */
};

/* Successive slots of a fit; their moments are counted from `origin` on. */
struct span {
    const struct clockfit *fit;
    u32 first, end;
    double origin;
};

/* The offsets at the span's origin that the bounds allow for one slope. */
struct range {
    double low, high;
};

void
clockfit_open(struct clockfit *fit, double from, double to)
{
    memset(fit, 0, sizeof(*fit));
    fit->from = from;
    fit->to = to > from ? to : from + 1;
    fit->first = INFINITY;
    fit->last = -INFINITY;
}

void
clockfit_covers(struct clockfit *fit, double at)
{
    fit->first = fmin(fit->first, at);
    fit->last = fmax(fit->last, at);
}

static u32
slot_of(const struct clockfit *fit, double at)
{
    double slot = (at - fit->from) / (fit->to - fit->from) * CLOCKFIT_SLOTS;

    if (!(slot > 0))
        return 0;
    return slot < CLOCKFIT_SLOTS ? (u32)slot : CLOCKFIT_SLOTS - 1;
}

void
clockfit_above(struct clockfit *fit, double at, double offset)
{
    struct clock_bound *bound = &fit->above[slot_of(fit, at)];

    offset += INEXACT;
    if (!bound->known || offset < bound->offset)
        *bound = (struct clock_bound){ at, offset, true };
}

void
clockfit_below(struct clockfit *fit, double at, double offset)
{
    struct clock_bound *bound = &fit->below[slot_of(fit, at)];

    offset -= INEXACT;
    if (!bound->known || offset > bound->offset)
        *bound = (struct clock_bound){ at, offset, true };
}

static struct range
range_of(const struct span *s, double slope)
{
    struct range range = { -INFINITY, INFINITY };

    for (u32 i = s->first; i < s->end; i++) {
        const struct clock_bound *above = &s->fit->above[i], *below = &s->fit->below[i];

        if (above->known)
            range.high = fmin(range.high,
                              above->offset - slope * (above->at - s->origin));
        if (below->known)
            range.low = fmax(range.low,
                             below->offset - slope * (below->at - s->origin));
    }
    return range;
}

static double
width(const struct span *s, double slope)
{
    struct range range = range_of(s, slope);

    return range.high - range.low;
}

static bool
both_ways(const struct span *s)
{
    bool above = false, below = false;

    for (u32 i = s->first; i < s->end; i++) {
        above |= s->fit->above[i].known;
        below |= s->fit->below[i].known;
    }
    return above && below;
}

/* The slope that leaves most room. */
static double
best_slope(const struct span *s)
{
    double low = -SLOPE_MAX, high = SLOPE_MAX;

    for (u32 i = 0; i < STEPS; i++) {
        double one = low + (high - low) / 3, two = high - (high - low) / 3;

        if (width(s, one) < width(s, two))
            low = one;
        else
            high = two;
    }
    return (low + high) / 2;
}

/*
 * Go from the slope `good`, which the bounds allow, towards `bad`: the last slope
 * allowed.
 */
static double
edge(const struct span *s, double good, double bad)
{
    if (width(s, bad) >= 0)
        return bad;
    for (u32 i = 0; i < STEPS; i++) {
        double mid = (good + bad) / 2;

        if (width(s, mid) >= 0)
            good = mid;
        else
            bad = mid;
    }
    return good;
}

/*
 * The highest (sign 1) or lowest (sign -1) value at a moment of all lines that the
 * bounds allow, with slopes from low to high.
 */
static double
farthest(const struct span *s, double low, double high, double at, double sign)
{
    double best = -INFINITY;

    for (u32 i = 0; i < STEPS; i++) {
        double slope[2] = { low + (high - low) / 3, high - (high - low) / 3 }, v[2];

        for (u32 k = 0; k < 2; k++) {
            struct range range = range_of(s, slope[k]);
            double here = sign > 0 ? range.high : range.low;

            v[k] = sign * (here + slope[k] * (at - s->origin));
            best = fmax(best, v[k]);
        }
        if (v[0] < v[1])
            low = slope[0];
        else
            high = slope[1];
    }
    return sign * best;
}

/*
 * The error of a piece at a moment: how far the other lines that the bounds allow are
 * from the piece.
 */
static double
error_at(const struct span *s, const struct clock_piece *piece, double at)
{
    double low = edge(s, piece->slope, -SLOPE_MAX);
    double high = edge(s, piece->slope, SLOPE_MAX);
    double ours = piece->offset + piece->slope * (at - piece->from);

    return fmax(farthest(s, low, high, at, 1) - ours,
                ours - farthest(s, low, high, at, -1));
}

/* Find one line for a span; false if no line keeps to all bounds. */
static bool
fit_line(const struct span *s, struct clock_piece *out)
{
    double slope = best_slope(s);
    struct range range = range_of(s, slope);

    if (range.high < range.low)
        return false;
    *out = (struct clock_piece){ s->origin, (range.low + range.high) / 2, slope };
    return true;
}

static double
moment(const struct clockfit *fit, u32 slot)
{
    return fit->from + (fit->to - fit->from) * slot / CLOCKFIT_SLOTS;
}

/*
 * The bounds in one slot contradict each other: take the middle between them, and half
 * of the gap as the error.
 */
static void
fit_conflicting(struct clockfit *fit, const struct span *s, struct clock_piece *out)
{
    struct range range = range_of(s, 0);

    *out = (struct clock_piece){ s->origin, (range.low + range.high) / 2, 0 };
    fit->error = fmax(fit->error, (range.low - range.high) / 2);
}

/*
 * Fit one line if the bounds allow it; else fit each half of the span. A span without
 * messages in both directions gets no line: the line of the span before is extended.
 */
static void
fit_span(struct clockfit *fit, u32 first, u32 end)
{
    struct span s = { fit, first, end, moment(fit, first) };
    struct clock_piece *piece = &fit->piece[fit->pieces];

    if (!both_ways(&s))
        return;
    if (!fit_line(&s, piece)) {
        if (end - first > 1) {
            fit_span(fit, first, first + (end - first) / 2);
            fit_span(fit, first + (end - first) / 2, end);
            return;
        }
        fit_conflicting(fit, &s, piece);
    }
    fit->end[fit->pieces++] = end;
}

static u32
first_slot(const struct clockfit *fit, u32 piece)
{
    return slot_of(fit, fit->piece[piece].from + 0.5 * (fit->to - fit->from) /
                                                     CLOCKFIT_SLOTS);
}

static double
end_of(const struct clockfit *fit, u32 piece)
{
    return piece + 1 < fit->pieces ? fit->piece[piece + 1].from : fit->to;
}

/*
 * Set fit->error to the largest error of any piece, at moments where the offset is
 * needed.
 */
static void
find_errors(struct clockfit *fit)
{
    for (u32 i = 0; i < fit->pieces; i++) {
        const struct clock_piece *piece = &fit->piece[i];
        struct span s = { fit, first_slot(fit, i), fit->end[i], piece->from };
        double from = i ? piece->from : fit->from;
        double to = end_of(fit, i);

        from = fmax(from, fit->first);
        to = fmin(to, fit->last);
        if (from > to || width(&s, piece->slope) < 0)
            continue;
        fit->error = fmax(fit->error, error_at(&s, piece, from));
        fit->error = fmax(fit->error, error_at(&s, piece, to));
    }
}

/* Connect the pieces: at each boundary, both take the mean of their values there. */
static void
join(struct clockfit *fit)
{
    double most = 0;

    for (u32 i = 1; i < fit->pieces; i++) {
        struct clock_piece *left = &fit->piece[i - 1], *right = &fit->piece[i];
        double length = right->from - left->from;
        double there = left->offset + left->slope * length;
        double gap = (right->offset - there) / 2;

        most = fmax(most, fabs(gap));
        left->slope += gap / length;
        right->slope += gap / (end_of(fit, i) - right->from);
        right->offset -= gap;
    }
    fit->error += most;
}

bool
clockfit_solve(struct clockfit *fit)
{
    fit->pieces = 0;
    fit->error = 0;
    fit_span(fit, 0, CLOCKFIT_SLOTS);
    find_errors(fit);
    join(fit);
    return fit->pieces > 0;
}

double
clockfit_at(const struct clockfit *fit, double at)
{
    const struct clock_piece *piece = fit->piece;

    if (!fit->pieces)
        return 0;
    while (piece + 1 < fit->piece + fit->pieces && piece[1].from <= at)
        piece++;
    return piece->offset + piece->slope * (at - piece->from);
}

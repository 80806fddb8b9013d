/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The metrics of print/metrics.def and print/ratios.def. The tables change only in
 * metric_counter() and metric_clocked(); all else may be called in any context.
 */
#ifndef ERTOOLS_PRINT_MODEL_METRIC_H
#define ERTOOLS_PRINT_MODEL_METRIC_H

#include <stdbool.h>

#include "share/types.h"

enum metric {
#define METRIC(metric, title, unit, flavours, doc) METRIC_##metric,
#define METRIC_SOURCE(metric, record, value, select, equals, unless)
#include "print/metrics.def"
#undef METRIC
#undef METRIC_SOURCE
    METRIC_COUNT,
    /* Ratios of the metrics above: computed from sums, and not stored in values. */
    METRIC_BEFORE_RATIOS = METRIC_COUNT - 1,
#define RATIO(metric, title, over, under, scale, doc) METRIC_##metric,
#include "print/ratios.def"
#undef RATIO
    METRIC_ALL,
};

enum metric_unit {
    METRIC_NS,
    METRIC_COUNTS,
    METRIC_BYTES,
    METRIC_RATIO, /* millionths; METRIC_UNKNOWN if there is nothing to divide by */
};

#define METRIC_UNKNOWN INT64_MIN

enum flavour {
    FLAVOUR_EXCLUSIVE,  /* at the leaf of a stack */
    FLAVOUR_INCLUSIVE,  /* anywhere on it, counted once a stack */
    FLAVOUR_ATTRIBUTED, /* spent on behalf of a caller, or in a callee */
    FLAVOUR_COUNT,
};

struct metric_desc {
    const char *name;
    const char *title;
    const char *flavours; /* letters of "eia" */
    const char *doc;
    enum metric_unit unit;
};

/* From which records a metric's values come; print/metrics.def explains the members. */
struct metric_source {
    enum metric metric;
    const char *record;
    const char *value;  /* the field to add up; "" = the constant 1 */
    const char *select; /* only records whose field `select` equals this; "" = all */
    u64 equals;
    const char *unless; /* field that must be 0; "!field": must not be 0; "" = none */
};

/*
 * The descriptions, by metric. A counter's title is "" until an experiment has the
 * counter, a ratio's until both metrics that it divides exist.
 */
extern struct metric_desc metrics[METRIC_ALL];
extern const struct metric_source metric_sources[];
extern const u32 metric_source_count;

static inline bool
metric_is_counter(enum metric metric)
{
    return metric >= METRIC_hwc0 && metric <= METRIC_hwc7;
}

static inline bool
metric_is_ratio(enum metric metric)
{
    return metric >= METRIC_COUNT;
}

/* Does some experiment have the metric, so that it may be shown? */
static inline bool
metric_is_there(enum metric metric)
{
    return metrics[metric].title[0] != '\0';
}

/*
 * The metric of the counter with this name, the same in all experiments; it is added if
 * it is new, and never removed. unit: "ns", "bytes", or "" for events; cpu-clock and
 * task-clock always count ns. -ENOSPC: there are eight other counters; or -ENOMEM. One
 * thread.
 */
int metric_counter(const char *name, const char *unit);

/* An experiment has clock hits: enable ratios of CPU time. One thread. */
void metric_clocked(void);

/* The metrics that a ratio divides: its value is scale * over / under. */
struct metric_parts {
    enum metric over, under;
    double scale;
};

struct metric_parts metric_parts(enum metric ratio);

/* A metric that can be summed up: of a ratio, its numerator; else the metric itself. */
enum metric metric_sum(enum metric metric);

/* A value for each metric, in its unit. Residuals can make it slightly negative. */
struct values {
    int64_t v[METRIC_COUNT];
};

/*
 * The value of a ratio, scale * over / under, in millionths. METRIC_UNKNOWN: `under` is
 * not positive, or the value is too large.
 */
int64_t metric_ratio(const struct values *values, enum metric ratio);

/* The value of a metric or ratio. */
static inline int64_t
metric_value(const struct values *values, enum metric metric)
{
    return metric_is_ratio(metric) ? metric_ratio(values, metric) : values->v[metric];
}

static inline void
values_add(struct values *to, const struct values *more)
{
    /*
     * Values from a damaged file may overflow: add them without a sign, which is
     * defined.
     */
    for (int m = 0; m < METRIC_COUNT; m++)
        to->v[m] = (int64_t)((u64)to->v[m] + (u64)more->v[m]);
}

static inline bool
values_any(const struct values *values)
{
    for (int m = 0; m < METRIC_COUNT; m++)
        if (values->v[m])
            return true;
    return false;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The metrics of print/metrics.def and print/ratios.def. Any context, but for
 * metric_counter() and metric_clocked(): constant tables.
 */
#ifndef ERTOOLS_PRINT_MODEL_METRIC_H
#define ERTOOLS_PRINT_MODEL_METRIC_H

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
    METRIC_RATIO, /* millionths; METRIC_UNKNOWN where there is nothing to divide by */
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
    const char *value;  /* "" = 1 */
    const char *select; /* "" = every record */
    u64 equals;
    const char *unless; /* "" = none, "!field": if it is not 0 */
};

/*
 * Descriptions by metric. A counter's title is "" until some experiment names the
 * counter, a ratio's until both metrics that it divides exist.
 */
extern struct metric_desc metrics[METRIC_ALL];
extern const struct metric_source metric_sources[];
extern const u32 metric_source_count;

static inline int
metric_is_counter(enum metric metric)
{
    return metric >= METRIC_hwc0 && metric <= METRIC_hwc7;
}

static inline int
metric_is_ratio(enum metric metric)
{
    return metric >= METRIC_COUNT;
}

/* Does some experiment have the metric, so that it may be shown? */
static inline int
metric_is_there(enum metric metric)
{
    return metrics[metric].title[0] != '\0';
}

/*
 * The metric of the counter with this name, the same in all experiments; it is never
 * removed. unit: "ns", "bytes", or "" for events; cpu-clock and task-clock always count
 * ns. One thread. -ENOSPC if there are eight other counters, -ENOMEM.
 */
int metric_counter(const char *name, const char *unit);

/* Call if some experiment has clock hits: enables ratios to CPU time. One thread. */
void metric_clocked(void);

/* The metrics that a ratio divides: its value is scale * over / under. */
struct metric_parts {
    enum metric over, under;
    double scale;
};

struct metric_parts metric_parts(enum metric ratio);

/* A metric that can be added up: for a ratio, its numerator; else the metric itself. */
enum metric metric_sum(enum metric metric);

/* One value a metric, in its unit; may be negative by a few ms (residuals). */
struct values {
    int64_t v[METRIC_COUNT];
};

/* The value of a ratio, scale * over / under, in millionths; or METRIC_UNKNOWN. */
int64_t metric_ratio(const struct values *values, enum metric ratio);

/* The value of any metric, also of a ratio. */
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

static inline int
values_any(const struct values *values)
{
    for (int m = 0; m < METRIC_COUNT; m++)
        if (values->v[m])
            return 1;
    return 0;
}

#endif

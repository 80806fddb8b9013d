/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The metrics of print/metrics.def. Any context, but for metric_counter(): constant
 * tables.
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
};

enum metric_unit {
    METRIC_NS,
    METRIC_COUNTS,
    METRIC_BYTES,
};

/* For `equals`: whatever is not 0. */
#define METRIC_NOT_0 UINT64_MAX

enum flavour {
    FLAVOUR_EXCLUSIVE,  /* at the leaf of a stack */
    FLAVOUR_INCLUSIVE,  /* anywhere on it, counted once a stack */
    FLAVOUR_ATTRIBUTED, /* what one function spends for another */
    FLAVOUR_COUNT,
};

struct metric_desc {
    const char *name;
    const char *title;
    const char *flavours; /* letters of "eia" */
    const char *doc;
    enum metric_unit unit;
};

/* Where a metric's values come from; see print/metrics.def. */
struct metric_source {
    enum metric metric;
    const char *record;
    const char *value;  /* "" = 1 */
    const char *select; /* "" = every record */
    u64 equals;
    const char *unless; /* "" = none */
};

/* Rows of counters have the title "" until some experiment names them. */
extern struct metric_desc metrics[METRIC_COUNT];
extern const struct metric_source metric_sources[];
extern const u32 metric_source_count;

static inline int
metric_is_counter(enum metric metric)
{
    return metric >= METRIC_hwc0 && metric <= METRIC_hwc7;
}

/* Some experiment has it: it may be shown. */
static inline int
metric_is_there(enum metric metric)
{
    return metrics[metric].title[0] != '\0';
}

/*
 * The metric of the counter of that name, the same in all experiments; it lives as long
 * as the program. One thread. -ENOSPC when there are eight others, -ENOMEM.
 */
int metric_counter(const char *name);

/* One value a metric, in its unit; may be negative by a few ms (residuals). */
struct values {
    int64_t v[METRIC_COUNT];
};

static inline void
values_add(struct values *to, const struct values *more)
{
    /* Sums of hostile values may wrap, but not trap. */
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

/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/metric.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print/model/demangle.h"
#include "share/record.h"

struct metric_desc metrics[METRIC_ALL] = {
#define NS METRIC_NS
#define COUNT METRIC_COUNTS
#define BYTE METRIC_BYTES
#define METRIC(metric, title, unit, flavours, doc) \
    { #metric, title, flavours, doc, unit },
#define METRIC_SOURCE(metric, record, value, select, equals, unless)
#include "print/metrics.def"
#undef METRIC
#undef METRIC_SOURCE
#define RATIO(metric, title, over, under, scale, doc) \
    { #metric, "", "eia", doc, METRIC_RATIO },
#include "print/ratios.def"
#undef RATIO
};

const struct metric_source metric_sources[] = {
#define METRIC(metric, title, unit, flavours, doc)
#define METRIC_SOURCE(metric, record, value, select, equals, unless) \
    { METRIC_##metric, #record, #value, select, equals, unless },
#include "print/metrics.def"
#undef METRIC
#undef METRIC_SOURCE
};

const u32 metric_source_count = ER_COUNT(metric_sources);

enum { RATIOS = METRIC_ALL - METRIC_COUNT };

/* The ratios, by metric - METRIC_COUNT. */
static const struct ratio {
    const char *title;
    /* names of metrics with blanks between them: the first that exists is taken */
    const char *over, *under;
    double scale;
} ratios[RATIOS] = {
#define RATIO(metric, title, over, under, scale, doc) { title, over, under, scale },
#include "print/ratios.def"
#undef RATIO
};

/* By ratio: its numerator and denominator; 0 as long as no experiment has them. */
static struct {
    enum metric over, under;
} bound[RATIOS];

static int has_clock;

/* The function's name in the name of a probe, FILE:FUNCTION; NULL for other events. */
static const char *
probed_function(const char *name)
{
    const char *colon = strrchr(name, ':');

    /*
     * In the name of another event, only modifiers such as :upp follow the colon.
     */
    if (!colon || !colon[1] || !colon[1 + strspn(colon + 1, "ukhGHpPSDIWeb")])
        return NULL;
    return colon + 1;
}

/*
 * Make a title of a counter's name: Page Faults of page-faults, a.out:f() of
 * a.out:_Z1fv. For free(); NULL = no memory.
 */
static char *
title_of(const char *name)
{
    const char *function = probed_function(name);
    char *title = NULL, *plain = function ? demangle(function, true) : NULL;

    if (plain && asprintf(&title, "%.*s%s", (int)(function - name), name, plain) < 0)
        title = NULL;
    free(plain);
    if (!title)
        title = strdup(name);
    if (function) /* names of files and functions keep their case */
        return title;
    for (char *p = title; p && *p; p++) {
        if (*p == '-' || *p == '_')
            *p = ' ';
        if (p == title || p[-1] == ' ')
            *p = (char)toupper((unsigned char)*p);
    }
    return title;
}

/* Is the counter a clock of the kernel, which counts ns? */
static bool
is_clock(const char *name)
{
    return !strcmp(name, "cpu-clock") || !strcmp(name, "task-clock");
}

/*
 * Does a counter have that name? "cycles" is also the name of cycles:pp, cycles:u, ...
 */
static bool
is_called(const char *counter, const char *name, size_t len)
{
    return !strncmp(counter, name, len) && (!counter[len] || counter[len] == ':');
}

/* Get the first metric in the list `names` that an experiment has; 0 = none, else 1. */
static bool
find_any(const char *names, enum metric *out)
{
    for (const char *at = names; *at; at += strspn(at, " ")) {
        size_t len = strcspn(at, " ");

        for (int m = 0; m < METRIC_COUNT; m++)
            if (metric_is_there((enum metric)m) &&
                (m != METRIC_totalcpu || has_clock) &&
                is_called(metrics[m].name, at, len)) {
                *out = (enum metric)m;
                return true;
            }
        at += len;
    }
    return false;
}

static void
bind_ratios(void)
{
    for (int i = 0; i < RATIOS; i++)
        if (find_any(ratios[i].over, &bound[i].over) &&
            find_any(ratios[i].under, &bound[i].under))
            metrics[METRIC_COUNT + i].title = ratios[i].title;
}

void
metric_clocked(void)
{
    has_clock = 1;
    bind_ratios();
}

enum metric
metric_sum(enum metric metric)
{
    return metric_is_ratio(metric) ? bound[metric - METRIC_COUNT].over : metric;
}

struct metric_parts
metric_parts(enum metric ratio)
{
    u32 i = (u32)ratio - METRIC_COUNT;

    return (struct metric_parts){ bound[i].over, bound[i].under, ratios[i].scale };
}

int64_t
metric_ratio(const struct values *values, enum metric metric)
{
    u32 i = (u32)metric - METRIC_COUNT;
    double over = (double)values->v[bound[i].over];
    double under = (double)values->v[bound[i].under];
    double value = under > 0 ? ratios[i].scale * over / under * 1e6 : 1e300;

    /* The value does not fit into 64 bits, or `under` is not positive. */
    if (value < -9e18 || value > 9e18)
        return METRIC_UNKNOWN;
    return (int64_t)(value < 0 ? value - 0.5 : value + 0.5);
}

static enum metric_unit
unit_of(const char *name, const char *unit)
{
    if (is_clock(name) || !strcmp(unit, "ns"))
        return METRIC_NS;
    return strcmp(unit, "bytes") ? METRIC_COUNTS : METRIC_BYTES;
}

int
metric_counter(const char *name, const char *unit)
{
    for (int m = METRIC_hwc0; m <= METRIC_hwc7; m++) {
        char *copy, *title;

        if (!strcmp(metrics[m].name, name))
            return m;
        if (metric_is_there((enum metric)m))
            continue;
        copy = strdup(name);
        title = title_of(name);
        if (!copy || !title) {
            free(copy);
            free(title);
            return -ENOMEM;
        }
        metrics[m].name = copy;
        metrics[m].title = title;
        metrics[m].unit = unit_of(name, unit);
        bind_ratios();
        return m;
    }
    return -ENOSPC;
}

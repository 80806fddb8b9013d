/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/metric.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "share/record.h"

struct metric_desc metrics[METRIC_COUNT] = {
#define NS METRIC_NS
#define COUNT METRIC_COUNTS
#define BYTE METRIC_BYTES
#define METRIC(metric, title, unit, flavours, doc) \
    { #metric, title, flavours, doc, unit },
#define METRIC_SOURCE(metric, record, value, select, equals, unless)
#include "print/metrics.def"
#undef METRIC
#undef METRIC_SOURCE
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

/* page-faults -> Page Faults */
static char *
title_of(const char *name)
{
    char *title = strdup(name);

    for (char *p = title; p && *p; p++) {
        if (*p == '-' || *p == '_')
            *p = ' ';
        if (p == title || p[-1] == ' ')
            *p = (char)toupper((unsigned char)*p);
    }
    return title;
}

/* Clocks count ns. */
static int
is_clock(const char *name)
{
    return !strcmp(name, "cpu-clock") || !strcmp(name, "task-clock");
}

int
metric_counter(const char *name)
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
        metrics[m].unit = is_clock(name) ? METRIC_NS : METRIC_COUNTS;
        return m;
    }
    return -ENOSPC;
}

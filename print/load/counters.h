/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The counters of an experiment: their events and intervals, and what the kernel
 * counted in total. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_LOAD_COUNTERS_H
#define ERTOOLS_PRINT_LOAD_COUNTERS_H

#include <stdbool.h>

#include "print/load/log.h"
#include "print/load/record/records.h"
#include "share/ctl.h"

struct counter_row {
    const char *name; /* owned by the log */
    const char *unit; /* "ns", "bytes", or "" for events */
    u64 interval;     /* events between two hits, 0 = it was not sampled */
    bool addresses;   /* its hits have addresses of data */
    bool has_total;   /* the next three were found by counters_totals() */
    u64 total;   /* events of the process */
    /* ns for which it was enabled; `running`: the part in which it really counted */
    u64 enabled;
    u64 running;
    int metric; /* index of the model's metric, set by the model; -1 = none */
};

/*
 * row[i] is the counter to which records refer by index i; if its name is NULL, there
 * is no such counter.
 */
struct counters {
    struct counter_row row[ER_COUNTERS];
    u32 count; /* the highest index + 1 */
};

/* Get the counters that the log describes; totals are not set. */
void counters_read(struct counters *out, const struct log *log);

/* Read the last total of each counter from the file overview. 0 or -ENOMEM. */
int counters_totals(struct counters *counters, const struct record_source *source);

/*
 * The share of the time in which the counter was enabled that it really counted: above
 * 0, at most 1; 1 if it is not known.
 */
double counters_share(const struct counter_row *row);

/*
 * Estimate how large a value would be if the counter had run all the time that it was
 * enabled. value: the counter's total, or the sum of its hits.
 */
u64 counters_scaled(const struct counter_row *row, u64 value);

#endif

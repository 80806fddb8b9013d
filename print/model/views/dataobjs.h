/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data objects that counters with data addresses (collect -h +NAME) have seen, and the
 * sums of these counters. Only events that pass the filter count. Ordinary process
 * context.
 */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_DATAOBJS_H
#define ERTOOLS_PRINT_MODEL_VIEWS_DATAOBJS_H

#include <stdbool.h>

#include "print/model/data/datafind.h"
#include "print/model/views/view.h"

enum {
    DATA_LINE = 64, /* bytes per line, the unit within an object */
    DATA_COUNTERS = METRIC_hwc7 - METRIC_hwc0 + 1,
};

struct data_object {
    struct data_thing thing;
    const char *name; /* the thing's; a variable's is demangled */
    u64 hits;
    struct values value;
    u32 line;  /* index of its first line in data_objects.line */
    u32 lines; /* number of its lines that were accessed */
};

/* DATA_LINE bytes of an object. */
struct data_line {
    u32 index;  /* of the object in data_objects.row */
    u64 offset; /* in a variable or block; in other data, the address */
    u64 hits;
    int64_t v[DATA_COUNTERS]; /* by metric, from METRIC_hwc0 on */
};

struct data_objects {
    bool recorded; /* some counter has addresses */
    struct data_object *row;
    u32 count;
    u32 room;
    struct data_line *line; /* by object and offset */
    u32 lines;
    u32 line_room;
    u64 hits;
    struct values total;
    struct pool *names;
};

/*
 * Get the data objects, sorted by the metric of `order`, largest first. 0 and *out for
 * dataobjs_free(), or -errno.
 */
int dataobjs_get(struct session *session, const struct order *order,
                 struct data_objects *out);
void dataobjs_free(struct data_objects *objects);

/* Convert a line's sums to values of metrics. */
struct values dataobjs_values(const struct data_line *line);

#endif

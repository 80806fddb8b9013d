/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data objects: what the addresses are of that counters have seen (collect -h +NAME),
 * with the sums of these counters. Of the events that pass the filter. Ordinary process
 * context.
 */
#ifndef ERTOOLS_PRINT_MODEL_DATAOBJS_H
#define ERTOOLS_PRINT_MODEL_DATAOBJS_H

#include <stdbool.h>

#include "print/model/view.h"

enum data_kind {
    DATA_VARIABLE,
    DATA_BLOCK,     /* of the heap, all that one stack allocated */
    DATA_MAPPING,   /* memory that the program mapped, the same */
    DATA_FILE,      /* a mapped file */
    DATA_STATIC,    /* of a load object, and no variable is known there */
    DATA_STACK,
    DATA_HEAP,      /* the break, and no block is known there */
    DATA_ANONYMOUS,
    DATA_OTHER,     /* the kernel has a name for it */
    DATA_UNKNOWN,   /* no address, or nothing is known to be there */
};

enum {
    DATA_LINE = 64, /* bytes that are told apart within an object */
    DATA_COUNTERS = METRIC_hwc7 - METRIC_hwc0 + 1,
};

struct data_object {
    enum data_kind kind;
    const char *name; /* of a variable, file, load object, or other; "" else */
    u32 object;       /* of variables: for object_get() */
    u32 node;         /* of blocks and mappings: their stack, for frames_of() */
    u64 size;         /* bytes: of a variable, or of the largest block; 0 = not known */
    u64 hits;
    struct values value;
    u32 line;  /* first of its lines in data_objects.line */
    u32 lines;
};

/* DATA_LINE bytes of an object. */
struct data_line {
    u32 index;  /* of the object in data_objects.row */
    u64 offset; /* in the variable or block; else, or without one, the address */
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

/* Sorted by a metric, largest first. 0 and *out for dataobjs_free(), or -errno. */
int dataobjs_get(struct session *session, const struct order *order,
                 struct data_objects *out);
void dataobjs_free(struct data_objects *objects);

/* A line's sums as metrics. */
struct values dataobjs_values(const struct data_line *line);

#endif

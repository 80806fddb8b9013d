/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A filter that is bound to one kind of record in one experiment, and the events for
 * which it is evaluated. For the model's own use; see filterbind.h.
 */
#ifndef ERTOOLS_PRINT_MODEL_FILTER_FILTERBOUND_H
#define ERTOOLS_PRINT_MODEL_FILTER_FILTERBOUND_H

#include "print/model/filter/filtercalls.h"
#include "print/model/filter/filterdata.h"
#include "print/model/filter/filterfiles.h"
#include "print/model/filter/filterstack.h"

enum bound_op {
    BOUND_CONST,   /* `value` */
    BOUND_MISSING, /* events of this kind lack the property */
    BOUND_FIELD,   /* a: the field's index */
    BOUND_ADDRESS, /* like BOUND_FIELD; unknown if it is 0 */
    BOUND_PC,      /* a: field with a stack node; the node's pc */
    BOUND_TICKS,   /* like BOUND_FIELD, in units of `value`, rounded */
    BOUND_THREAD,  /* the thread's id */
    BOUND_TID,     /* the kernel's id of the thread */
    BOUND_TIME,   /* a: field of the time; ns from the start of the run */
    BOUND_SAMPLE, /* a: field of the time; number of the next sample point, from 1 */
    BOUND_TOOK,   /* a: field of the duration, b: field of the time; ns */
    BOUND_ASKED,  /* a, b: the same; ns from the run's start to the event's beginning */
    BOUND_BEFORE, /* a: field of the time; is that below `value`, a record time? */
    BOUND_NUMBERED, /* a: field; its value less 1, unknown if it is 0 */
    BOUND_JAVA_THREAD, /* the thread's id, if it belongs to a Java program */
    BOUND_CLASS,  /* a: field with a class's id; the class's number */
    BOUND_COMM,   /* a: field with a communicator's id; its number */
    BOUND_OMP,    /* a: field with a stack node, value: enum ompplace_kind; number */
    BOUND_STACK,  /* a: number of the test; its result for the event's stack */
    BOUND_FILE,   /* a: field with a file's id, b: set; is the file in the set? If
                     `value`: is it not? */
    BOUND_FILES,  /* b: set; the numbers in it, only for IN and SOME IN */
    BOUND_DATA,   /* a: field of the address, b: of the time, c: of the stack flag + 1;
                     if `value` (of a block), a: field of the type; data object */
    BOUND_DATASET, /* b: data set; the numbers in it, only for IN and SOME IN */
    BOUND_REGION, /* a: field of the time, c: of a span's path + 1; region's number */
    BOUND_REGION_IN, /* a, c: the same, b: set; is the event's region in the set? If
                        `value`: is it not? */
    BOUND_REGION_TIME, /* a, c: the same, b: set + 1, 0 = all regions; ns that the
                          innermost instance of a region in the set lasted */
    BOUND_CALL,   /* a: field of the callee, b: set, c: field of the values; is the
                     callee in the set? If `value`: is it not? */
    BOUND_CALLARG, /* a, b, c: the same; the value of an argument, a number */
    BOUND_CALLTEXT, /* a, b, c: the same; does an argument's text match? If `value`:
                       does it not? */
    BOUND_FD,     /* a: field with a file's id; the file's descriptor */
    BOUND_OP,     /* the result of `op` with the nodes a, b and c */
};

struct bound_node {
    enum bound_op kind;
    enum filter_op op;
    u32 a, b, c;
    int64_t value;
};

/* The event for which a bound filter is evaluated. */
struct filter_event {
    const u64 *row; /* fields, as in struct batch */
    const u64 *moment; /* record time of a piece of the event; NULL = that in `row` */
    u32 thread; /* id, 0 = none */
    u32 tid;    /* 0 = not known */
    u32 stack;  /* the experiment's node id or, if `pseudo`, the session's node */
    bool pseudo;
};

struct number_map;
struct ompplaces_map;
struct region_lanes;

struct bound_filter {
    struct bound_node *node;
    u32 count;
    u32 room;
    u32 root;
    struct experiment *experiment;
    const struct stack_tests *tests;
    u32 index;      /* the experiment's */
    u32 time_shift;
    /* Members from here on are NULL or 0 if the filter does not need them. */
    const struct number_map *classes;
    const struct number_map *comms;
    const struct ompplaces_map *omp;
    u64 *sample;    /* record times of sample points, for this filter to free */
    u32 samples;
    const struct filter_files *files; /* the experiment's */
    unsigned char **set;              /* sets of files: by set, then by file: 0 or 1 */
    u32 sets;
    const struct filter_data *data;    /* the session's */
    struct filter_data_set *data_set;
    u32 data_sets;
    const struct region_lanes *regions; /* the session's */
    unsigned char **region_set;         /* by set, then by region: 0 or 1 */
    u32 region_sets;
    const struct filter_calls *calls; /* the experiment's */
    struct filter_call_set *call_set;
    u32 call_sets;
    int call_end; /* index of the field `end` of calls; -1 = they did not end */
};

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Binds a filter to one kind of record in one experiment, and evaluates it. Binding is
 * for the session's thread; a bound filter may be evaluated by any number of threads.
 * For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_FILTER_FILTERBIND_H
#define ERTOOLS_PRINT_MODEL_FILTER_FILTERBIND_H

#include "print/model/filter/filtercalls.h"
#include "print/model/filter/filterdata.h"
#include "print/model/filter/filterfiles.h"
#include "print/model/filter/filterstack.h"

enum bound_op {
    BOUND_CONST,   /* value */
    BOUND_MISSING, /* events of this kind lack the property */
    BOUND_FIELD,   /* a: the field's index */
    BOUND_ADDRESS, /* the same; 0 = not known */
    BOUND_PC,      /* a: field of a node, whose pc it is */
    BOUND_TICKS,   /* the same as FIELD, in units of `value` */
    BOUND_THREAD,
    BOUND_TID,
    BOUND_TIME,   /* a: field; ns from the start */
    BOUND_SAMPLE, /* a: field */
    BOUND_TOOK,   /* a: field of the duration, b: of the time */
    BOUND_ASKED,  /* the same; when the event began */
    BOUND_BEFORE, /* a: field; is the record's time below `value`? */
    BOUND_NUMBERED, /* a: field; its value less 1, missing if it is 0 */
    BOUND_JAVA_THREAD,
    BOUND_CLASS,  /* a: field; the id of a class */
    BOUND_COMM,   /* a: field; the id of a communicator */
    BOUND_OMP,    /* a: field of a node; value: enum ompplace_kind */
    BOUND_STACK,  /* a: number of the test */
    BOUND_FILE,   /* a: field, b: set: is the file in the set? With `value`: not? */
    BOUND_FILES,  /* b: set: the numbers in it, only for IN and SOME IN */
    BOUND_DATA,   /* a: field of the address, b: of the time, c: of the stack flag + 1;
                     with `value`, of a block, a: field of the type */
    BOUND_DATASET, /* b: data set: the numbers in it, only for IN and SOME IN */
    BOUND_REGION, /* a: field of the time, c: of a span's path + 1; region's number */
    BOUND_REGION_IN, /* the same, b: set: is the event's region in the set? With
                        `value`: is it not? */
    BOUND_REGION_TIME, /* the same, b: set + 1: duration of the set's innermost one */
    BOUND_CALL,   /* a: field of the callee, b: set: is the callee in the set? With
                     `value`: is it not? */
    BOUND_CALLARG, /* the same, and c: field of the values: the number of an argument */
    BOUND_CALLTEXT, /* the same: is an argument's text in the set? With `value`: not? */
    BOUND_FD,     /* a: field; the file's descriptor */
    BOUND_OP,     /* op of a, b, c */
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
    const u64 *moment; /* record time of a part of the event; NULL = row has it */
    u32 thread;
    u32 tid;
    u32 stack;  /* the experiment's own id, or, with `pseudo`, the session's node */
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
    const struct number_map *classes; /* NULL until needed */
    const struct number_map *comms;    /* the same */
    const struct ompplaces_map *omp; /* the same */
    u64 *sample;    /* record times of sample points */
    u32 samples;
    const struct filter_files *files; /* of the experiment, if they are asked for */
    unsigned char **set;              /* sets of files: a byte for each */
    u32 sets;
    const struct filter_data *data;    /* the session's, if it is asked for */
    struct filter_data_set *data_set;
    u32 data_sets;
    const struct region_lanes *regions; /* the session's, if they are asked for */
    unsigned char **region_set;         /* a byte for each region */
    u32 region_sets;
    const struct filter_calls *calls; /* of the experiment, if they are asked for */
    struct filter_call_set *call_set;
    u32 call_sets;
    int call_end; /* the field, -1 = it did not end */
};

/*
 * Bind the session's filter to a kind of record of experiment `index`. `timeless`: the
 * records' time is no moment that means something to the user. *out = NULL if every
 * event passes; else the caller frees it. 0 or -ENOMEM.
 */
int filterbind(struct session *session, u32 index, const struct schema_file *file,
               const struct schema_record *record, bool timeless,
               struct bound_filter **out);
void filterbind_free(struct bound_filter *bound);

/*
 * Like filterbind(), for an expression whose value the caller wants. `tests`: the tests
 * on stacks that the expression contains. *out is never NULL.
 */
int filterbind_expr(struct session *session, u32 index, const struct schema_file *file,
                    const struct schema_record *record, bool timeless,
                    const struct filter_expr *expr, const struct stack_tests *tests,
                    struct bound_filter **out);

/* Does the event pass the filter? If `bound` is NULL, every event does. */
bool filterbind_ask(const struct bound_filter *bound, const struct filter_event *event);

/*
 * Does a stack that no record has, such as <unattributed>, pass the filter? 0 or
 * -errno.
 */
int filterbind_pseudo(struct session *session, u32 index, u32 node, bool *passes);

#endif

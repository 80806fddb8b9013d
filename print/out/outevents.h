/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records of a session one by one, for formats with events. A thread's records come
 * in the order of time, but threads are not merged. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_OUT_OUTEVENTS_H
#define ERTOOLS_PRINT_OUT_OUTEVENTS_H

#include "print/load/record/records.h"
#include "print/out/out.h"

struct outevent {
    struct experiment *experiment;
    u32 index; /* index of the experiment in the session */
    enum er_file file;
    const struct schema_record *record;
    const u64 *row;
    const struct thread_row *thread; /* NULL = of no thread */
    u64 ns;     /* the record's time, from the start of the run */
    u32 node;   /* the session's stack node, 0 = it has none */
    double tick; /* ns in a unit of its fields in ticks */
    const struct filter_calls *calls; /* names of functions for records of calls;
                                         NULL: another file */
};

/* False: the record describes code (`code`, `codelines`), or has no fields. */
bool outevents_has(const struct schema_record *record);

/*
 * Call use() for each record of a file that passes the filter; use() returns 0, or a
 * -errno that ends the scan. Returns 0, also if the experiment has no such file; else
 * -errno.
 */
int outevents_scan(struct out *out, u32 experiment, enum er_file file,
                   int (*use)(void *context, const struct outevent *event),
                   void *context);

/* Get the value of a field; `missing` if the record has no such field. */
u64 outevent_get(const struct outevent *event, const char *field, u64 missing);

/*
 * Like outevents_scan(), for the records of all files that say how a thread spent its
 * time: hits of the clock, and all records that outevent_span() knows. The files are
 * read one after another.
 */
int outevents_scan_times(struct out *out, u32 experiment,
                         int (*use)(void *context, const struct outevent *event),
                         void *context);

/* Get when the first experiment began, ns of CLOCK_MONOTONIC. */
u64 outevents_base(const struct session *session);

/* The kinds of what a thread did for some time, other than hits of the clock. */
enum outspan {
    OUTSPAN_STATE, /* it did not run */
    OUTSPAN_WAIT,
    OUTSPAN_IO,
    OUTSPAN_MPI,
    OUTSPAN_CALL, /* of a function that collect -T named */
    OUTSPAN_COUNT,
};

/*
 * Get the name of the span that a record describes: [its time - *took, its time), ns.
 * The name lives as long as the session; NULL = the record is not a span, or its name
 * is not known.
 */
const char *outevent_span(const struct outevent *event, enum outspan *kind, u64 *took);

/*
 * The names of a stack's functions, root first. The caller frees *name, but not the
 * names. 0 or -ENOMEM.
 */
int outevents_stack(struct session *session, u32 node, const char ***name, u32 *count);

#endif

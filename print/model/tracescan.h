/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the records of a trace to sum them up: with several threads, in no certain
 * order. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_TRACESCAN_H
#define ERTOOLS_PRINT_MODEL_TRACESCAN_H

#include "print/load/experiment.h"
#include "print/model/session.h"

enum {
    TRACE_WORKERS = 8,
    TRACE_FIELDS = 16,
};

/* The indices of wanted fields in a kind of record. */
struct trace_fields {
    int at[TRACE_FIELDS]; /* -1 = it has none of that name */
};

/*
 * The name of a record, and the names of its wanted fields; the caller defines their
 * order.
 */
struct trace_wish {
    const char *record;
    const char *field[TRACE_FIELDS]; /* NULL after the last one */
};

struct trace_scan;

struct trace_row {
    struct trace_scan *scan;
    const struct schema_record *record;
    const struct trace_fields *fields;
    const u64 *row;
    u32 wish;   /* index of the caller's wish */
    u32 worker; /* which thread calls, below TRACE_WORKERS */
    u32 slot;   /* of the recorded thread: 0 = none, else index in threads.row + 1 */
};

struct trace_sink {
    const struct trace_wish *wish;
    u32 wishes;
    void (*row)(void *context, const struct trace_row *row);
    void *context;
};

/* Pass all records that the sink wishes to it. 0, -ENOENT (no data), -ENOMEM. */
int tracescan_run(struct session *session, u32 experiment, enum er_file file,
                  const struct trace_sink *sink);

/*
 * Like tracescan_run(), but with one thread, and without the filter (which may itself
 * need the result).
 */
int tracescan_all(struct session *session, u32 experiment, enum er_file file,
                  const struct trace_sink *sink);

/* The slot of another thread of the experiment to which the record belongs. */
u32 tracescan_slot(const struct trace_row *row, u32 thread);

/* Does the record pass the session's filter? */
bool tracescan_passes(const struct trace_row *row);

/*
 * How much of an event passes the filter: the time that passes, and whether its end
 * does.
 */
struct trace_share {
    u64 took;
    bool counts; /* the event's end passes: its call and its bytes count */
};

/*
 * took: how long the event lasted, up to its record's time. false: no part of it
 * passes.
 */
bool tracescan_share(const struct trace_row *row, u64 took, struct trace_share *out);

/*
 * The value of a field; 0 if the record does not have it. field: its index in the wish.
 */
static inline u64
trace_get(const struct trace_row *row, u32 field)
{
    int at = row->fields->at[field];

    return at < 0 ? 0 : row->row[at];
}

/* A text field; empty where it is missing. Lives as long as the experiment. */
struct er_str trace_text(const struct trace_row *row, u32 field);

/* *rate: the ns in a unit of the trace's times. 0 or -ENOMEM. */
int tracescan_rate(struct experiment *experiment, enum er_file file, double *rate);

/* The ns from the start of the run to a record's time. Call tracescan_rate() before. */
u64 tracescan_since(const struct experiment *experiment, enum er_file file, u64 time);

#endif

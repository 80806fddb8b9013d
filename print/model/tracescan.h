/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the records of a trace, without the filter; pass/tracepass.h reads them with
 * it. For the model's own use.
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
    int at[TRACE_FIELDS]; /* by index in the wish; -1 = the record has no such field */
};

/*
 * The name of a record, and the names of its wanted fields, in an order that the caller
 * defines.
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
    u32 wish;   /* index in sink->wish */
    u32 worker; /* number of the calling thread, below TRACE_WORKERS */
    u32 slot;   /* of the recorded thread: index in threads.row + 1, 0 = none */
};

struct trace_sink {
    const struct trace_wish *wish;
    u32 wishes;
    void (*row)(void *context, const struct trace_row *row);
    void *context;
};

/*
 * A file of an experiment that is being read. For pass/tracepass.c; other callers use
 * tracescan_all() or tracepass_run(). The caller sets `sink`; tracescan_open() sets the
 * other members.
 */
struct trace_scan {
    const struct trace_sink *sink;
    struct experiment *experiment;
    u32 index; /* the experiment's */
    enum er_file file;
    struct record_source source;
    u32 wish[SCHEMA_KINDS]; /* by kind: index in sink->wish; UINT32_MAX = no wish */
    struct trace_fields fields[SCHEMA_KINDS];
    int node[SCHEMA_KINDS]; /* index of the field `node`, -1 = none */
    int time[SCHEMA_KINDS]; /* index of the field `time`, -1 = none */
};

/*
 * Find the file and the fields that the sink wants. 0; -ENOENT: there is no such data.
 */
int tracescan_open(struct trace_scan *scan, struct session *session, u32 experiment,
                   enum er_file file);

/* Pass the wanted records to the sink, with up to `workers` threads. 0 or -ENOMEM. */
int tracescan_read(struct trace_scan *scan, u32 workers);

/* Does the sink want this kind of record? Call this after tracescan_open(). */
bool tracescan_reads(const struct trace_scan *scan, u32 kind);

/*
 * Pass all records that the sink wants to it, with one thread, whatever the filter
 * (which may itself need the result). 0; -ENOENT: there is no such data; or -ENOMEM.
 */
int tracescan_all(struct session *session, u32 experiment, enum er_file file,
                  const struct trace_sink *sink);

/* The slot of the thread with that id in the record's experiment; 0 = none. */
u32 tracescan_slot(const struct trace_row *row, u32 thread);

/*
 * The value of the field with that index in the wish; 0 if the record does not have it.
 */
static inline u64
trace_get(const struct trace_row *row, u32 field)
{
    int at = row->fields->at[field];

    return at < 0 ? 0 : row->row[at];
}

/* A text field, empty if it is missing. The text lives as long as the experiment. */
struct er_str trace_text(const struct trace_row *row, u32 field);

/* Set *rate to the ns in a unit of the file's record times. 0 or -ENOMEM. */
int tracescan_rate(struct experiment *experiment, enum er_file file, double *rate);

/*
 * The ns from the start of the run to a record time. Call this after tracescan_rate().
 */
u64 tracescan_since(const struct experiment *experiment, enum er_file file, u64 time);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the records of a trace with several threads, in no certain order; the sink can
 * ask for each whether it passes the filter. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_PASS_TRACEPASS_H
#define ERTOOLS_PRINT_MODEL_PASS_TRACEPASS_H

#include "print/model/tracescan.h"

/*
 * Pass all records that the sink wants to it, also those that do not pass the filter.
 * 0; -ENOENT: there is no such data; or -ENOMEM.
 */
int tracepass_run(struct session *session, u32 experiment, enum er_file file,
                  const struct trace_sink *sink);

/*
 * The functions below are for the sink's function during tracepass_run(), not during
 * tracescan_all().
 */

/* Does the record pass the session's filter? */
bool tracepass_accepts(const struct trace_row *row);

/*
 * The part of an event that passes the filter.
 */
struct trace_share {
    u64 took;    /* its duration, in units of record times */
    bool counts; /* the event's end passes: its call and its bytes count */
};

/*
 * Set *out to the part of an event that passes the filter. Returns false if none does.
 * took: the event's duration, up to the record's time; like out->took, in units of
 * record times (ticks >> time_shift).
 */
bool tracepass_share(const struct trace_row *row, u64 took, struct trace_share *out);

#endif

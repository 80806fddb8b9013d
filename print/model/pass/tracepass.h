/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the records of a trace, and tells for each what the filter answers, to sum them
 * up: with several threads, in no certain order. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_PASS_TRACEPASS_H
#define ERTOOLS_PRINT_MODEL_PASS_TRACEPASS_H

#include "print/model/tracescan.h"

/*
 * Pass all records that the sink wants to it; it asks for each whether it passes the
 * filter. 0, -ENOENT (no data), -ENOMEM.
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
bool tracepass_share(const struct trace_row *row, u64 took, struct trace_share *out);

#endif

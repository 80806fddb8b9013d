/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One pass over the records of a file, which sums them up by stack node, thread and
 * interval. For tally.c.
 */
#ifndef ERTOOLS_PRINT_MODEL_PASS_TALLYPASS_H
#define ERTOOLS_PRINT_MODEL_PASS_TALLYPASS_H

#include "print/model/filter/filterbind.h"
#include "print/model/pass/pieces.h"
#include "print/model/pass/plan.h"
#include "print/model/symbols/stacks.h"

enum {
    TALLY_WORKERS = PIECES_WORKERS,
};

/* The sums of one worker. */
struct tally_part {
    struct grid node; /* by the experiment's node id */
    struct values *thread; /* by slot */
    struct values residual[RESIDUAL_PAUSED + 1]; /* by kind; unknown kinds at 0 */
    struct values *interval;
    bool no_memory;
    struct values all; /* if there is a filter: also of what does not pass it */
};

/* The state of a pass over one file of one experiment. */
struct tally_pass {
    struct session *session;
    struct experiment *experiment;
    u32 index;     /* the experiment's */
    bool filtered; /* the session has a filter */
    struct plan plan[SCHEMA_KINDS]; /* by kind of record */
    struct bound_filter *filter[SCHEMA_KINDS]; /* by kind of record; NULL: all pass */
    u32 pseudo[RESIDUAL_PAUSED + 1]; /* by kind of residual: the session's stack node */
    u32 nowhere; /* the session's stack node for WALL_NODE */
    struct tally_part part[TALLY_WORKERS];
    u32 workers;
    u32 nodes; /* above all node ids; row `nodes` of part[].node is for WALL_NODE */
    u32 threads; /* slots */
    u64 *bound; /* record times at which intervals begin and end; NULL = no intervals */
    u32 nbounds;
    struct pieces pieces;
};

/* By kind of residual: the function at which it counts. */
extern const enum pseudo_function tally_residual_function[RESIDUAL_PAUSED + 1];

/*
 * Sum up the records of `source`. The caller sets the members session, experiment,
 * index and filtered; all others are 0. For sums by time it also sets nbounds and
 * bound, which tallypass_close() frees: then only part[].interval is filled, where
 * interval i is [bound[i], bound[i + 1]). 0 or -ENOMEM; call tallypass_close() in
 * either case.
 */
int tallypass_scan(struct tally_pass *pass, const struct record_source *source);
void tallypass_close(struct tally_pass *pass);

#endif

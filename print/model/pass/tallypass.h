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
#include "print/model/pass/tally.h"

enum {
    TALLY_WORKERS = PIECES_WORKERS,
};

/* The sums of one worker. */
struct tally_part {
    struct grid node; /* by the experiment's node id */
    struct values *thread;
    struct values residual[RESIDUAL_PAUSED + 1]; /* by kind; 0 = other kinds */
    struct values *interval;
    bool no_memory;
    struct values all; /* also of what does not pass the filter */
};

/* One file of one experiment. */
struct tally_pass {
    struct session *session;
    struct experiment *experiment;
    u32 index;     /* the experiment's */
    bool filtered; /* the session has a filter */
    struct plan plan[SCHEMA_KINDS];
    struct bound_filter *filter[SCHEMA_KINDS]; /* NULL: all pass */
    u32 pseudo[RESIDUAL_PAUSED + 1]; /* stack nodes of residuals */
    u32 nowhere; /* stack node of WALL_NODE */
    struct tally_part part[TALLY_WORKERS];
    u32 workers;
    u32 nodes; /* sums have one more row, for WALL_NODE */
    u32 threads;
    u64 *bound; /* record times that cut the intervals, NULL = no intervals */
    u32 nbounds;
    struct pieces pieces;
};

/* Where residuals count, by their kind. */
extern const enum pseudo_function tally_residual_function[RESIDUAL_PAUSED + 1];

/*
 * Sum up the records of `source`. The caller has set the members session to filtered;
 * all others are 0. For sums by time it has also set nbounds and bound, which
 * tallypass_close() frees: then only part[].interval is filled, where interval i is
 * [bound[i], bound[i + 1]). 0 or -ENOMEM; tallypass_close() in either case.
 */
int tallypass_scan(struct tally_pass *pass, const struct record_source *source);
void tallypass_close(struct tally_pass *pass);

#endif

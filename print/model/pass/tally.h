/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums over all events that pass the filter, from one pass over the data files. Most
 * views need only these sums. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_PASS_TALLY_H
#define ERTOOLS_PRINT_MODEL_PASS_TALLY_H

#include <stdbool.h>

#include "print/model/heap/heap.h"
#include "print/model/metric.h"
#include "print/model/grid.h"
#include "print/model/symbols/stacks.h"

/*
 * The sums of one experiment's threads: value[0] belongs to no thread, value[i] to
 * threads.row[i - 1].
 */
struct tally_threads {
    struct values *value;
    u32 count;
    struct values exit, rest; /* parts of value[0]: <exit> and <unattributed> */
};

struct tally {
    u32 done; /* the files that were read: a bit 1 << FILE_... for each */
    struct grid node; /* by stack node: exclusive values */
    struct tally_threads *threads; /* by experiment */
    u32 nexperiments;
    struct heap heap;
    struct account **account; /* by experiment, NULL = not read; of views/account.c */
    u32 naccounts, account_room;
};

int tally_open(struct session *session);
void tally_close(struct tally *tally);

/* Forget the sums, because experiments or the filter have changed. */
void tally_reset(struct session *session);

/* Read the files of session->wanted that were not read yet. 0 or -errno. */
int tally_make(struct session *session);

/*
 * A copy of tally->node with only the metrics that the session wants, for grid_close()
 * and free(). *out is NULL if tally->node has no others, and so can be used. 0 or
 * -ENOMEM.
 */
int tally_wanted(const struct session *session, struct grid **out);

/*
 * Get the heap's sums over what passes the filter. The session owns *out, which is
 * valid until filter or experiments change. 0 or -errno.
 */
int tally_heap(struct session *session, const struct heap **out);

/*
 * Can the experiment show which functions used CPU time? It cannot if it has traces and
 * was recorded without the clock.
 */
bool tally_has_cpu(struct experiment *e);

/*
 * Sum up between moments. bound: `count` times in ns of CLOCK_MONOTONIC, in rising
 * order. What was recorded in [bound[i], bound[i + 1]) and passes the filter is added
 * to out[i]; out has count - 1 elements. 0 or -ENOMEM.
 */
int tally_intervals(struct session *session, u32 experiment, const u64 *bound,
                    u32 count, struct values *out);

#endif

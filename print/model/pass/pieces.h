/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cuts the records of one file into pieces (filter/cuts.h), for a pass that sums
 * metrics by time. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_PASS_PIECES_H
#define ERTOOLS_PRINT_MODEL_PASS_PIECES_H

#include "print/load/experiment.h"
#include "print/model/filter/cuts.h"
#include "print/model/pass/plan.h"

enum {
    PIECES_WORKERS = 8,
};

/* All 0 cuts nothing. */
struct pieces {
    struct cuts cuts;
    struct slicer slicer[PIECES_WORKERS];
    struct thread_lanes lanes;
    double rate; /* ns in a unit of record times */
    /* cut also where instances of regions begin and end; NULL = do not */
    const struct region_lanes *regions;
    u32 experiment; /* index in `regions` of the experiment whose file is cut */
};

/*
 * Add cuts where the value of a bound filter or key may change. NULL: do nothing. 0 or
 * -ENOMEM.
 */
int pieces_add(struct pieces *pieces, const struct bound_filter *bound);

/* Is there anything to cut at? */
static inline bool
pieces_any(const struct pieces *pieces)
{
    return pieces->cuts.count || pieces->regions;
}

/* Prepare for pieces_cut(). Call this when all cuts are added. 0 or -ENOMEM. */
int pieces_open(struct pieces *pieces, struct experiment *e,
                const struct record_source *source);

/*
 * Let each clock hit and each wait stand for intervals of its thread's time that do not
 * overlap those of others; without this, a clock hit stands for one moment. The file
 * must be read in order, by one worker. 0 or -ENOMEM.
 */
int pieces_lanes(struct pieces *pieces, struct experiment *e,
                 const struct record_source *source);
void pieces_close(struct pieces *pieces);

/*
 * Cut a record into pieces, which are valid until the same worker cuts the next record.
 * slot: of the record's thread, index in threads.row + 1, 0 = none. NULL = the record
 * is not cut.
 */
const struct slicer *pieces_cut(struct pieces *pieces, const struct plan *plan,
                                const u64 *row, u32 slot, u32 worker);

/* Has some worker run out of memory? */
bool pieces_no_memory(const struct pieces *pieces);

#endif

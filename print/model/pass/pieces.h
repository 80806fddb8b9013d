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
    double rate; /* ns of a unit of record times */
    const struct region_lanes *regions; /* cut at their ends too, or NULL */
    u32 experiment; /* whose lanes of regions these are */
};

/*
 * Cut where the value of a bound filter or key changes; NULL: do nothing. 0 or -ENOMEM.
 */
int pieces_add(struct pieces *pieces, const struct bound_filter *bound);

/* Is there anything to cut at? */
static inline bool
pieces_any(const struct pieces *pieces)
{
    return pieces->cuts.count || pieces->regions;
}

/* Call this when all cuts are added. 0 or -ENOMEM. */
int pieces_open(struct pieces *pieces, struct experiment *e,
                const struct record_source *source);

/*
 * Let each clock hit and each wait stand for intervals of its thread's time that do not
 * overlap those of other hits; without this, a hit stands for one moment. The file must
 * be read in order, by one worker. 0 or -ENOMEM.
 */
int pieces_lanes(struct pieces *pieces, struct experiment *e,
                 const struct record_source *source);
void pieces_close(struct pieces *pieces);

/*
 * Cut a record of the thread with this slot (threads.row + 1, 0 = none) into pieces,
 * which are `worker`'s to use. NULL = the record is not cut.
 */
const struct slicer *pieces_cut(struct pieces *pieces, const struct plan *plan,
                                const u64 *row, u32 slot, u32 worker);

/* Has some worker run out of memory? */
bool pieces_no_memory(const struct pieces *pieces);

#endif

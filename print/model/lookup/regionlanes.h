/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the instance of a region in which a thread was at a given time, among all
 * instances of all experiments, whatever the filter. Loading is for the session's
 * thread; any number of threads may search. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_LOOKUP_REGIONLANES_H
#define ERTOOLS_PRINT_MODEL_LOOKUP_REGIONLANES_H

#include "print/model/lookup/regions.h"

/* An instance. Times are ticks; to = UINT64_MAX: it did not end. */
struct region_span {
    u64 from, to;
    u32 region; /* index in region_lanes.names.region */
    u32 around; /* the instance around it: index in the lane + 1, 0 = none */
};

/*
 * The instances of one thread, sorted by end, so that an inner one precedes the one
 * around it.
 */
struct region_lane {
    struct region_span *span;
    u32 count, room;
};

/* The threads of one experiment. */
struct region_threads {
    struct region_lane *lane; /* by slot: threads_slot() */
    u32 slots;
    u32 *region; /* by id in records: index in region_lanes.names.region, 0 = none */
    u32 ids;     /* elements of `region` */
};

struct region_lanes {
    struct regions names; /* only the tree, numbered as regionbuild() does */
    struct region_threads *experiment; /* by experiment */
    u32 experiments;
};

/*
 * Read all instances. 0 and *out for regionlanes_free(), also if there are no regions;
 * or -ENOMEM.
 */
int regionlanes_load(struct session *session, struct region_lanes *out);
void regionlanes_free(struct region_lanes *lanes);

/* The lane of a thread, by its slot; NULL: it has no instances. `lanes` may be NULL. */
const struct region_lane *regionlanes_of(const struct region_lanes *lanes,
                                         u32 experiment, u32 slot);

/* The innermost instance that contains a time: its index in the lane + 1, 0 = none. */
u32 regionlanes_at(const struct region_lane *lane, u64 ticks);

/*
 * The instance that ended at a time: its index in the lane + 1, 0 = none. id: of its
 * region, as in records.
 */
u32 regionlanes_ended(const struct region_threads *threads,
                      const struct region_lane *lane, u64 ticks, u64 id);

/*
 * The next time after `ticks` at which an instance begins or ends; UINT64_MAX = none.
 */
u64 regionlanes_after(const struct region_lane *lane, u64 ticks);

static inline u64
region_span_ticks(const struct region_span *span)
{
    return span->to - span->from;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cuts events with a duration into pieces, at the moments at which the value of a
 * filter or key may change, or an interval begins. The session's thread makes the cuts;
 * each thread has a slicer of its own. For the model's own use.
 *
 * The duration of an event is divided among its pieces. Its counts (calls, bytes)
 * belong to the piece in which it ends.
 */
#ifndef ERTOOLS_PRINT_MODEL_FILTER_CUTS_H
#define ERTOOLS_PRINT_MODEL_FILTER_CUTS_H

#include "print/model/filter/filterbind.h"

enum {
    CUTS_MAX = 1 << 16, /* a division whose result has more steps makes no cuts */
};

/*
 * Record times at which to cut; cuts_seal() sorts them and removes duplicates. All 0 is
 * empty.
 */
struct cuts {
    u64 *at;
    u32 count;
    u32 room;
};

/* Add a cut at a record time. 0 or -ENOMEM. */
int cuts_add(struct cuts *cuts, u64 at);

/*
 * Add cuts at the times at which the value of a bound filter or key may change; NULL:
 * none. 0 or -ENOMEM.
 */
int cuts_add_bound(struct cuts *cuts, const struct bound_filter *bound);

void cuts_seal(struct cuts *cuts);
void cuts_free(struct cuts *cuts);

/*
 * A part of an event: from `before` to `after` of its `whole` duration, record times.
 */
struct piece {
    u64 moment; /* a record time within it */
    u64 before;
    u64 after;
    u64 whole;
    bool ends; /* the event ends in it */
};

/* The piece's share of a value that stands for the whole duration. */
static inline u64
cuts_piece_share(const struct piece *piece, u64 value)
{
    typedef unsigned __int128 wide;

    if (!piece->whole)
        return piece->ends ? value : 0;
    return (u64)((wide)value * piece->after / piece->whole) -
           (u64)((wide)value * piece->before / piece->whole);
}

/* Record times [from, to). */
struct gap {
    u64 from;
    u64 to;
};

/*
 * The time of a thread that is not yet assigned to a record: gaps. A clock hit or a
 * wait says only how much time has passed when it is recorded. That much time is taken
 * from the latest gaps before it, so that no moment of a thread counts twice. If the
 * gaps are too short, the remainder is left out: it is more than the thread can have
 * used, and residuals correct that.
 */
struct thread_lane {
    struct gap *gap;
    u32 count;
    u32 room;
    u64 until; /* record time up to which gaps were made */
};

/*
 * By slot: lane[i + 1] is that of threads.row[i]; lane[0] of events without a thread.
 */
struct thread_lanes {
    struct thread_lane *lane;
    u32 count;
};

/*
 * Make lanes that begin with each thread. shift: the file's time_shift. 0 or -ENOMEM.
 */
int cuts_open_lanes(struct thread_lanes *lanes, const struct experiment *e, u32 shift);
void cuts_close_lanes(struct thread_lanes *lanes);

struct region_lane;

struct slicer {
    const struct cuts *cuts;
    const struct region_lane *regions; /* cut also at these; NULL = at none */
    u32 shift;                         /* time_shift of the file, for `regions` */
    struct piece *piece;
    u32 count;
    u32 room;
    bool no_memory;
};

/*
 * Set slicer->piece to the pieces of an event that ended at `time` and had lasted
 * `took`, both record times. cuts_slice_lane() takes that duration from the gaps of the
 * lane; it must be called for the events of a lane in the order of time.
 */
void cuts_slice(struct slicer *slicer, u64 time, u64 took);
void cuts_slice_lane(struct slicer *slicer, struct thread_lane *lane, u64 time,
                     u64 took);
void cuts_free_slicer(struct slicer *slicer);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is told to a walk and what it tells: limits, and the parts of struct walk that
 * its callers see. See collector/sig/walk.h. Any context.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_WALK_INFO_H
#define ERTOOLS_COLLECTOR_SIG_WALK_INFO_H

#include "share/types.h"

enum {
    WALK_FRAMES = 16384, /* frames kept; of deeper stacks the leaf's and root's half */
    WALK_STEPS = 1 << 21, /* number of frames at which a walk is truncated */
};

/* How a walk ended. */
enum walk_end {
    WALK_ROOT,      /* it reached the stack's root */
    WALK_TRUNCATED, /* it did not: the outermost node has NODE_TRUNCATED */
};

/*
 * What a thread of a team waits for after its part of a parallel region: while *count
 * is `at`, for the end of the region that `word` stands for (join.h); after that, for
 * the next region. word 0 = it does not wait.
 */
struct walk_after {
    u64 word;
    const u32 *count;
    u32 at;
};

/* Facts about the last complete walk, and counts, for tests and statistics. */
struct walk_info {
    u32 depth;  /* frames, those of the collector not counted */
    u32 reused; /* frames reused from the walk before */
    u32 omitted; /* frames left out of the middle */
    u32 end;    /* enum walk_end */
    u64 walks;     /* walks begun so far */
    u64 truncated; /* walks that ended before the root */
    u64 dropped; /* walks that gave no node: nested too deep, or no room for nodes */
};

#endif

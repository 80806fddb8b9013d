/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The regions that programs have named; all experiments are in one tree. A region is
 * identified by its name and the names of those around it. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_LOOKUP_REGIONS_H
#define ERTOOLS_PRINT_MODEL_LOOKUP_REGIONS_H

#include "print/base/hash.h"
#include "print/base/pool.h"
#include "print/model/session.h"

enum region_use {
    USE_CPU, /* ns */
    USE_MINFLT,
    USE_MAJFLT,
    USE_SWITCHES,  /* voluntary context switches */
    USE_PREEMPTED, /* involuntary context switches */
    USE_COUNT,
};

enum {
    REGION_IDS_MAX = 1 << 28, /* ignore this and larger ids: damage */
};

/* A record `path`. */
struct region_id {
    u32 id;
    u32 parent; /* id of the region around it, 0 = none */
    u32 node;   /* the experiment's node id: where it begins */
    u32 slot;   /* of its thread: threads_slot() */
    const char *name;
};

/* The numbers that the program gave to instances of a region. */
struct region_numbers {
    u64 count;
    int64_t least, most;
    double sum;
};

/*
 * A region. Times are in ns, except `ticks`. Times and uses include those in inner
 * regions, except self_cpu.
 */
struct region {
    const char *name;
    u32 parent; /* index in regions.region; 0 = in no other region */
    u32 child;  /* first region in it, 0 = none; sorted by time after regionbuild() */
    u32 next;   /* index of its next sibling, 0 = none */
    u32 depth;  /* 1 = in no other region */
    u64 count;  /* instances that have ended */
    u64 ticks;  /* exact sum of their durations, in units of record times */
    double wall;    /* sum of the durations of instances, also of open ones */
    double longest; /* duration of the longest instance that has ended */
    double children; /* wall time of the regions within it */
    double used[USE_COUNT]; /* by enum region_use: of the threads in it */
    double self_cpu; /* CPU time without that in inner regions */
    double unsure; /* ns by which the CPU time can be wrong */
    u32 open;      /* instances that did not end */
    u32 threads;   /* threads with instances of it */
    double busiest; /* wall time of the thread that spent most in it */
    struct region_numbers numbers;
    bool present;   /* it, or a region within it, has instances */
    u32 experiment, node; /* where one of its ids begins: node id of an experiment */
};

/* All intervals of one name. */
struct region_interval {
    const char *name;
    u64 count, open; /* how many ended, and did not */
    double wall, longest; /* ns: sum, and longest */
    u64 elsewhere; /* of count, those that another thread ended */
};

/* All marks of one name. */
struct region_mark {
    const char *name;
    u64 count;
};

/* A text that the program gave to instances of a region. */
struct region_text {
    const char *name; /* the text */
    u32 region;       /* index in regions.region */
    u64 count;        /* how often it was given */
};

struct regions {
    struct region *region; /* [0] is the parent of all outermost regions */
    u32 count, room;
    struct region_interval *interval; /* sorted by wall time */
    u32 intervals, interval_room;
    struct region_mark *mark;
    u32 marks, mark_room;
    struct region_text *text; /* sorted by count */
    u32 texts, text_room;
    u64 more_texts; /* texts left out, as there were too many different ones */
    u64 strays;   /* ends of regions without a beginning */
    u64 too_deep; /* how often regions were nested too deeply */
    u64 readings; /* how often the resource use of a thread was read */
    struct hash hash, interval_hash, mark_hash, text_hash;
    struct pool *pool;
};

/* Make an empty tree, for regions_named(). 0 or -ENOMEM. */
int regions_begin(struct regions *out);

/*
 * The region with that name in the region `parent` (0 = in none), which is made if it
 * is new; 0 = no memory.
 */
u32 regions_named(struct regions *regions, u32 parent, const char *name);

void regions_free(struct regions *regions);

/* The next region in preorder (parents before children; 0 is the first); 0 = none. */
u32 regions_next(const struct regions *regions, u32 region);

/*
 * "load/parse": the names of the regions around a region, then its own, for the caller
 * to free. NULL = no memory.
 */
char *regions_path(const struct regions *regions, u32 region);

/*
 * Like regions_path(), with the character `between` between names, and `end` appended.
 */
char *regions_path_by(const struct regions *regions, u32 region, char between,
                      const char *end);

/* Add the numbers in *more to those in *to. */
void regions_add_numbers(struct region_numbers *to, const struct region_numbers *more);

/* The wall time of a region without that of the regions within it. */
static inline double
region_self(const struct region *r)
{
    return r->wall > r->children ? r->wall - r->children : 0;
}

#endif

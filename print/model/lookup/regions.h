/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The regions that programs have named; all experiments are in one tree. A region is
 * identified by its name and the names of those around it. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_LOOKUP_REGIONS_H
#define ERTOOLS_PRINT_MODEL_LOOKUP_REGIONS_H

#include "print/load/hash.h"
#include "print/load/pool.h"
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
    REGION_IDS_MAX = 1 << 28,
};

/* A record `path`. */
struct region_id {
    u32 id;
    u32 parent; /* an id, 0 = none */
    u32 node;   /* the experiment's stack node */
    u32 slot;   /* of its thread */
    const char *name;
};

/* Numbers that instances were given. */
struct region_numbers {
    u64 count;
    int64_t least, most;
    double sum;
};

/* Times are in ns. They include the time in inner regions, except `self_cpu`. */
struct region {
    const char *name;
    u32 parent; /* index in regions.region; [0] is around all */
    u32 child;  /* the first, 0 = none; by time after regionbuild() */
    u32 next;   /* its sibling, 0 = none */
    u32 depth;  /* 1 = in no other */
    u64 count;  /* instances that have ended */
    u64 ticks;  /* their time in ticks, to the last one */
    double wall;
    double longest;
    double children; /* wall time of the regions within it */
    double used[USE_COUNT];
    double self_cpu;
    double unsure; /* ns by which the CPU time can be wrong */
    u32 open;      /* instances that did not end; their time is part of wall */
    u32 threads;   /* threads with instances of it */
    double busiest; /* wall time of the thread that spent most in it */
    struct region_numbers numbers;
    bool present;   /* it, or a region within it, has instances */
    u32 experiment, node; /* where it began: a stack node of an experiment */
};

struct region_interval {
    const char *name;
    u64 count, open;
    double wall, longest;
    u64 elsewhere; /* of count, those that another thread ended */
};

struct region_mark {
    const char *name;
    u64 count;
};

/* A text that the program gave to instances of a region. */
struct region_text {
    const char *name; /* the text */
    u32 region;
    u64 count;
};

struct regions {
    struct region *region;
    u32 count, room;
    struct region_interval *interval; /* by wall time */
    u32 intervals, interval_room;
    struct region_mark *mark;
    u32 marks, mark_room;
    struct region_text *text; /* by count */
    u32 texts, text_room;
    u64 more_texts; /* that were given once there were too many different ones */
    u64 strays;   /* ends without a beginning */
    u64 too_deep; /* how often regions were nested too deeply */
    u64 readings; /* of threads' resource use */
    struct hash hash, interval_hash, mark_hash, text_hash;
    struct pool *pool;
};

/* An empty tree, for regions_named(). 0 or -ENOMEM. */
int regions_begin(struct regions *out);

/*
 * The region with that name within another one, which is made if it is new; 0 = no
 * memory.
 */
u32 regions_named(struct regions *regions, u32 parent, const char *name);

void regions_free(struct regions *regions);

/* The next region in preorder (parents before children); 0 = none. */
u32 regions_next(const struct regions *regions, u32 region);

/* "load/parse": the region's name after those around it; the caller frees it. */
char *regions_path(const struct regions *regions, u32 region);

/*
 * Like regions_path(), with the character `between` between names, and `end` appended.
 */
char *regions_path_by(const struct regions *regions, u32 region, char between,
                      const char *end);

/* Add numbers to numbers. */
void regions_add_numbers(struct region_numbers *to, const struct region_numbers *more);

/* The wall time of a region without that of the regions within it. */
static inline double
region_self(const struct region *r)
{
    return r->wall > r->children ? r->wall - r->children : 0;
}

#endif

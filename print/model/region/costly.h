/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instances of regions that took far longer than others of the same region, or that
 * took much of an instance which usually contains no such region; and the reason for
 * each. Only instances that pass the filter count. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_REGION_COSTLY_H
#define ERTOOLS_PRINT_MODEL_REGION_COSTLY_H

#include "print/model/lookup/regions.h"

/* What a thread did during an instance, and by which data that is known. */
enum costly_kind {
    COSTLY_LOCK,   /* waited for something of synctrace */
    COSTLY_IO,     /* was in calls of iotrace */
    COSTLY_MPI,    /* was in calls of mpitrace */
    COSTLY_OFF,    /* did not run, by collect -p wall */
    COSTLY_SAMPLE, /* ran, by hits of a clock */
    COSTLY_KINDS,
};

struct costly_part {
    enum costly_kind kind;
    u64 ns;
    u64 count;
    u64 bytes;
    u64 object;      /* a lock's address; a file's id */
    u32 what; /* kind of lock; I/O or MPI call; state; of a sample: 1 = in the kernel */
    u32 holder;      /* of a lock: the holder's thread id, 0 = not known */
    u32 holder_node; /* where the holder had acquired it: the experiment's own id */
    u32 node;        /* the stack: the experiment's own id */
};

struct costly {
    u32 experiment;
    u32 slot;   /* the thread: index in threads.row + 1 */
    u32 region; /* index in struct regions */
    u32 around; /* region of the instance around it, 0 = none */
    bool inside; /* it is compared with `around`, not with its own region */
    u64 from, to;  /* begin and end, in ticks */
    u64 since;     /* ns from the start of the run to its beginning */
    u64 took;      /* ns */
    u64 usual;     /* ns: the median of its region; if `inside`, what `around` took */
    u64 excess;    /* ns: took - usual; if `inside`, `took` */
    bool numbered; /* `number` is set */
    int64_t number;   /* the last number that the program gave it */
    char *text;       /* the last text that the program gave it, or NULL */
    struct costly_part *part; /* the longest first */
    u32 parts, room;
    bool known; /* the thread's use was read before and after it */
    double used[USE_COUNT]; /* if `known`: the use between these two readings */
    double slack; /* if `known`: ns between the readings that are outside it */
};

struct costlies {
    struct costly *row; /* the greatest excess first */
    u32 count;
    u64 left_out;    /* number of costly instances that are not in row[] */
    double fault_ns; /* ns that a page fault costs at most, 0 = not known */
};

/*
 * Get the `most` costliest instances (0 = all). 0 and *out for costly_free(), -ENOENT
 * (no regions) or -ENOMEM.
 */
int costly_get(struct session *session, u32 most, struct costlies *out);
void costly_free(struct costlies *costlies);

/* Find out what threads did in the instances; called by costly.c only. 0 or -ENOMEM. */
int costly_explain(struct session *session, struct costlies *costlies);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a thread does in parallel regions, summed up by the region's place. The sums are
 * records whose fields have fixed places and are rewritten, so that nothing is lost
 * whatever ends the process, and a region costs no space. A place gets a new record
 * when the chunk is full, or the sums are a second old.
 *
 * Time is counted once: scopes nest, and each has what no scope within it has. Normal
 * context of the thread itself, but for what omp_state_close() does for others.
 */
#ifndef ERTOOLS_COLLECTOR_OMP_OMP_STATE_H
#define ERTOOLS_COLLECTOR_OMP_OMP_STATE_H

#include "collector/hook/trace.h"
#include "share/types.h"

/* The fields behind time and node, as records.def has them. */
struct omp_sums {
    u64 count, parts, threads, elapsed, work, wait_end, wait_barrier, wait_critical,
        wait_ordered, wait_task, ovhd, lost, save, serial;
} __attribute__((packed));

struct omp_task_sums {
    u64 created, executed, creating, work, longest;
} __attribute__((packed));

enum {
    OMP_PLACES = 128, /* in a cache, by stack node */
    OMP_ENDS = 16,    /* of a count's last regions, see struct omp_end */
};

/* When regions ended: *count has gone on to number n at tick[n % OMP_ENDS]. */
struct omp_end {
    u32 count;
    u64 tick[OMP_ENDS];
};

/* Of this thread's part of a region, which is done: it waits for the region's end. */
struct omp_pending {
    u64 since; /* 0 = nothing is pending */
    u64 word;
    const struct omp_end *end;
    u32 at;
};

struct omp_place {
    u32 node;
    u32 record; /* its kind, 0 = this place is free */
    const struct er_chunk *chunk;
    u32 seq;
    u64 began;
    void *fields;
};

struct omp_region;

struct omp_state {
    u64 inner;  /* ticks of the scopes within the present one */
    u64 word;   /* of the region that this thread works in, 0 = none */
    u64 busy;   /* ticks of work in this region so far */
    struct omp_region *region;
    u32 in_part; /* between the beginning and the end of its part */
    u64 ended;   /* when the last region ended that it began, 0 = none */
    struct omp_pending pending;
    struct chunk_writer writer;
    struct omp_place place[OMP_PLACES];
};

/* The thread's, or NULL: there is no memory for it. */
struct omp_state *omp_state_of(struct thread *t);

/*
 * Sums of the place that a word stands for (sig/join.h), or NULL: no room, another
 * process's, or nothing is to be recorded now.
 */
struct omp_sums *omp_sums_of(struct thread *t, u64 word, u64 now);
struct omp_task_sums *omp_task_sums_of(struct thread *t, u64 word, u64 now);

/* What was pending when another part begins, or the thread ends. */
void omp_settle(struct thread *t, struct omp_state *st);

/* What has been begun with omp_scope_begin() at `since`: its own ticks. */
static inline u64
omp_scope_begin(struct omp_state *st)
{
    u64 outer = st->inner;

    st->inner = 0;
    return outer;
}

static inline u64
omp_scope_end(struct omp_state *st, u64 outer, u64 since, u64 now)
{
    u64 all = trace_between(since, now), own = trace_between(st->inner, all);

    st->inner = outer + all;
    return own;
}

/* Its memory stays in a forked child, which begins with none: preload/thread.c. */
void omp_state_close(struct thread *t, int ends);

#endif

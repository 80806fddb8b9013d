/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a thread does in parallel regions, summed up by the region's place. The sums are
 * records whose fields have fixed places and are rewritten, so that nothing is lost
 * whatever ends the process, and a region costs no space. A place gets a new record
 * when the chunk is full, or the sums are a second old.
 *
 * Time is counted once: scopes nest, and each counts only the time outside its inner
 * scopes. Normal context of the thread itself, except omp_state_close().
 */
#ifndef ERTOOLS_COLLECTOR_OMP_OMP_STATE_H
#define ERTOOLS_COLLECTOR_OMP_OMP_STATE_H

#include <time.h>

#include "collector/hook/trace.h"
#include "collector/sig/clock.h"
#include "share/types.h"

/* The fields behind time and node, as records.def has them. */
struct omp_sums {
    u64 count, parts, threads, elapsed, work, wait_end, wait_barrier, wait_critical,
        wait_ordered, wait_task, ovhd, lost, save, serial, asleep;
} __attribute__((packed));

struct omp_task_sums {
    u64 created, executed, creating, work, longest;
} __attribute__((packed));

struct omp_loop_sums {
    u64 schedule, count, parts, iterations, chunks, work, wait, elapsed, lost, save;
} __attribute__((packed));

enum {
    OMP_PLACES = 128, /* in a cache, by stack node */
    OMP_ENDS = 16,    /* of a count's last regions, see struct omp_end */
    OMP_LEVELS = 4,   /* of nested regions that a thread begins */
    OMP_SHARED = 16,  /* of a region's last loops, see struct omp_shared */
    OMP_PCS = 16,     /* in a cache, by address */
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
    u64 cpu; /* ns the thread had used, 0 = not known */
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

/* The loop that a thread works in, or what it does between two barriers. */
struct omp_loop {
    u64 since; /* 0 = no loop is open */
    u64 inner; /* ticks of scopes within the part, at that moment */
    u64 word;  /* of its place */
    u64 iterations;
    u64 chunks;
    int64_t step;
    u32 schedule;
    u32 number; /* of those in this part, from 1 */
    u64 behind; /* the word of the loop whose barrier comes next, 0 = of none */
    u64 phase;  /* when the last barrier ended, or the part began */
    u64 phase_inner;
};

/* What all threads of a region did in one loop. */
struct omp_shared {
    u64 tag; /* which loop: omp_loop.c */
    u64 word;
    u64 first, last; /* when the first began, and the last one ended */
    u64 parts, busy, most; /* as struct omp_region has them */
    u32 schedule;
};

struct omp_state {
    u64 inner;  /* ticks of the scopes within the present one */
    u64 word;   /* of the region that this thread works in, 0 = none */
    u64 busy;   /* ticks of work in this region so far */
    struct omp_region *region;
    u32 in_part; /* between the beginning and the end of its part */
    u64 ended;   /* when the last region ended that it began, 0 = none */
    struct omp_pending pending;
    struct omp_loop loop;
    u32 long_wait; /* the last critical section or turn took long to get */
    u32 alone;   /* regions with one thread, which are not recorded, around this */
    u32 regions; /* that this thread has begun */
    struct {
        const void *pc;
        u64 word;
    } pc[OMP_PCS];
    struct omp_shared shared[OMP_LEVELS][OMP_SHARED];
    struct chunk_writer writer;
    struct omp_place place[OMP_PLACES];
};

/* The thread's, or NULL: there is no memory for it. */
struct omp_state *omp_state_of(struct thread *t);

/*
 * Sums of the place that a word stands for (sig/join.h), or NULL: no room, another
 * process's, or nothing is to be recorded now. The next call for other sums may seal
 * the chunk that these are in: use them before it.
 */
struct omp_sums *omp_sums_of(struct thread *t, u64 word, u64 now);
struct omp_task_sums *omp_task_sums_of(struct thread *t, u64 word, u64 now);
struct omp_loop_sums *omp_loop_sums_of(struct thread *t, u64 word, u64 now);

/* What was pending when another part begins, or the thread ends. */
void omp_settle_pending(struct thread *t, struct omp_state *st);

static inline void
omp_settle(struct thread *t, struct omp_state *st)
{
    if (__atomic_load_n(&st->pending.since, __ATOMIC_RELAXED))
        omp_settle_pending(t, st);
}

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

/* ns of CPU time that the calling thread has used; 0 without collect -p wall. */
static inline u64
omp_cpu(void)
{
    return ER_LIKELY(!*trace_services->wall_is_on)
               ? 0
               : clock_read(CLOCK_THREAD_CPUTIME_ID);
}

/*
 * Of a wait that lasts since then, and is `own` long without what was done meanwhile:
 * ticks in which the thread did not have the processor. cpu: what omp_cpu() was, or 0.
 */
u64 omp_asleep(u64 since, u64 now, u64 cpu, u64 own);

/* A maximum that several threads work on. */
static inline void
omp_put_most(u64 *most, u64 value)
{
    u64 old = __atomic_load_n(most, __ATOMIC_RELAXED);

    while (old < value && !__atomic_compare_exchange_n(most, &old, value, 0,
                                                       __ATOMIC_RELAXED,
                                                       __ATOMIC_RELAXED))
        continue;
}

/* Its memory stays in a forked child, which begins with none: preload/thread.c. */
void omp_state_close(struct thread *t, int ends);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a thread does in parallel regions, summed up for each place where a region
 * begins. The sums are records whose fields have fixed offsets and are overwritten. So
 * nothing is lost if the process is killed, and a region takes no space of its own. A
 * place gets a new record when the chunk is full, or when the sums are a second old.
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

/* The fields of records after time and node, laid out as in records.def. */
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
    OMP_PLACES = 128, /* size of a cache, by stack node */
    OMP_ENDS = 16,    /* the last regions in struct omp_end */
    OMP_LEVELS = 4,   /* levels of nested regions with loops */
    OMP_SHARED = 16,  /* the last loops of a region: struct omp_shared */
    OMP_PCS = 16,     /* size of a cache, by address */
};

/*
 * When the last regions of a thread at one nesting level ended. So far, `count` have
 * ended; the nth of them, from 1, ended at tick[n % OMP_ENDS].
 */
struct omp_end {
    u32 count;
    u64 tick[OMP_ENDS];
};

/* This thread's part of a region is done: the thread waits for the region's end. */
struct omp_pending {
    u64 since; /* ticks; 0 = nothing is pending */
    u64 word;  /* the region's join word (sig/join.h) */
    const struct omp_end *end;
    u32 at;    /* value of end->count until the region has ended */
    u64 cpu; /* ns of CPU time that the thread had used, 0 = not known */
};

/* A record of sums that is still being changed, and where it is. */
struct omp_place {
    u32 node;
    u32 record; /* kind of record, 0 = this place is free */
    const struct er_chunk *chunk;
    u32 seq;      /* the chunk's number, as its memory may be reused */
    u64 began;    /* ticks when the record was made */
    void *fields; /* NULL = there was no room for the record */
};

struct omp_region;

/* The loop that a thread works in, or what it does between two barriers. */
struct omp_loop {
    u64 since; /* ticks when the loop began, 0 = no loop is open */
    u64 inner; /* ticks of scopes within the part when the loop began */
    u64 word;  /* the join word of its place */
    u64 iterations;
    u64 chunks;
    int64_t step;
    u32 schedule;
    u32 number; /* number of the loop in this part, from 1 */
    u64 behind; /* join word of the loop that the next barrier ends, 0 = none */
    u64 phase;  /* when the last barrier ended, or the part began */
    u64 phase_inner;
};

/* What all threads of a region did in one loop. */
struct omp_shared {
    u64 tag; /* identifies the loop: see omp_loop.c */
    u64 word;
    u64 first, last; /* when the first thread began, and the last one ended */
    u64 parts, busy, most; /* as in struct omp_region */
    u32 schedule;
};

struct omp_state {
    u64 inner;  /* ticks of the scopes within the present one */
    u64 word;   /* join word of this thread's region, 0 = none */
    u64 busy;   /* ticks of work in this region so far */
    struct omp_region *region;
    u32 in_part; /* 1 = between the beginning and the end of its part */
    u64 ended;   /* when the last region that it began ended, 0 = none */
    struct omp_pending pending;
    struct omp_loop loop;
    u32 long_wait; /* 1 = the last wait for a critical or ordered section was long */
    u32 alone;   /* nested regions with one thread, which are not recorded */
    u32 regions; /* number of regions that this thread has begun */
    struct {
        const void *pc;
        u64 word;
    } pc[OMP_PCS];
    struct omp_shared shared[OMP_LEVELS][OMP_SHARED];
    struct chunk_writer writer;
    struct omp_place place[OMP_PLACES];
};

/* The state of a thread, made if needed; NULL: there is no memory for it. */
struct omp_state *omp_state_of(struct thread *t);

/*
 * The sums for the place that a join word stands for (sig/join.h), or NULL: there is no
 * room, the word is another process's, or nothing is to be recorded now. The next call
 * for other sums may seal the chunk with these sums: use them before it.
 */
struct omp_sums *omp_sums_of(struct thread *t, u64 word, u64 now);
struct omp_task_sums *omp_task_sums_of(struct thread *t, u64 word, u64 now);
struct omp_loop_sums *omp_loop_sums_of(struct thread *t, u64 word, u64 now);

/* Account for the wait that is pending when another part begins, or the thread ends. */
void omp_settle_pending(struct thread *t, struct omp_state *st);

static inline void
omp_settle(struct thread *t, struct omp_state *st)
{
    if (__atomic_load_n(&st->pending.since, __ATOMIC_RELAXED))
        omp_settle_pending(t, st);
}

/*
 * Begin and end a scope. omp_scope_end() gets what omp_scope_begin() returned, and the
 * time `since` at which the scope began. It returns the scope's own ticks: without
 * those of the scopes within it.
 */
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
 * The ticks of a wait from `since` to `now` in which the thread had no processor. own:
 * the length of the wait without what the thread did in the meantime. cpu: omp_cpu() at
 * its beginning, or 0.
 */
u64 omp_asleep(u64 since, u64 now, u64 cpu, u64 own);

/* Raise a maximum that several threads update. */
static inline void
omp_put_most(u64 *most, u64 value)
{
    u64 old = __atomic_load_n(most, __ATOMIC_RELAXED);

    while (old < value && !__atomic_compare_exchange_n(most, &old, value, 0,
                                                       __ATOMIC_RELAXED,
                                                       __ATOMIC_RELAXED))
        continue;
}

/*
 * Account for the thread's pending wait; ends: 1 = also free its state, since it ends.
 * A forked child, which begins without states, never frees its parent's:
 * preload/thread.c.
 */
void omp_state_close(struct thread *t, int ends);

#endif

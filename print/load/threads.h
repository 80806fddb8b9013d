/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The threads of an experiment.
 */
#ifndef ERTOOLS_PRINT_LOAD_THREADS_H
#define ERTOOLS_PRINT_LOAD_THREADS_H

#include <stdbool.h>

#include "print/base/problems.h"
#include "print/load/record/schema.h"
#include "share/record.h"
#include "share/types.h"

/*
 * A thread. Times are ns of CLOCK_MONOTONIC, CPU times ns; 0 = not recorded.
 */
struct thread_row {
    u32 id;
    u32 tid;
    u64 birth;
    u64 death; /* 0 = not seen */
    u64 cpu_birth;   /* its CPU time at birth */
    u64 cpu_last;    /* its CPU time when last looked at */
    u64 system_last; /* the part of cpu_last in the kernel */
    u64 seen;    /* clock hits that its handlers saw, and kernel hits */
    u64 dropped; /* of `seen`, hits that were not recorded */
    u64 trace_seen[TRACE_COUNT];    /* events of each family of tracing */
    u64 trace_dropped[TRACE_COUNT]; /* of trace_seen, events that were not recorded */
    u64 count_seen; /* hits of counters */
    u64 count_dropped; /* of count_seen, hits that were not recorded */
    u64 count_lost; /* overflows that the kernel did not describe */
    u64 count_throttled;
    u64 sync_calls; /* calls that could have waited, also those too short for events */
    u64 sync_unheld; /* locks acquired while it held too many to record them */
    u64 off_seen; /* records of time in which it did not run */
    u64 off_dropped; /* of off_seen, records that were not written */
    u64 delay_birth; /* ns that it had waited for a processor, at birth */
    u64 delay_last;  /* the same, when last looked at */
    u64 wait_since; /* tick at which its last, unfinished call began; 0 = none */
    u64 self; /* its pthread_t, 0 = not known */
    u32 wait_node;  /* stack node of that call, 0 = not known */
    u32 wait_state; /* enum er_mstate, of that call */
    u64 start;   /* pc of its start function, 0 = not known */
    u32 instance; /* load instance that has `start`, 0 = not known */
    u32 source; /* bits of enum er_source_flag */
    bool is_java; /* of a Java program; the machine's own are not */
    char name[128];
};

struct threads {
    struct thread_row *row; /* sorted by id; only rows that were written */
    u32 count;
    u32 id_max; /* largest id */
};

/* 0, -EINVAL (the schema describes no such rows) or -ENOMEM. */
int threads_read(struct threads *out, const struct schema_file *file, const void *data,
                 u64 size);
void threads_free(struct threads *threads);

/*
 * Mark the thread as one of a Java program and set its name, unless it is marked
 * already.
 */
void threads_name(struct threads *threads, u32 id, const char *name);

/* The thread with that id; NULL if there is none. */
const struct thread_row *threads_find(const struct threads *threads, u32 id);

/*
 * The last thread with this pthread_t that was born at `mono` or before; it may have
 * ended since. NULL: none.
 */
const struct thread_row *threads_by_pointer(const struct threads *threads, u64 pointer,
                                            u64 mono);

/* The index of the thread in `row`, + 1; 0 if there is none. */
u32 threads_slot(const struct threads *threads, u32 id);

#endif

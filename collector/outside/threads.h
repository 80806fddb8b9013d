/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The threads of the target as they are seen from outside: their rows, and their
 * records in the profile. Normal context of the helper.
 */
#ifndef ERTOOLS_OUTSIDE_THREADS_H
#define ERTOOLS_OUTSIDE_THREADS_H

#include "collector/sig/space.h"
#include "share/record.h"
#include "share/types.h"

struct seen_thread {
    u32 tid;
    u32 id; /* row in the file threads */
    struct rec_thread *row; /* NULL = there was no room */
    struct chunk_writer writer;
    u64 given;  /* ns: weights that were recorded */
    u64 system; /* of these in the kernel */
    u64 paused; /* ns: weights of hits while recording was paused */
    struct seen_thread *next;
};

struct threads {
    int beside; /* the target writes the rows itself: it is sampled from both sides */
    struct seen_thread *first; /* those that live */
    u64 given;  /* ns of all: weights, also of hits while recording was paused */
    u64 system; /* of these in the kernel */
};

/*
 * The thread with this id; one that is new was born at mono. NULL = no memory; beside:
 * or that the target has no row for it at that time, as it is not recorded then.
 */
struct seen_thread *threads_get(struct threads *threads, u32 tid, u64 mono);

/* Its name, as the kernel has it. */
void threads_name(struct seen_thread *thread, const char *name, size_t len);

/* A hit of weight ns, at that stack node. */
void threads_hit(struct threads *threads, struct seen_thread *thread,
                 const struct rec_clock *clock);

/*
 * CPU ns of the process that no hit has, as if they were this thread's. NULL: none.
 * kind: enum er_residual.
 */
void threads_rest(struct seen_thread *thread, u32 kind, u64 tick, int64_t user,
                  int64_t system);

/* The thread has ended; tick and mono are one moment. The second: all have. */
void threads_end(struct threads *threads, u32 tid, u64 tick, u64 mono);
void threads_end_all(struct threads *threads, u64 tick, u64 mono);

#endif

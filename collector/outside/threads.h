/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The threads of a target that is sampled from outside: their rows in the file threads,
 * and their records in the profile. Normal context of the helper.
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
    u64 given;  /* ns: sum of the weights of recorded hits */
    u64 system; /* ns: the part of `given` in the kernel */
    u64 paused; /* ns: weights of hits while recording was paused */
    struct seen_thread *next;
};

struct thread_table {
    int beside; /* the target writes the rows itself: it is sampled from both sides */
    struct seen_thread *first; /* list of living threads */
    u64 given;  /* ns: sum of all weights, also of hits while recording was paused */
    u64 system; /* ns: the part of `given` in the kernel */
};

/*
 * The thread with this id; if it is new, it is added, with its birth at mono. NULL = no
 * memory; with `beside` also: the target has no row for the thread at that time.
 */
struct seen_thread *threads_get(struct thread_table *threads, u32 tid, u64 mono);

/* Set the thread's name in its row; len: its bytes. */
void threads_name(struct seen_thread *thread, const char *name, size_t len);

/* Record a hit; while recording is paused, only add up its weight. */
void threads_hit(struct thread_table *threads, struct seen_thread *thread,
                 const struct rec_clock *clock);

/*
 * Record CPU ns of the process that no hit stands for as residual of this thread. Does
 * nothing if thread is NULL. kind: enum er_residual.
 */
void threads_rest(struct seen_thread *thread, u32 kind, u64 tick, int64_t user,
                  int64_t system);

/*
 * Record that a thread has ended, or that all have; tick and mono are the same moment.
 */
void threads_end(struct thread_table *threads, u32 tid, u64 tick, u64 mono);
void threads_end_all(struct thread_table *threads, u64 tick, u64 mono);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Possible deadlocks: cycles in the order in which threads acquired locks. The locks
 * may have been acquired at any time of the run, and no deadlock need have happened.
 * Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_SYNC_DEADLOCKS_H
#define ERTOOLS_PRINT_MODEL_SYNC_DEADLOCKS_H

#include <stdbool.h>

#include "print/model/session.h"

/* Can the threads come to wait for each other, by what was recorded? */
enum deadlock_verdict {
    DEADLOCK_POSSIBLE,
    DEADLOCK_FEW_THREADS, /* two of its steps were seen in the same thread only */
    DEADLOCK_READERS,    /* in some step, a reader would wait only for a reader */
    DEADLOCK_GATE,       /* two of its steps hold one more lock in common */
};

/* A step of a cycle: a thread held one lock, and asked for the next one. */
struct deadlock_step {
    u64 held;      /* address of the lock that it held */
    u64 object;    /* address of the lock that it asked for */
    u32 held_kind; /* as in struct lock */
    u32 kind;      /* kind of `object` */
    u32 held_node; /* where it had acquired what it held; for frames_of() */
    u32 node;      /* where it asked; for frames_of() */
    u32 thread;    /* index in threads.row + 1, 0 = not known */
    u32 others;    /* how many more times this was seen */
    u64 since;     /* when it asked: ns from the start of the run */
};

struct deadlock {
    u32 experiment;
    enum deadlock_verdict verdict;
    u64 gate; /* DEADLOCK_GATE: the lock in common */
    u32 gate_kind;
    u32 step; /* index of its first step in deadlocks.step */
    u32 steps; /* number of its steps */
};

struct deadlocks {
    bool recorded; /* an experiment has such data, or was to have it */
    bool more;     /* some cycles or records were left out, as there were too many */
    struct deadlock *deadlock; /* possible ones first, then shorter ones */
    u32 count;
    u32 room;
    struct deadlock_step *step;
    u32 steps;
    u32 step_room;
};

/* Find the possible deadlocks. 0 and *out for deadlocks_free(), or -errno. */
int deadlocks_get(struct session *session, struct deadlocks *out);
void deadlocks_free(struct deadlocks *deadlocks);

#endif

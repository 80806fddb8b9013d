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
    DEADLOCK_FEW_THREADS, /* two of its steps were seen in one thread only */
    DEADLOCK_READERS,    /* a reader waits only for a reader */
    DEADLOCK_GATE,       /* two of its steps hold one more lock in common */
};

/* A step of a cycle: a thread held one lock, and asked for the next one. */
struct deadlock_step {
    u64 held;
    u64 object;
    u32 held_kind; /* as in struct lock */
    u32 kind;
    u32 held_node; /* where it took what it holds; for frames_of() */
    u32 node;      /* where it asked */
    u32 thread;    /* index in threads.row + 1, 0 = not known */
    u32 others;    /* how often this was seen besides */
    u64 since;     /* ns from the start of the run */
};

struct deadlock {
    u32 experiment;
    enum deadlock_verdict verdict;
    u64 gate; /* DEADLOCK_GATE: the lock in common */
    u32 gate_kind;
    u32 step; /* first of its steps in deadlocks.step */
    u32 steps;
};

struct deadlocks {
    bool recorded; /* an experiment has such data, or was to have it */
    bool more;     /* there were more cycles, or orders, than could be looked at */
    struct deadlock *deadlock; /* possible ones first, then shorter ones */
    u32 count;
    u32 room;
    struct deadlock_step *step;
    u32 steps;
    u32 step_room;
};

/* 0 and *out for deadlocks_free(), or -errno. */
int deadlocks_get(struct session *session, struct deadlocks *out);
void deadlocks_free(struct deadlocks *deadlocks);

#endif

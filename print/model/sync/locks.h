/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects for which threads waited, or which they held (locks etc.): sums for each
 * object, and where in the code waiters met holders. Only events that pass the filter
 * count. Ordinary process context.
 *
 * An object is identified by its address and kind. If several objects followed one
 * another at an address, they count as one; `renewed` is the number of times that this
 * happened.
 */
#ifndef ERTOOLS_PRINT_MODEL_SYNC_LOCKS_H
#define ERTOOLS_PRINT_MODEL_SYNC_LOCKS_H

#include <stdbool.h>

#include "print/model/session.h"

/* Contention: where a thread waited, and where the holder had acquired the lock. */
struct lock_fight {
    u32 node;   /* for frames_of(); 0 = further places, all together */
    u32 holder; /* the same; 0 = not known, or nobody */
    u64 count;
    u64 time; /* ns: all of these waits */
    u64 most; /* ns: the longest */
};

struct lock {
    u32 experiment;
    u32 kind; /* enum er_sync_kind; SYNC_WRITE for all read-write locks */
    u64 addr;    /* SYNC_JOIN: the thread's id, if lock_thread() knows it */
    u64 first; /* ns from the start of the run to its first event */
    u64 waits;
    u64 contended; /* of these, the holder is known */
    u64 failed;    /* of these, it was not granted */
    u64 wait;      /* ns: all waits */
    u64 wait_most;
    u64 holds; /* 0: holds were not recorded */
    u64 hold;  /* ns */
    u64 hold_most;
    u64 renewed; /* how often an object began or ended there */
    u32 threads; /* that waited or held */
    u32 fight;   /* first of its fights in locks.fight, the longest time first */
    u32 fights;
};

struct locks {
    bool recorded; /* an experiment has such data, or was to have it */
    struct lock *lock; /* those with waits or holds, the longest wait first */
    u32 count;
    u32 room;
    struct lock_fight *fight;
    u32 fights;
    u32 fight_room;
};

/* 0 and *out for locks_free(), or -errno. */
int locks_get(struct session *session, struct locks *out);
void locks_free(struct locks *locks);

/*
 * If an object of this kind is the end of a thread: the thread; NULL = it is not known.
 */
const struct thread_row *lock_thread(const struct session *session, u32 experiment,
                                     u32 kind, u64 addr);

/* "mutex", "read-write lock", ...; kind as in struct lock. */
const char *lock_kind_name(u32 kind);

/*
 * The number of the object that an event at `ticks` (a record time) concerns, which is
 * `addr` in struct lock. For a known thread, it differs from that of a later thread
 * with the same pthread_t.
 */
u64 lock_object(const struct experiment *experiment, u64 kind, u64 object, u64 ticks);

/*
 * The kind under which an object is listed: SYNC_WRITE for SYNC_READ, as both are one
 * lock; 0 for a kind that is no object.
 */
u32 lock_kind(u64 kind);

#endif

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
struct lock_conflict {
    u32 node;   /* where threads waited, for frames_of(); 0 = all other places */
    u32 holder; /* where the holder had acquired it; 0 = not known, or nobody */
    u64 count;  /* waits */
    u64 time; /* ns: all of these waits */
    u64 most; /* ns: the longest */
};

struct lock {
    u32 experiment;
    u32 kind; /* enum er_sync_kind; SYNC_WRITE for all read-write locks */
    /*
     * SYNC_JOIN: the thread's id, if lock_thread() knows it. SYNC_FILE: a descriptor.
     * SYNC_MONITOR, SYNC_NOTIFY: the number of a Java object.
     */
    u64 addr;
    u64 first; /* ns from the start of the run to its first event */
    u64 waits;
    u64 contended; /* waits of which the holder is known */
    u64 failed;    /* waits after which the lock was not granted */
    u64 wait;      /* ns: all waits */
    u64 wait_most; /* ns: the longest */
    u64 holds; /* 0: holds were not recorded */
    u64 hold;  /* ns: all holds */
    u64 hold_most; /* ns: the longest */
    u64 renewed; /* how often an object began or ended at the address */
    u32 threads; /* number of threads that waited for it or held it */
    u32 conflict;  /* index in locks.conflict of its first one, the longest */
    u32 conflicts; /* number of its conflicts */
};

struct locks {
    bool recorded; /* an experiment has such data, or was to have it */
    struct lock *lock; /* those with waits or holds, the longest wait first */
    u32 count;
    u32 room;
    struct lock_conflict *conflict;
    u32 conflicts;
    u32 conflict_room;
};

/* Sum up. 0 and *out for locks_free(), or -errno. */
int locks_get(struct session *session, struct locks *out);
void locks_free(struct locks *locks);

/*
 * Get the thread for whose end threads waited. NULL: the kind is not SYNC_JOIN, or the
 * thread is not known. addr: as in struct lock.
 */
const struct thread_row *lock_thread(const struct session *session, u32 experiment,
                                     u32 kind, u64 addr);

/* "mutex", "read-write lock", ...; kind as in struct lock. */
const char *lock_kind_name(u32 kind);

/*
 * Get lock.addr for the object of an event: the record's `object`; but for the end of a
 * thread, the thread's id, if it is known, since a later thread may have the same
 * pthread_t. ticks: the event's time, as in records of synctrace.
 */
u64 lock_object(const struct experiment *experiment, u64 kind, u64 object, u64 ticks);

/*
 * Get the kind under which an object is listed: SYNC_WRITE for SYNC_READ, as both are
 * one lock; 0 for a kind that is not in enum er_sync_kind.
 */
u32 lock_kind(u64 kind);

#endif

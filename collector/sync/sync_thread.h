/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The locks that a thread holds, and where it acquired them: a list that only the
 * thread writes. Other threads read it when they have to wait for a lock. Any context
 * of the target; nothing here waits, allocates from the target's heap, or changes
 * errno.
 *
 * Lists are never unmapped. The writer sets an entry's object last, and clears it
 * first. A reader copies the entry, and then compares the object again.
 */
#ifndef ERTOOLS_COLLECTOR_SYNC_SYNC_THREAD_H
#define ERTOOLS_COLLECTOR_SYNC_SYNC_THREAD_H

#include "collector/sig/thread.h"
#include "share/record.h"
#include "share/types.h"

enum {
    SYNC_HELD = 64, /* most locks in a list; further ones are only counted in *unheld */
};

struct sync_held {
    u64 object; /* 0 = none, SYNC_BEGUN while it is filled in */
    u64 pc;     /* in the function that acquired it */
    u64 ticks;  /* when it was granted; 0 = no record `hold` is to be written */
    u32 node;   /* the whole stack, 0 = only pc is known */
    u32 kind;   /* enum er_sync_kind */
};

#define SYNC_BEGUN 1

struct sync_request;

struct sync_thread {
    u32 count;      /* entries of held in use */
    u32 tid;        /* the kernel's id, 0 = the list is free */
    u32 id;         /* row in the file threads */
    u32 generation; /* of the process: a forked child begins a new generation */
    u64 *calls;     /* sync_calls of the thread's row; without a row, &unseen */
    u64 *unheld;    /* sync_unheld of the thread's row; without a row, &unseen */
    u64 unseen;     /* never read */
    u64 pointer;    /* its thread pointer, which is what pthread_self() is */
    struct sync_request *ask; /* the innermost request, on the thread's stack */
    u32 index; /* index of this list among all lists */
    u32 next;  /* index + 1 of the next free list, 0 = none */
    struct sync_held held[SYNC_HELD];
} __attribute__((aligned(64)));

/*
 * If set, this function is called when a forked child makes its first list: the child
 * has a log of its own.
 */
extern void (*sync_thread_forked)(void);

/* Make the list of thread t, which has none. NULL: there is no room for it. */
struct sync_thread *sync_thread_make(struct thread *t);

static inline struct sync_thread *
sync_thread_of(struct thread *t)
{
    struct sync_thread *self = t->trace[TRACE_sync].own;

    return ER_LIKELY(self != NULL) ? self : sync_thread_make(t);
}

/*
 * The list of the thread with this kernel id, or with this thread pointer. NULL: there
 * is none, or it was not found, as the table of ids has a fixed size, and only the
 * first lists are searched for a pointer.
 */
const struct sync_thread *sync_thread_by_tid(u32 tid);
const struct sync_thread *sync_thread_by_pointer(u64 pointer);

/* 1 if t holds object, with *entry set to a copy of its entry; else 0. */
int sync_thread_holds(const struct sync_thread *t, u64 object, struct sync_held *entry);

/*
 * Some thread that holds object, with *entry set to a copy of its entry. NULL = none is
 * known; only the first lists are searched.
 */
const struct sync_thread *sync_thread_find(u64 object, struct sync_held *entry);

/*
 * Remove mutexes that another thread has unlocked, which is an error of the target:
 * self's list would contain them for ever. taken: the mutex just acquired, or 0.
 */
void sync_thread_prune(struct sync_thread *self, u64 taken);

/*
 * The slow paths of the two functions below. sync_thread_full(): 0 = there is room for
 * an entry now; 1 = the lock gets no entry, and was counted in *unheld.
 */
int sync_thread_full(struct sync_thread *self, u64 object, u32 kind);
void sync_thread_drop(struct sync_thread *self, u64 object, struct sync_held *entry);

/*
 * Add an entry. A signal handler of the target may acquire and release locks at any
 * point here; it releases all that it has acquired, or never returns.
 */
static inline void
sync_hold(struct sync_thread *self, const struct sync_held *entry)
{
    u32 n = self->count;
    struct sync_held *h = &self->held[n];

    if (ER_UNLIKELY(n >= SYNC_HELD)) {
        if (sync_thread_full(self, entry->object, entry->kind))
            return;
        n = self->count;
        h = &self->held[n];
    }
    __atomic_store_n(&h->object, SYNC_BEGUN, __ATOMIC_RELAXED);
    __atomic_store_n(&self->count, n + 1, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    h->pc = entry->pc;
    h->ticks = entry->ticks;
    h->node = entry->node;
    h->kind = entry->kind;
    __atomic_store_n(&h->object, entry->object, __ATOMIC_RELEASE);
}

/*
 * Remove the last entry of object; *entry is set to a copy of it, with object 0 if
 * there was none.
 */
static inline void
sync_release(struct sync_thread *self, u64 object, struct sync_held *entry)
{
    u32 n = self->count;
    struct sync_held *h = &self->held[n - 1];

    if (ER_UNLIKELY(n == 0 || h->object != object)) {
        sync_thread_drop(self, object, entry);
        return;
    }
    *entry = *h;
    __atomic_store_n(&h->object, 0, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __atomic_store_n(&self->count, n - 1, __ATOMIC_RELAXED);
}

#endif

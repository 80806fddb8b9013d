/* SPDX-License-Identifier: Apache-2.0 */
/* Hits of counters (source/counter.c). Handlers. */
#ifndef ERTOOLS_COLLECTOR_SIG_COUNTER_H
#define ERTOOLS_COLLECTOR_SIG_COUNTER_H

#include <signal.h>

#include "collector/sig/thread.h"
#include "share/types.h"

/* Which counter of thread t has signals that name this descriptor; -1 = none. */
static inline int
counter_of(const struct thread *t, int fd)
{
    for (u32 i = 0; i < t->counters; i++)
        if (t->counter[i].number == fd)
            return (int)i;
    return -1;
}

/*
 * Read the hits of all counters of t, at context. One signal may stand for
 * several of them: a second one that comes while the first is pending is lost.
 * signalled: the counter that it names, -1 = none.
 */
void sig_count(struct thread *t, int signalled, const ucontext_t *uc);

/* What the kernel has written about a counter since, in the order written. */
struct counter_notes {
    struct thread_counter *counter;
    u64 at, head;
};

enum counter_note_kind {
    NOTE_OVERFLOW,  /* pc, and addr and paddr of its data */
    NOTE_LOST,      /* so many overflows were not described */
    NOTE_THROTTLED, /* the kernel stopped the counter, until its next tick */
};

struct counter_note {
    enum counter_note_kind kind;
    u64 count;
    u64 pc; /* where it happened, in handlers too; 0 = not known */
    u64 addr;
    u64 paddr;
};

/*
 * Begin to read, then take one note after the other; 0 when there are no more, which
 * takes all of them away. No page of records: one overflow, without an address.
 * `paddr`: the samples have one.
 */
struct counter_notes counter_notes(struct thread_counter *c);
int counter_next(struct counter_notes *notes, int paddr, struct counter_note *note);

/*
 * The number of the NUMA node that has the page at an address, + 1; 0 = not known.
 * nodes: how many this machine has, 0 = not known.
 */
u32 counter_home(u64 addr, u32 nodes);

/* Asking for that is forbidden. */
extern u32 counter_no_home;

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Hits of counters (source/counter.c). Runs in signal handlers. */
#ifndef ERTOOLS_COLLECTOR_SIG_COUNTER_H
#define ERTOOLS_COLLECTOR_SIG_COUNTER_H

#include <signal.h>

#include "collector/sig/thread.h"
#include "share/types.h"

/* Index of t's counter whose signals have this descriptor in si_fd; -1 = none. */
static inline int
counter_of(const struct thread *t, int fd)
{
    for (u32 i = 0; i < t->counters; i++)
        if (t->counter[i].number == fd)
            return (int)i;
    return -1;
}

/*
 * Record the hits of all counters of t, at the interrupted context. One signal may
 * stand for hits of several counters: the kernel drops a signal while another is
 * pending. signalled: index of the counter that the signal names, -1 = none.
 */
void sig_count(struct thread *t, int signalled, const ucontext_t *uc);

/* A reading of the records that the kernel has written about a counter, in order. */
struct counter_notes {
    struct thread_counter *counter;
    u64 at, head; /* next record and end; without a ring: head = notes left */
};

enum counter_note_kind {
    NOTE_OVERFLOW,  /* pc, and addr and paddr of its data */
    NOTE_LOST,      /* `count` overflows were not described */
    NOTE_THROTTLED, /* the kernel stopped the counter until the kernel's next tick */
};

struct counter_note {
    enum counter_note_kind kind;
    u64 count;
    u64 pc; /* where it happened, in handlers too; 0 = not known */
    u64 addr;  /* address of the data; 0 = not known */
    u64 paddr; /* its physical address; 0 = not known */
    u64 at;    /* position of the record in the ring */
    u32 size;  /* bytes of the record */
};

/*
 * Begin to read a counter's records; counter_next() then reads one note after the
 * other. At the end, counter_next() returns 0, and frees the page for new records.
 * Without a page of records there is one note: an overflow without an address. paddr:
 * the samples have physical addresses.
 */
struct counter_notes counter_notes(struct thread_counter *c);
int counter_next(struct counter_notes *notes, int paddr, struct counter_note *note);

/*
 * Write the branches of an overflow of a counter with COUNTER_BRANCHES to steps
 * (ER_STR_MAX bytes), in the form of share/branch.h. Call while the notes are read.
 * Returns the number of bytes; 0 also if the record is shorter than it says.
 */
u32 counter_branches(const struct thread_counter *c, const struct counter_note *note,
                     unsigned char *steps);

/*
 * The number of the NUMA node that has the page at an address, + 1; 0 = not known.
 * nodes: how many this machine has, 0 = not known.
 */
u32 counter_home(u64 addr, u32 nodes);

/* 1 = a seccomp filter forbids get_mempolicy(), so counter_home() does not know. */
extern u32 counter_no_home;

#endif

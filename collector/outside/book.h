/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CPU time of a process that is sampled from outside, from when it is its program:
 * what of it no hit has. Normal context of the helper, one in each.
 */
#ifndef ERTOOLS_OUTSIDE_BOOK_H
#define ERTOOLS_OUTSIDE_BOOK_H

#include "collector/outside/process.h"
#include "collector/outside/threads.h"

struct session;

struct book {
    struct session *s;
    struct process *process;
    struct threads *threads;
    int begun;        /* the program is there, and the heads are written */
    u64 user, system; /* CPU ns, rounded, as /proc had them last */
};

/* The program is there: have the heads written, once. */
void book_begin(struct book *b);

/* Read what /proc has now: of a process that has ended, it has nothing any more. */
void book_look(struct book *b);

/* What a descendant has used before it was sampled; counted: CPU ns since then. */
void book_startup(struct book *b, u64 counted);

/*
 * Of a descendant nobody else closes the account: what was counted and no hit has is
 * its first thread's, in parts as the kernel rounds them.
 */
void book_close(struct book *b);

#endif

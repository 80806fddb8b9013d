/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks of Go programs. Its runtime goes from a goroutine's stack to the thread's own
 * and back (runtime.systemstack), so that what the kernel has copied ends there. But
 * frame pointers lead on, and the kernel has followed them while it took the sample.
 * Normal context of the helper.
 */
#ifndef ERTOOLS_OUTSIDE_GOLANG_H
#define ERTOOLS_OUTSIDE_GOLANG_H

#include "collector/sig/node.h"
#include "share/types.h"

enum { GOLANG_PLACES = 16 };

enum golang_kind {
    GOLANG_NONE,
    GOLANG_ROOT,     /* no frame is above: a goroutine or the scheduler begins here */
    GOLANG_SWITCH,   /* its caller is on another stack, and waits */
    GOLANG_SCHEDULE, /* below a switch: the caller does not wait */
};

/* A function of the runtime. */
struct golang_place {
    u64 lo, hi;
    enum golang_kind kind;
};

struct golang {
    struct golang_place place[GOLANG_PLACES];
    u32 count; /* 0 = it is no Go program, or of a form that is not known */
    u64 lo, hi; /* where all functions are that were written in Go */
    struct node_batch batch;
};

/* Find the places in the table at `offset` of a file (.gopclntab). text: of .text. */
void golang_read(struct golang *g, int fd, u64 offset, u64 size, u64 text, u64 bias);

/* The program is no more. */
void golang_clear(struct golang *g);

/* What the kernel followed, from the leaf on: PERF_SAMPLE_CALLCHAIN. */
struct golang_chain {
    const unsigned char *at; /* u64, as they are in the ring */
    u64 count;
};

/* The node of the whole stack, where `node` is that of the copied one. */
u32 golang_mend(struct golang *g, u32 node, struct golang_chain chain);

#endif

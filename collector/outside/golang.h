/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks of Go programs. The Go runtime switches from a goroutine's stack to the
 * thread's own and back (runtime.systemstack), so the stack copied by the kernel ends
 * at the switch. But frame pointers lead across it, and the kernel has followed them
 * when it took the sample. Normal context of the helper.
 */
#ifndef ERTOOLS_OUTSIDE_GOLANG_H
#define ERTOOLS_OUTSIDE_GOLANG_H

#include "collector/sig/node.h"
#include "share/types.h"

enum { GOLANG_PLACES = 16 };

enum golang_kind {
    GOLANG_NONE,
    GOLANG_ROOT,     /* no frame is above: a goroutine or the scheduler begins here */
    GOLANG_SWITCH,   /* its caller is on another stack, and waits for it */
    GOLANG_SCHEDULE, /* if called below a switch: the switch's caller does not wait */
};

/* A function of the runtime. */
struct golang_place {
    u64 lo, hi;
    enum golang_kind kind;
};

struct golang {
    struct golang_place place[GOLANG_PLACES];
    u32 count; /* 0 = no Go program, or its table has an unknown form */
    u64 lo, hi; /* the range of all functions written in Go */
    struct node_batch batch;
};

/*
 * Find the places in the function table (.gopclntab), which is at `offset` of a file.
 * text: link-time address of .text.
 */
void golang_read(struct golang *g, int fd, u64 offset, u64 size, u64 text, u64 bias);

/* The target has executed another program: forget the places. */
void golang_clear(struct golang *g);

/* The frames that the kernel found, from the leaf on: PERF_SAMPLE_CALLCHAIN. */
struct golang_chain {
    const unsigned char *at; /* `count` u64, not aligned */
    u64 count;
};

/*
 * Make the node of the whole stack; 0 = there is no room. `node`: the node of the
 * copied part, which was unwound; it is returned if the program is not Go.
 */
u32 golang_mend(struct golang *g, u32 node, struct golang_chain chain);

#endif

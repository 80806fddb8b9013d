/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files that write LLVM's sample profiles (AutoFDO) have in common. Ordinary
 * process context.
 */
#ifndef ERTOOLS_PRINT_OUT_AFDO_H
#define ERTOOLS_PRINT_OUT_AFDO_H

#include "archive/object/objfile.h"
#include "print/model/branch/branches.h"
#include "print/out/outmap.h"

/* A function, or a function that was inlined at a place in another one. */
struct afdo_body {
    u32 parent;  /* index of the body that it is inlined in, + 1; 0 = none */
    u32 offset;  /* line of the inlined call, counted from the parent's first line */
    u32 discriminator;
    const char *name;
    u32 len;     /* bytes of the name, without suffixes that compilers append */
    u64 total;
    u32 line;    /* index of its first line + 1; 0 = it has none */
    u64 entered; /* how often it was entered, according to branch stacks */
    u32 child;   /* index + 1 of the first body inlined in it */
    u32 next;    /* index + 1 of its next sibling */
};

/* A line of a body. */
struct afdo_line {
    u32 body;
    u32 offset, discriminator;
    u64 count;
    u32 insns; /* if counts are from stacks: number of instructions in `count` */
    u32 call; /* index of its first call + 1; 0 = it has none */
    u32 next; /* index + 1 of the next line of its body */
};

/* How often a function was called from an address. */
struct afdo_call {
    u64 addr;
    const char *name;
    u32 len;
    u32 line; /* index + 1 of its line; 0 = not known (yet) */
    u64 count;
};

struct afdo_cost {
    u64 addr;
    u64 count;
};

struct afdo_writer {
    struct out *out;
    struct stackset set;
    struct outmap map;
    const struct objfile *file; /* the program's */
    u32 object;
    struct afdo_cost *cost;
    u32 ncosts, costs_room;
    struct afdo_call *call;
    u32 ncalls, calls_room;
    struct afdo_body *body;
    u32 nbodies, bodies_room;
    struct hash bodies;
    struct afdo_line *line;
    u32 nlines, lines_room;
    struct hash lines;
    u64 elsewhere, unnamed;
    bool branches; /* counts come from branch stacks */
    bool discriminated; /* some line has a discriminator */
};

/*
 * Get the length of a function's name without a suffix that compilers append for a part
 * or a clone, such as ".cold".
 */
u32 afdo_plain_length(const char *name);

/* Fill w->cost and w->call: from stacks and the main metric. 0 or -ENOMEM. */
int afdo_gather_stacks(struct afdo_writer *w);

/*
 * Like afdo_gather_stacks(), from branch stacks. 0; -ENOTSUP: this processor's code is
 * not supported; else -errno.
 */
int afdo_gather_branches(struct afdo_writer *w, const struct branch_data *data);

#endif

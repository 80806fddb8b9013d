/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that are made at run time: records of the file madecode, from which
 * er_print names their code. Two functions at one address at two times are two; a stack
 * goes by what was there at its time. Normal context of any thread: a compiler's, or
 * one of ours. Nothing here allocates or changes errno; a call may wait until the
 * launcher has made the file, or has made it longer.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_MADE_H
#define ERTOOLS_COLLECTOR_PRELOAD_MADE_H

#include "share/record.h"
#include "share/types.h"

/* From this offset on, up to the next row's. Rows rise by offset. */
struct made_line {
    u32 offset;  /* from the function's first byte */
    u32 source;  /* index into sources + 1, 0 = not known */
    u32 line;    /* 0 = not known */
    u32 inlined; /* index into inlined + 1: the innermost call; 0 = none */
};

struct made_pair {
    u32 offset;
    u32 line;
};

/* A call that was inlined. The same function called from two places is two of them. */
struct made_inlined {
    const char *name;
    u32 parent; /* index into inlined + 1, lower than its own; 0 = the function */
    u32 source; /* where the call stands: index into sources + 1, 0 = not known */
    u32 line;
    u32 declared; /* where the function is declared, likewise */
    u32 first;
};

/* A function. All but addr, size and name may be 0. Names are cut at ER_STR_MAX. */
struct made_function {
    u64 addr;
    u64 size;
    const char *name;
    enum er_made_origin origin;
    u32 line;  /* of its declaration, in the first of sources; 0 = not known */
    u64 since; /* CLOCK_MONOTONIC ns, MADE_ALWAYS, or 0 = now */
    const char *const *sources;
    u32 nsources;
    const struct made_inlined *inlined;
    u32 ninlined;
    const struct made_line *lines;
    u32 nlines;
    const struct made_pair *pairs; /* the same without inlined calls, of sources[0] */
    u32 npairs;
    const void *code; /* size bytes of it, for the disassembly; NULL = not kept */
};

/* It appears, which ends those that it overlaps. Before it runs. */
void made_load(const struct made_function *function);

/*
 * All functions that begin in [addr, addr + size) are gone. Before anything else is
 * put there. since: CLOCK_MONOTONIC ns, 0 = now.
 */
void made_unload(u64 addr, u64 size, u64 since);

/* Have the file made, that handlers can write to it, too. 1, or 0: it is not there. */
int made_open(void);

/* So many functions were reported by collector_func_load(). */
extern u32 made_by_call;

/* 1 if what is reported is recorded: no use to gather it else. */
int made_is_wanted(void);

#endif

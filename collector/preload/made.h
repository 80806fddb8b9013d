/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that are made at run time: records of the file madecode, from which
 * er_print gets their names. Different functions may be at one address at different
 * times; a frame of a stack is resolved by the time of its event. Normal context of any
 * thread: a compiler's, or one of ours. Nothing here allocates or changes errno; a call
 * may wait until the launcher has created or extended the file.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_MADE_H
#define ERTOOLS_COLLECTOR_PRELOAD_MADE_H

#include "share/record.h"
#include "share/types.h"

/*
 * A row of the table of lines. It is valid up to the next row's offset. Sorted by
 * offset.
 */
struct made_line {
    u32 offset;  /* from the function's first byte */
    u32 source;  /* index into sources + 1, 0 = not known */
    u32 line;    /* 0 = not known */
    u32 inlined; /* index into inlined + 1: the innermost call; 0 = none */
};

/* A row without its source and inlined call; the layout is that of Lineno. */
struct made_pair {
    u32 offset;
    u32 line;
};

/* An inlined call. A function that is inlined at two places has two of these. */
struct made_inlined {
    const char *name;
    u32 parent; /* index into inlined + 1, lower than its own; 0 = the function */
    u32 source; /* where the call is: index into sources + 1, 0 = not known */
    u32 line;
    u32 declared; /* source of the function's declaration: index + 1, 0 = not known */
    u32 first;    /* line of that declaration, 0 = not known */
};

/*
 * A function made at run time. All members but addr, size and name may be 0. Names are
 * cut at ER_STR_MAX.
 */
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
    /* used like lines: rows in sources[0], without inlined calls */
    const struct made_pair *pairs;
    u32 npairs;
    /* `size` bytes of its code, for the disassembly; NULL = not kept */
    const void *code;
};

/* Report a new function; functions that it overlaps end. Call before it runs. */
void made_load(const struct made_function *function);

/*
 * Report that all functions that begin in [addr, addr + size) have gone. Call before
 * the memory is reused. since: CLOCK_MONOTONIC ns, 0 = now.
 */
void made_unload(u64 addr, u64 size, u64 since);

/*
 * A runtime has reported one of its stubs: keep its address, if walks need it (some of
 * HotSpot's).
 */
void made_stub(const char *name, u64 at);

/*
 * Have the file madecode created, so that signal handlers can write to it, too. 1, or 0
 * if that failed or nothing is recorded.
 */
int made_open(void);

/* Forget the file of an earlier recording of this process. No thread is recorded. */
void made_forget(void);

/* Number of calls of collector_func_load() so far. */
extern u32 made_by_call;

/* 1 if reports are recorded; otherwise callers need not prepare any. */
int made_is_wanted(void);

#endif

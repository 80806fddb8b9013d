/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions in the file madecode, which were made at run time: where each of them
 * was, and from when to when. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_LOAD_MADE_H
#define ERTOOLS_PRINT_LOAD_MADE_H

#include <stdbool.h>

#include "print/load/clock.h"
#include "print/load/records.h"
#include "share/record.h"
#include "share/types.h"

/* Elements [first, first + count) of another array. */
struct made_part {
    u32 first;
    u32 count;
};

/* Strings point into the mapped file; no 0 follows them. */
struct made_function {
    u64 addr;
    u64 size;
    u64 from; /* ticks: it exists in [from, to); */
    u64 to;   /* UINT64_MAX = to the end; to = from: superseded, never used */
    u64 vaddr; /* in a space in which functions do not overlap; copies share theirs */
    bool copy; /* it is like an earlier one in all but place and time */
    u32 origin; /* enum er_made_origin */
    u32 line;   /* of its declaration, 0 = not known */
    struct er_str name;
    struct made_part sources; /* in made.source: struct er_str */
    struct made_part inlined;
    struct made_part lines;
    struct made_part bytes;   /* in made.bytes: pieces, struct er_str */
    struct made_part constants; /* of bytecode */
};

/*
 * In the next two structs, references to functions and calls count from 1 within the
 * function; 0 = none.
 */
struct made_call {
    u32 parent; /* lower than its own */
    u32 source;
    u32 line;
    struct er_str name;
    u32 declared; /* source and line where the function called is declared */
    u32 first;
};

/* What bytecode means by an index. */
struct made_constant {
    u32 index;
    struct er_str text;
};

struct made_row {
    u64 offset;
    u32 source;
    u32 line;
    u32 inlined;
};

struct made {
    struct made_function *function; /* by addr, then by from */
    u32 count;
    u64 *reach; /* by index: the highest end of all up to it */
    u64 vaddr_end;
    struct er_str *source;
    struct made_call *call;
    struct made_row *row;
    struct er_str *bytes;
    struct made_constant *constant;
    u32 nsources, ncalls, nrows, nbytes, nconstants;
    u32 room[6];
};

/*
 * Add the records of a file up to the tick `until` (UINT64_MAX = all of them). clock:
 * that of the machine where the file was written. For a forked child, first add the
 * files of the processes that created it. 0 or -ENOMEM.
 */
int made_add(struct made *made, const struct record_source *source,
             const struct clock *clock, u64 until);

/*
 * Call this after all functions were added: it computes from when to when each of them
 * existed. 0 or -ENOMEM.
 */
int made_seal(struct made *made);

void made_free(struct made *made);

/*
 * Call each(index, context) for every function that ever contained an address.
 */
void made_at(const struct made *made, u64 addr,
             void (*each)(void *context, u32 index), void *context);

#endif

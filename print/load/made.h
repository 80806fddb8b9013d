/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions in the file madecode, which were made at run time: where each of them
 * was, and from when to when. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_LOAD_MADE_H
#define ERTOOLS_PRINT_LOAD_MADE_H

#include <stdbool.h>

#include "print/load/clock.h"
#include "print/load/record/records.h"
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
    u64 from; /* ticks: it exists in [from, to) */
    u64 to;   /* UINT64_MAX = to the end */
    u64 vaddr; /* in a space in which functions do not overlap; copies share theirs */
    bool copy; /* like an earlier function in all but place and time */
    u32 origin; /* enum er_made_origin */
    u32 line;   /* of its declaration, 0 = not known */
    struct er_str name;
    struct made_part sources; /* in made.source: struct er_str */
    struct made_part inlined; /* in made.call */
    struct made_part lines;   /* in made.row */
    struct made_part bytes;   /* in made.bytes: pieces of its code, struct er_str */
    struct made_part constants; /* in made.constant: of bytecode */
};

/*
 * In struct made_call and struct made_row, references to sources and calls count from 1
 * within the function; 0 = none.
 */
struct made_call {
    u32 parent; /* the call around it; lower than its own number */
    u32 source; /* of the call */
    u32 line;
    struct er_str name; /* of the function called */
    u32 declared; /* source and line where the function called is declared */
    u32 first;
};

/* The text for which an index in bytecode stands. */
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
    u64 *reach; /* by index: the highest end address of functions 0 to index */
    u64 vaddr_end; /* above all vaddr */
    struct er_str *source;
    struct made_call *call;
    struct made_row *row;
    struct er_str *bytes;
    struct made_constant *constant;
    u32 nsources, ncalls, nrows, nbytes, nconstants;
    u32 room[6]; /* elements allocated for each array but `reach` */
};

/*
 * Add the functions of a file that existed before the tick `until` (UINT64_MAX = all).
 * clock: that of the machine where the file was written. For a forked child, first add
 * the files of the processes that created it. 0 or -ENOMEM.
 */
int made_add(struct made *made, const struct record_source *source,
             const struct clock *clock, u64 until);

/*
 * Call this after all functions were added. It computes how long each of them existed,
 * and drops those that were replaced at once. 0 or -ENOMEM.
 */
int made_seal(struct made *made);

void made_free(struct made *made);

/*
 * Call each(context, index) for every function that ever contained an address.
 */
void made_at(const struct made *made, u64 addr,
             void (*each)(void *context, u32 index), void *context);

#endif

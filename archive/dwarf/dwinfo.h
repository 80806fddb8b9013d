/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the functions and inlined calls of DWARF units. Ordinary process context. */
#ifndef ERTOOLS_ARCHIVE_DWARF_DWINFO_H
#define ERTOOLS_ARCHIVE_DWARF_DWINFO_H

#include "archive/dwarf/dwline.h"
#include "archive/dwarf/dwrange.h"

/* A range of code of an out-of-line function. */
struct dwinfo_function {
    u64 lo; /* [lo, hi) */
    u64 hi;
    u32 func;  /* row of the writer's table of functions */
    bool main; /* the first range of the function, where it begins */
};

/* A range of code into which one call was inlined; kept while its unit is read. */
struct dwinfo_interval {
    u32 lo; /* [lo, hi), relative to the base (objwrite_address()) */
    u32 hi;
    u32 node;  /* row of the writer's table of inlined calls */
    u32 depth; /* 1 for the outermost inlined call */
};

struct dwinfo {
    struct objwrite *w;
    const struct codemap *code;
    struct dwline *line; /* gives the numbers of files */
    struct dwinfo_function *functions;
    u32 function_count;
    u32 function_capacity;
    struct dwranges ranges;            /* ranges of the DIE being read */
    struct dwinfo_interval *intervals; /* intervals of the unit being read */
    u32 interval_count;
    u32 interval_capacity;
    struct obj_range *segments; /* where the innermost call changes, in all units */
    u32 segment_count;
    u32 segment_capacity;
    u32 unit_count;       /* units read so far, with the current one */
    struct dwmemo owners; /* by address: which unit (unit_count) owns the function */
    int status; /* 0 or -ENOMEM */
};

/*
 * Reads the functions and inlined calls of a started unit. If several units describe a
 * function at the same address, the first one counts.
 */
void dwinfo_unit(struct dwinfo *d, struct dwunit *u);

/* Sorts what was read and appends it to the writer's tables. */
void dwinfo_write(struct dwinfo *d);

void dwinfo_free(struct dwinfo *d);

#endif

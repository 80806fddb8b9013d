/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DWARF line tables: the file numbers of units, and the rows of line programs.
 * Ordinary process context.
 */
#ifndef ERTOOLS_ARCHIVE_DWARF_DWLINE_H
#define ERTOOLS_ARCHIVE_DWARF_DWLINE_H

#include "archive/elf/codemap.h"
#include "archive/dwarf/dwfile.h"
#include "archive/object/objwrite.h"

/* Successive rows of one line program, up to an end of sequence. */
struct dwline_sequence {
    u32 lo; /* [lo, hi), relative to the base (objwrite_address()) */
    u32 hi;
    u32 first; /* index of its first row */
    u32 count;
};

/* All line tables of an object. */
struct dwline {
    struct objwrite *w;
    const struct codemap *code;
    struct dwlines *tables; /* headers read so far */
    struct obj_line *rows;
    u32 row_count;
    u32 row_capacity;
    struct dwline_sequence *sequences;
    u32 sequence_count;
    u32 sequence_capacity;
    int status; /* 0 or -ENOMEM */
};

/*
 * The writer's number for file `number` in the unit's line table; 0 if there is none.
 */
u32 dwline_file(struct dwline *l, struct dwunit *u, u64 number);

/* Runs the line program of a started unit, unless it has been run for another unit. */
void dwline_unit(struct dwline *l, struct dwunit *u);

/* Sorts all rows and appends them to the writer's table. */
void dwline_write(struct dwline *l);

void dwline_free(struct dwline *l);

#endif

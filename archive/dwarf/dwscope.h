/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the scopes that contain a DIE: namespaces, classes and functions. They are
 * needed to name functions that have no linkage name. Ordinary process context.
 */
#ifndef ERTOOLS_ARCHIVE_DWARF_DWSCOPE_H
#define ERTOOLS_ARCHIVE_DWARF_DWSCOPE_H

#include "archive/dwarf/dwfile.h"

struct dwscope {
    u64 die;    /* offset of its attributes */
    u64 end;    /* offset past what it contains; 0: no end was found */
    u32 parent; /* index of the scope around it; DWSCOPE_NONE: none */
    u32 tag;
    const struct dwabbrev *abbrev;
};

#define DWSCOPE_NONE UINT32_MAX

/* The scopes of a unit that contain other DIEs, sorted by offset. */
struct dwscopes {
    u32 count;
    u32 capacity;
    struct dwscope at[];
};

/*
 * The innermost scope that contains the DIE whose attributes are at offset `die`. NULL:
 * there is none, or memory has run out. The first call reads all scopes of the unit,
 * which keeps them.
 */
const struct dwscope *dwscope_around(struct dwunit *u, u64 die);

#endif

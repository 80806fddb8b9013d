/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the address ranges of a DIE's code. Ordinary process context. */
#ifndef ERTOOLS_ARCHIVE_DWARF_DWRANGE_H
#define ERTOOLS_ARCHIVE_DWARF_DWRANGE_H

#include "archive/dwarf/dwform.h"

struct dwrange {
    u64 lo; /* [lo, hi), not empty */
    u64 hi;
};

/* A list of ranges that is used again for one DIE after the other. */
struct dwranges {
    struct dwrange *at;
    u32 count;
    u32 capacity;
};

/* The attributes from which a DIE's ranges follow. */
struct dwrange_values {
    struct dwvalue low;
    struct dwvalue high;
    struct dwvalue ranges;
};

/* Replaces the contents of `list`. False if memory has run out. */
bool dwrange_list(struct dwranges *list, const struct dwunit *u,
                  const struct dwrange_values *v);

#endif

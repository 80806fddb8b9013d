/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides by name and unit what the values of a file become: CPU time becomes hits of
 * the clock, everything else counters. Ordinary process context.
 */
#ifndef ERTOOLS_IMPORT_KINDS_H
#define ERTOOLS_IMPORT_KINDS_H

#include "import/import.h"

struct import_kind {
    const char *name; /* lives as long as the import; so does the unit */
    const char *unit; /* "nanoseconds", "bytes", ..., or anything else */
    u32 counter;      /* number of the counter; IMPORT_COUNTERS = clock, or left out */
    u64 scale;        /* what values are multiplied by */
    char clock;       /* 'u' user, 's' system: hits of the clock; 0 = a counter */
};

/*
 * Decide what each kind becomes. A kind that is the sum of others is left out; so are
 * kinds that are too many, with a note about each.
 */
void kinds_settle(struct import *im, struct import_kind *kind, u32 count);

/* Add a value to the stack hit->node; sets hit->value and hit->kernel. */
void kinds_add(struct import *im, const struct import_kind *kind,
               struct import_hit *hit, u64 value);

/* The name of er_print's metric with that title; if there is none, the title itself. */
const char *kinds_by_title(const char *title);

#endif

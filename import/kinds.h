/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the values of a file are, by their names and units: CPU time becomes hits of the
 * clock, everything else is a counter. Ordinary process context.
 */
#ifndef ERTOOLS_IMPORT_KINDS_H
#define ERTOOLS_IMPORT_KINDS_H

#include "import/import.h"

struct import_kind {
    const char *name; /* lives as long as the import; so does the unit */
    const char *unit; /* "nanoseconds", "bytes", ..., or anything else */
    u32 counter;      /* IMPORT_COUNTERS = it is left out */
    u64 scale;        /* of values */
    char clock;       /* 'u' user, 's' system: hits of the clock; 0 = a counter */
};

/* Fill in what each kind becomes; what has no room is noted. */
void kinds_settle(struct import *im, struct import_kind *kind, u32 count);

/* Add a value at hit's stack; hit->value and ->kernel are set here. */
void kinds_add(struct import *im, const struct import_kind *kind,
               struct import_hit *hit, u64 value);

/* The name of er_print's metric with that title; the title where there is none. */
const char *kinds_by_title(const char *title);

#endif

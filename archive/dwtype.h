/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Types of functions as DWARF has them, written as rows of share/calltype.h. Ordinary
 * process context.
 */
#ifndef ERTOOLS_ARCHIVE_DWTYPE_H
#define ERTOOLS_ARCHIVE_DWTYPE_H

#include "archive/dwform.h"
#include "share/calltype.h"

/* A row that grows. */
struct dwtype_row {
    char at[CALL_ROW_MAX + 1];
    size_t used;
    bool bad; /* too long, or a type that no row can say */
};

/* What a DIE says, as far as types need it. Values that are not there have form 0. */
struct dwtype_die {
    struct dwunit *unit;
    u32 tag;
    bool children;
    u64 behind; /* offset of its first child */
    struct dwvalue name, type, origin, specification, low, high, ranges, count, bound;
    u64 size;
    u64 encoding;
    u64 location;
    u64 convention;
    int64_t value;
    bool is_declaration, is_external, is_noreturn, is_bits, is_vector, is_aligned,
        is_artificial, is_defaulted;
};

/* The DIE at an offset of the unit. false: there is none. */
bool dwtype_read(struct dwunit *u, u64 die, struct dwtype_die *out);

/*
 * The row of the function that DIE f defines, under that name: its arguments have their
 * names, as far as these are known. false: no row can say its type.
 */
bool dwtype_function(const struct dwtype_die *f, const char *name,
                     struct dwtype_row *out);

#endif

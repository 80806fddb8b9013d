/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes types of functions, from DWARF, as rows of share/calltype.h. Ordinary process
 * context.
 */
#ifndef ERTOOLS_ARCHIVE_DWTYPE_H
#define ERTOOLS_ARCHIVE_DWTYPE_H

#include "archive/dwform.h"
#include "share/calltype.h"

/* A row that grows. */
struct dwtype_row {
    char at[CALL_ROW_MAX + 1];
    size_t used;
    bool bad; /* the row is too long, or a type cannot be expressed in a row */
};

/*
 * The attributes of a DIE that are needed for types. An attribute that is missing has
 * form 0.
 */
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

/* Reads the DIE at an offset of the unit. False: there is none. */
bool dwtype_read(struct dwunit *u, u64 die, struct dwtype_die *out);

/*
 * Writes the row of the function that DIE f defines, under the name `name`; with the
 * names of arguments, as far as they are known. False: its type cannot be expressed.
 */
bool dwtype_function(const struct dwtype_die *f, const char *name,
                     struct dwtype_row *out);

#endif

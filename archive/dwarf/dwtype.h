/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes types of functions, from DWARF, as rows of share/calltype.h. Ordinary process
 * context.
 */
#ifndef ERTOOLS_ARCHIVE_DWARF_DWTYPE_H
#define ERTOOLS_ARCHIVE_DWARF_DWTYPE_H

#include "archive/dwarf/dwform.h"
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
    u64 behind; /* offset past its attributes: of its first child, if `children` */
    struct dwvalue name, type, origin, specification, low, high, ranges, count, bound;
    u64 size;       /* bytes; 0 = not known */
    u64 encoding;   /* DW_ATE_* */
    u64 location;   /* of a member: its offset in bytes */
    u64 convention; /* DW_CC_* of a class; 0 = not known */
    int64_t value;  /* of an enumerator */
    bool is_declaration, is_external, is_noreturn, is_bits, is_vector, is_aligned,
        is_artificial, is_defaulted;
};

/* Reads the DIE at an offset of the unit. False: there is none, or it is malformed. */
bool dwtype_read(struct dwunit *u, u64 die, struct dwtype_die *out);

/*
 * Writes the row of the function that DIE f defines, under the name `name`, with the
 * names of arguments that are known. False: the function's type cannot be expressed.
 */
bool dwtype_function(const struct dwtype_die *f, const char *name,
                     struct dwtype_row *out);

#endif

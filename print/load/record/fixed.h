/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of fixed size in the rows of ROWS files. Any context. */
#ifndef ERTOOLS_PRINT_LOAD_RECORD_FIXED_H
#define ERTOOLS_PRINT_LOAD_RECORD_FIXED_H

#include <errno.h>
#include <string.h>

#include "print/load/record/schema.h"
#include "share/types.h"

struct fixed {
    u32 at;    /* byte offset in the row */
    u32 bytes; /* at most 8; 0 = the rows have no such field */
};

/* The number in a row's field; 0 if rows do not have it. */
static inline u64
fixed_get(const unsigned char *row, struct fixed field)
{
    u64 value = 0;

    memcpy(&value, row + field.at, field.bytes);
    return value;
}

/* Find the field of that name, a number. 0; -ENOENT: the record has no such number. */
static inline int
fixed_field(const struct schema_record *record, const char *name, struct fixed *out)
{
    int field = schema_find_field(record, name);
    u32 i = (u32)field, next;

    if (field < 0 || record->field[i].encoding == ENC_CHAR16)
        return -ENOENT;
    next = schema_row_offset(record, i + 1);
    out->at = schema_row_offset(record, i);
    out->bytes = next - out->at;
    return out->bytes <= 8 ? 0 : -ENOENT;
}

#endif

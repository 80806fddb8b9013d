/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The schema of the data files of one experiment, as its own log.xml describes it.
 * Readers look up records and fields by name, so that older and newer ones stay
 * readable.
 */
#ifndef ERTOOLS_PRINT_LOAD_SCHEMA_H
#define ERTOOLS_PRINT_LOAD_SCHEMA_H

#include "share/record.h"
#include "share/types.h"

enum {
    SCHEMA_NAME_MAX = 32, /* bytes of a name with its final zero */
    SCHEMA_FIELDS_MAX = 64,
    SCHEMA_KINDS = 8,
    SCHEMA_FILES_MAX = 32,
};

struct schema_field {
    char name[SCHEMA_NAME_MAX];
    char unit[SCHEMA_NAME_MAX];
    enum er_encoding encoding; /* ENC_COUNT = this program does not know it */
};

/* nfields = 0: not described. A record with an unknown encoding ends its chunk. */
struct schema_record {
    char name[SCHEMA_NAME_MAX];
    struct schema_field *field;
    u32 nfields;
    u32 number; /* 1 to 6 */
};

struct schema_file {
    char name[SCHEMA_NAME_MAX];
    enum er_layout layout;
    u32 time_shift; /* record time = tick >> time_shift */
    u32 number;     /* enum er_file as in chunk headers, FILE_COUNT = not known */
    struct schema_record record[SCHEMA_KINDS]; /* by number */
};

struct schema {
    struct schema_file *file;
    u32 nfiles;
};

/*
 * Building, in document order. All return 0, -EINVAL for a description that cannot be
 * (then it is left out) or -ENOMEM. Attributes that are missing are NULL.
 */
int schema_add_file(struct schema *schema, const char *name, const char *layout,
                    const char *time_shift);
int schema_add_record(struct schema *schema, const char *name, const char *number);
int schema_add_field(struct schema *schema, const char *name, const char *encoding,
                     const char *unit);

/* The descriptions of this program's own version. 0 or -ENOMEM. */
int schema_builtin(struct schema *schema);

void schema_free(struct schema *schema);

/* NULL when there is none of that name. */
const struct schema_file *schema_find_file(const struct schema *schema,
                                           const char *name);
const struct schema_record *schema_find_record(const struct schema_file *file,
                                               const char *name);

/* Index of a field, -1 when the record has none of that name. */
int schema_find_field(const struct schema_record *record, const char *name);

/* The same of a field that is a number. */
int schema_find_number(const struct schema_record *record, const char *name);

/* Bytes of a row of a ROWS file's record 1, 0 if it has fields of varying length. */
u32 schema_row_bytes(const struct schema_record *record);

/* Byte offset of a field in such a row. */
u32 schema_row_offset(const struct schema_record *record, u32 field);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The schema of an experiment's data files, as its own log.xml describes it. Readers
 * find records and fields by name, so that they can read older and newer experiments.
 */
#ifndef ERTOOLS_PRINT_LOAD_RECORD_SCHEMA_H
#define ERTOOLS_PRINT_LOAD_RECORD_SCHEMA_H

#include "share/record.h"
#include "share/types.h"

enum {
    SCHEMA_NAME_MAX = 32, /* bytes of a name with its final zero */
    SCHEMA_FIELDS_MAX = 64,
    SCHEMA_KINDS = 8, /* above all numbers of records, which have 3 bits */
    SCHEMA_FILES_MAX = 32,
};

struct schema_field {
    char name[SCHEMA_NAME_MAX];
    char unit[SCHEMA_NAME_MAX];
    enum er_encoding encoding; /* ENC_COUNT = this program does not know it */
};

/*
 * A kind of record. nfields = 0: the schema does not describe it. If a field has an
 * unknown encoding, the rest of a chunk from such a record on cannot be decoded.
 */
struct schema_record {
    char name[SCHEMA_NAME_MAX];
    struct schema_field *field;
    u32 nfields;
    u32 number; /* 1 to 6; 0 = not described */
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
 * Build a schema, in the order of the document: a record is added to the last file, a
 * field to the last record. Missing attributes are NULL. 0; -EINVAL if a description is
 * impossible, and so left out; or -ENOMEM.
 */
int schema_add_file(struct schema *schema, const char *name, const char *layout,
                    const char *time_shift);
int schema_add_record(struct schema *schema, const char *name, const char *number);
int schema_add_field(struct schema *schema, const char *name, const char *encoding,
                     const char *unit);

/* Set up the schema of this program's own version. 0 or -ENOMEM. */
int schema_builtin(struct schema *schema);

void schema_free(struct schema *schema);

/* Find a file or record by name; NULL if there is none. */
const struct schema_file *schema_find_file(const struct schema *schema,
                                           const char *name);
const struct schema_record *schema_find_record(const struct schema_file *file,
                                               const char *name);

/* The index of the field with that name; -1 if the record has none. */
int schema_find_field(const struct schema_record *record, const char *name);

/* Like schema_find_field(), but -1 also if the field is not a number. */
int schema_find_number(const struct schema_record *record, const char *name);

/*
 * The bytes of a row in a ROWS file, whose record has number 1; 0 if the length varies.
 */
u32 schema_row_bytes(const struct schema_record *record);

/* The byte offset of the field with that index in a row of a ROWS file. */
u32 schema_row_offset(const struct schema_record *record, u32 field);

#endif

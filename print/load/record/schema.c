/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/record/schema.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"

/* The value of a decimal number of up to 4 digits; -1 for any other text, or NULL. */
static int
small_number(const char *text)
{
    int value = 0;

    if (!text || !*text || strlen(text) > 4)
        return -1;
    for (; *text; text++) {
        if (!isdigit((unsigned char)*text))
            return -1;
        value = value * 10 + (*text - '0');
    }
    return value;
}

static int
set_name(char name[SCHEMA_NAME_MAX], const char *from)
{
    if (!from || !*from || strlen(from) >= SCHEMA_NAME_MAX)
        return -EINVAL;
    strcpy(name, from);
    return 0;
}

static u32
file_number(const char *name)
{
    u32 i = 0;

    while (i < FILE_COUNT && strcmp(er_files[i].name, name))
        i++;
    return i;
}

int
schema_add_file(struct schema *schema, const char *name, const char *layout,
                const char *time_shift)
{
    struct schema_file file = { 0 };
    int shift = time_shift ? small_number(time_shift) : 0;
    struct schema_file *grown;

    if (set_name(file.name, name) < 0 || shift < 0 || shift > 63)
        return -EINVAL;
    if (!layout || (strcasecmp(layout, "rows") && strcasecmp(layout, "chunks")))
        return -EINVAL;
    if (schema->nfiles == SCHEMA_FILES_MAX || schema_find_file(schema, name))
        return -EINVAL;
    file.layout = strcasecmp(layout, "rows") ? LAYOUT_CHUNKS : LAYOUT_ROWS;
    file.time_shift = (u32)shift;
    file.number = file_number(name);
    grown = realloc(schema->file, (schema->nfiles + 1) * sizeof(file));
    if (!grown)
        return -ENOMEM;
    schema->file = grown;
    schema->file[schema->nfiles++] = file;
    return 0;
}

int
schema_add_record(struct schema *schema, const char *name, const char *number)
{
    int n = small_number(number);
    struct schema_record *record;

    if (!schema->nfiles || n < 1 || n > 6)
        return -EINVAL;
    record = &schema->file[schema->nfiles - 1].record[n];
    if (record->name[0] || set_name(record->name, name) < 0)
        return -EINVAL;
    record->number = (u32)n;
    /*
     * Numbers of records begin with 1, so record[0] is free: its number tells
     * schema_add_field() to which record of the last file fields belong.
     */
    schema->file[schema->nfiles - 1].record[0].number = (u32)n;
    return 0;
}

static enum er_encoding
encoding_of(const char *name)
{
    u32 i = 0;

    while (i < ENC_COUNT && (!name || strcmp(er_encoding_names[i], name)))
        i++;
    return i;
}

int
schema_add_field(struct schema *schema, const char *name, const char *encoding,
                 const char *unit)
{
    struct schema_field field = { .encoding = encoding_of(encoding) };
    struct schema_record *record, *grown_of;
    struct schema_field *grown;

    if (!schema->nfiles || !schema->file[schema->nfiles - 1].record[0].number)
        return -EINVAL;
    grown_of = schema->file[schema->nfiles - 1].record;
    record = &grown_of[grown_of[0].number];
    if (record->nfields == SCHEMA_FIELDS_MAX || set_name(field.name, name) < 0)
        return -EINVAL;
    if (unit)
        strncpy(field.unit, unit, SCHEMA_NAME_MAX - 1);
    grown = realloc(record->field, (record->nfields + 1) * sizeof(field));
    if (!grown)
        return -ENOMEM;
    record->field = grown;
    record->field[record->nfields++] = field;
    return 0;
}

static int
builtin_record(struct schema *schema, const struct er_record_desc *desc)
{
    char number[2] = { (char)('0' + desc->number), 0 };
    int ret = schema_add_record(schema, desc->name, number);

    for (u32 f = 0; f < desc->nfields && ret == 0; f++)
        ret = schema_add_field(schema, desc->fields[f].name,
                               er_encoding_names[desc->fields[f].encoding],
                               desc->fields[f].unit);
    return ret;
}

int
schema_builtin(struct schema *schema)
{
    int ret = 0;

    for (u32 i = 0; i < FILE_COUNT && ret == 0; i++) {
        char shift[3] = { (char)('0' + er_files[i].time_shift / 10),
                          (char)('0' + er_files[i].time_shift % 10), 0 };

        ret = schema_add_file(schema, er_files[i].name,
                              er_files[i].layout == LAYOUT_ROWS ? "rows" : "chunks",
                              shift);
        for (u32 r = 0; r < REC_COUNT && ret == 0; r++)
            if (er_records[r].file == i)
                ret = builtin_record(schema, &er_records[r]);
    }
    return ret;
}

void
schema_free(struct schema *schema)
{
    for (u32 i = 0; i < schema->nfiles; i++)
        for (u32 n = 0; n < SCHEMA_KINDS; n++)
            free(schema->file[i].record[n].field);
    free(schema->file);
    memset(schema, 0, sizeof(*schema));
}

const struct schema_file *
schema_find_file(const struct schema *schema, const char *name)
{
    for (u32 i = 0; i < schema->nfiles; i++)
        if (!strcmp(schema->file[i].name, name))
            return &schema->file[i];
    return NULL;
}

const struct schema_record *
schema_find_record(const struct schema_file *file, const char *name)
{
    for (u32 n = 1; n < SCHEMA_KINDS; n++)
        if (file->record[n].name[0] && !strcmp(file->record[n].name, name))
            return &file->record[n];
    return NULL;
}

int
schema_find_field(const struct schema_record *record, const char *name)
{
    for (u32 i = 0; i < record->nfields; i++)
        if (!strcmp(record->field[i].name, name))
            return (int)i;
    return -1;
}

int
schema_find_number(const struct schema_record *record, const char *name)
{
    int field = schema_find_field(record, name);
    enum er_encoding encoding = field < 0 ? ENC_STR : record->field[field].encoding;

    return encoding == ENC_STR || encoding == ENC_CHAR16 ? -1 : field;
}

static u32
fixed_bytes(enum er_encoding encoding)
{
    switch (encoding) {
    case ENC_U16:
        return 2;
    case ENC_U32:
        return 4;
    case ENC_U48:
        return 6;
    case ENC_U64:
        return 8;
    case ENC_CHAR16:
        return 16;
    default:
        return 0;
    }
}

u32
schema_row_offset(const struct schema_record *record, u32 field)
{
    u32 at = 0;

    for (u32 i = 0; i < field; i++)
        at += fixed_bytes(record->field[i].encoding);
    return at;
}

u32
schema_row_bytes(const struct schema_record *record)
{
    for (u32 i = 0; i < record->nfields; i++)
        if (!fixed_bytes(record->field[i].encoding))
            return 0;
    return schema_row_offset(record, record->nfields);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/record/schema.h"

#include <criterion/criterion.h>
#include <errno.h>

Test(schema, builtin_is_what_share_says)
{
    struct schema s = { 0 };

    cr_assert_eq(schema_builtin(&s), 0);
    cr_assert_eq(s.nfiles, FILE_COUNT);
    for (u32 r = 0; r < REC_COUNT; r++) {
        const struct er_record_desc *desc = &er_records[r];
        const struct schema_file *file =
            schema_find_file(&s, er_files[desc->file].name);
        const struct schema_record *record = schema_find_record(file, desc->name);

        cr_assert_eq(file->number, desc->file);
        cr_assert_eq(record->number, desc->number);
        cr_assert_eq(record->nfields, desc->nfields);
        for (u32 f = 0; f < desc->nfields; f++)
            cr_assert_eq(record->field[f].encoding, desc->fields[f].encoding);
    }
    schema_free(&s);
}

Test(schema, rows_have_offsets)
{
    struct schema s = { 0 };
    const struct schema_record *record;

    schema_builtin(&s);
    record = schema_find_record(schema_find_file(&s, "frameinfo"), "node");
    cr_assert_eq(schema_row_bytes(record), ER_NODE_BYTES);
    cr_assert_eq(schema_row_offset(record, 2), 8);
    record = schema_find_record(schema_find_file(&s, "threads"), "thread");
    cr_assert_eq(schema_row_bytes(record), ER_THREAD_BYTES);
    record = schema_find_record(schema_find_file(&s, "profile"), "clock");
    cr_assert_eq(schema_row_bytes(record), 0);
    schema_free(&s);
}

Test(schema, numbers_and_texts)
{
    struct schema s = { 0 };
    const struct schema_record *record;

    schema_builtin(&s);
    record = schema_find_record(schema_find_file(&s, "overview"), "sample");
    cr_assert(schema_find_field(record, "label") > 0);
    cr_assert_eq(schema_find_number(record, "label"), -1);
    cr_assert_eq(schema_find_number(record, "mono"), 1);
    cr_assert_eq(schema_find_number(record, "nothing"), -1);
    schema_free(&s);
}

Test(schema, refuses_what_cannot_be)
{
    struct schema s = { 0 };

    cr_assert_eq(schema_add_record(&s, "r", "1"), -EINVAL);
    cr_assert_eq(schema_add_field(&s, "f", "u32", ""), -EINVAL);
    cr_assert_eq(schema_add_file(&s, "a", "rows", NULL), 0);
    cr_assert_eq(schema_add_file(&s, "a", "rows", NULL), -EINVAL);
    cr_assert_eq(schema_add_field(&s, "f", "u32", ""), -EINVAL);
    cr_assert_eq(schema_add_record(&s, "r", "1"), 0);
    cr_assert_eq(schema_add_record(&s, "other", "1"), -EINVAL);
    for (u32 i = 0; i < SCHEMA_FIELDS_MAX; i++)
        cr_assert_eq(schema_add_field(&s, "f", "u64", NULL), 0);
    cr_assert_eq(schema_add_field(&s, "f", "u64", NULL), -EINVAL);
    schema_free(&s);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/base/pool.h"

struct reading {
    struct nametable names;
    u32 room;
    int kind, id, name; /* indices of fields in a row */
    bool no_memory;
};

static void
on_batch(void *context, const struct batch *batch)
{
    struct reading *r = context;
    const u64 *row = batch->row;

    if (strcmp(batch->record->name, "named"))
        return;
    for (u32 i = 0; i < batch->count && !r->no_memory;
         i++, row += batch->record->nfields) {
        const struct er_str *text = (const void *)(uintptr_t)row[r->name];
        struct recorded_name name = {
            .id = row[r->id],
            .kind = (u32)row[r->kind],
            .order = r->names.count,
            .text = pool_text(&r->names.pool, text->s, text->len),
        };

        if (!name.text || array_room(&r->names.row, &r->room, r->names.count + 1,
                                     sizeof(name)) < 0)
            r->no_memory = true;
        else
            r->names.row[r->names.count++] = name;
    }
}

static int
compare(const void *a, const void *b)
{
    const struct recorded_name *left = a, *right = b;

    if (left->kind != right->kind)
        return left->kind < right->kind ? -1 : 1;
    return left->id < right->id ? -1 : left->id > right->id;
}

static int
in_order(const void *a, const void *b)
{
    const struct recorded_name *left = a, *right = b;
    int differ = compare(a, b);

    return differ ? differ : left->order < right->order ? -1 : 1;
}

int
names_read(struct nametable *out, const struct record_source *source)
{
    const struct schema_record *record = schema_find_record(source->schema, "named");
    struct reading r = { 0 };
    struct record_sink sink = { on_batch, &r, true };
    int ret = 0;

    if (record) {
        r.kind = schema_find_number(record, "kind");
        r.id = schema_find_number(record, "id");
        r.name = schema_find_field(record, "name");
    }
    if (record && r.kind >= 0 && r.id >= 0 && r.name >= 0 &&
        record->field[r.name].encoding == ENC_STR)
        ret = records_scan(source, &sink, 1, NULL);
    if (ret < 0 || r.no_memory) {
        names_free(&r.names);
        return -ENOMEM;
    }
    if (r.names.count)
        qsort(r.names.row, r.names.count, sizeof(*r.names.row), in_order);
    *out = r.names;
    return 0;
}

void
names_free(struct nametable *names)
{
    free(names->row);
    pool_free(names->pool);
    memset(names, 0, sizeof(*names));
}

const char *
names_find(const struct nametable *names, u32 kind, u64 id)
{
    struct recorded_name key = { .id = id, .kind = kind };
    const struct recorded_name *found =
        names->count ? bsearch(&key, names->row, names->count, sizeof(key), compare)
                     : NULL;

    return found ? found->text : NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/record/collected.h"

#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"

enum {
    IDS_MAX = 1u << 30, /* a larger id is damage: ignore the rest of its batch */
};

static void
on_batch(void *context, const struct batch *batch)
{
    struct collected *c = context;
    const u64 *row = batch->row;
    int id = schema_find_number(batch->record, "id");

    if (strcmp(batch->record->name, "collected") || id < 0)
        return;
    for (u32 i = 0; i < batch->count; i++, row += batch->record->nfields) {
        u64 bit = row[id];

        if (bit >= IDS_MAX ||
            array_room_zero(&c->bits, &c->words, (u32)(bit / 64) + 1,
                            sizeof(*c->bits)) < 0)
            return;
        c->bits[bit / 64] |= 1ull << bit % 64;
    }
}

const struct collected *
collected_once(struct collected *collected, const struct record_source *source)
{
    struct record_sink sink = { on_batch, collected, false };

    if (!schema_find_record(source->schema, "collected"))
        return NULL;
    if (!collected->made) {
        collected->made = true;
        (void)scan_run(source, &sink, 1, NULL);
    }
    return collected->words ? collected : NULL;
}

void
collected_free(struct collected *collected)
{
    free(collected->bits);
    memset(collected, 0, sizeof(*collected));
}

static bool
is_collected(const struct collected *c, u64 id)
{
    return id / 64 < c->words && c->bits[id / 64] >> id % 64 & 1;
}

void
collected_batch(const struct collected *collected, const struct batch *batch,
                const struct record_sink *sink)
{
    u32 fields = batch->record->nfields;
    int id = schema_find_number(batch->record, "id");
    int live = schema_find_number(batch->record, "live");
    u64 *row = id < 0 || live < 0 ? NULL : calloc(batch->count, fields * sizeof(*row));
    struct batch changed = *batch;

    if (!row || strcmp(batch->record->name, "object")) {
        sink->batch(sink->context, batch);
        free(row);
        return;
    }
    memcpy(row, batch->row, (u64)batch->count * fields * sizeof(*row));
    for (u32 i = 0; i < batch->count; i++)
        if (is_collected(collected, row[(u64)i * fields + (u32)id]))
            row[(u64)i * fields + (u32)live] = 0;
    changed.row = row;
    sink->batch(sink->context, &changed);
    free(row);
}

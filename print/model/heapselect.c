/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/heapselect.h"

#include <stddef.h>

/* Fields of a block as tokens.def names them. */
enum field {
    FIELD_TIME,
    FIELD_ADDR,
    FIELD_SIZE,
    FIELD_TYPE,
    FIELD_COUNT,
};

enum { TYPE_MAPPING = 3 };

static struct schema_field fields[FIELD_COUNT] = {
    { "time", "tick", ENC_TIME },   { "addr", "address", ENC_VARINT },
    { "size", "byte", ENC_VARINT }, { "type", "", ENC_VARINT },
};

static const struct schema_record record = {
    .name = "block",
    .field = fields,
    .nfields = FIELD_COUNT,
};

int
heapselect_bind(struct session *session, u32 index, struct bound_filter **out)
{
    struct record_source source;

    *out = NULL;
    if (experiment_source(session->experiment[index], FILE_heaptrace, &source) < 0)
        return 0;
    return filterbind(session, index, source.schema, &record, false, out);
}

bool
heapselect_ask(const struct bound_filter *filter, const struct heap_block *block)
{
    u64 row[FIELD_COUNT] = {
        [FIELD_TIME] = block->time,
        [FIELD_ADDR] = block->addr,
        [FIELD_SIZE] = block->size,
        [FIELD_TYPE] = block->mapping ? TYPE_MAPPING : 0,
    };
    struct filter_event event = {
        .row = row,
        .thread = block->thread,
        .tid = block->tid,
        .stack = block->node,
    };

    return filterbind_ask(filter, &event);
}

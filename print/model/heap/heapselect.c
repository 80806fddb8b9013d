/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/heap/heapselect.h"

#include <stddef.h>

/* The fields of a block, as a filter sees them; tokens.def names them. */
enum field {
    FIELD_TIME,
    FIELD_ADDR,
    FIELD_SIZE,
    FIELD_TYPE,
    FIELD_OLD,
    FIELD_NODE,
    FIELD_LEAKED,
    FIELD_FREED,
    FIELD_COUNT = HEAPSELECT_FIELDS,
};

enum { TYPE_MAPPING = 3 };

static struct schema_field fields[FIELD_COUNT] = {
    { "time", "tick", ENC_TIME },   { "addr", "address", ENC_VARINT },
    { "size", "byte", ENC_VARINT }, { "type", "", ENC_VARINT },
    { "old", "address", ENC_VARINT }, { "node", "", ENC_VARINT },
    { "leaked", "byte", ENC_VARINT }, { "freed", "byte", ENC_VARINT },
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

int
heapselect_bind_expr(struct session *session, u32 index,
                     const struct filter_expr *expr, const struct stack_tests *tests,
                     struct bound_filter **out)
{
    struct record_source source;

    if (experiment_source(session->experiment[index], FILE_heaptrace, &source) < 0)
        return -ENOENT;
    return filterbind_expr(session, index, source.schema, &record, false, expr, tests,
                           out);
}

struct filter_event
heapselect_event(const struct heap_block *block, u64 *row)
{
    row[FIELD_TIME] = block->time;
    row[FIELD_ADDR] = block->addr;
    row[FIELD_SIZE] = block->size;
    row[FIELD_TYPE] = block->mapping ? TYPE_MAPPING : 0;
    row[FIELD_OLD] = block->old;
    row[FIELD_NODE] = block->node;
    row[FIELD_LEAKED] = block->leaked;
    row[FIELD_FREED] = block->size > block->leaked ? block->size - block->leaked : 0;
    return (struct filter_event){
        .row = row,
        .thread = block->thread,
        .tid = block->tid,
        .stack = block->node,
    };
}

bool
heapselect_needs_leaks(const struct bound_filter *filter)
{
    for (u32 i = 0; filter && i < filter->count; i++)
        if (filter->node[i].kind == BOUND_FIELD && filter->node[i].a >= FIELD_LEAKED)
            return true;
    return false;
}

bool
heapselect_accepts(const struct bound_filter *filter, const struct heap_block *block)
{
    u64 row[HEAPSELECT_FIELDS];
    struct filter_event event = heapselect_event(block, row);

    return filterbind_accepts(filter, &event);
}

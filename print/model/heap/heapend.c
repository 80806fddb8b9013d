/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/heap/heapend.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"

struct reading {
    struct heapend end;
    const struct schema_record *scan, *left;
    int time;                    /* field of scan, -1 = none */
    int addr, span, class, head; /* of left */
    u32 shift;
    bool no_memory;
};

static u64
get(const u64 *row, int field)
{
    return field < 0 ? 0 : row[field];
}

static void
add_run(struct reading *r, const u64 *row)
{
    struct heapend *end = &r->end;
    u64 class = get(row, r->class);

    if (array_room(&end->run, &end->room, end->count + 1, sizeof(*end->run)) < 0) {
        r->no_memory = true;
        return;
    }
    end->run[end->count++] = (struct heapend_run){
        .addr = get(row, r->addr),
        .span = get(row, r->span),
        .head = get(row, r->head),
        .class = class < LEFT_CLASSES ? (u32)class : LEFT_UNKNOWN,
    };
}

static void
on_batch(void *context, const struct batch *batch)
{
    struct reading *r = context;

    for (u32 i = 0; i < batch->count; i++) {
        const u64 *row = batch->row + (u64)i * batch->record->nfields;

        if (batch->record == r->scan) {
            r->end.scanned = true;
            r->end.time = get(row, r->time) << r->shift;
        } else if (batch->record == r->left) {
            add_run(r, row);
        }
    }
}

static int
by_address(const void *a, const void *b)
{
    const struct heapend_run *x = a, *y = b;

    return x->addr < y->addr ? -1 : x->addr > y->addr;
}

int
heapend_read(struct experiment *e, struct heapend *end)
{
    struct reading r = { .end = { 0 } };
    struct record_sink sink = { on_batch, &r, false };
    struct record_source source;
    int ret;

    memset(end, 0, sizeof(*end));
    if (experiment_source(e, FILE_heapend, &source) < 0)
        return 0;
    r.scan = schema_find_record(source.schema, "scan");
    r.left = schema_find_record(source.schema, "left");
    if (!r.scan || !r.left)
        return 0;
    r.shift = source.schema->time_shift;
    r.time = schema_find_number(r.scan, "time");
    r.addr = schema_find_number(r.left, "addr");
    r.span = schema_find_number(r.left, "span");
    r.class = schema_find_number(r.left, "class");
    r.head = schema_find_number(r.left, "head");
    ret = records_scan(&source, &sink, 1, NULL);
    if (ret == 0 && r.no_memory)
        ret = -ENOMEM;
    if (r.end.count)
        qsort(r.end.run, r.end.count, sizeof(*r.end.run), by_address);
    if (ret < 0 || !r.end.scanned)
        heapend_free(&r.end);
    *end = r.end;
    return ret;
}

void
heapend_free(struct heapend *end)
{
    free(end->run);
    memset(end, 0, sizeof(*end));
}

const struct heapend_run *
heapend_find(const struct heapend *end, u64 addr)
{
    u32 lo = 0, hi = end->count;

    while (lo < hi) {
        u32 mid = lo + (hi - lo) / 2;

        if (end->run[mid].addr <= addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo && addr - end->run[lo - 1].addr < end->run[lo - 1].span
               ? &end->run[lo - 1]
               : NULL;
}

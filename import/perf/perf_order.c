/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of the records of perf.data, and which of them are in memory. perf writes
 * the processors' records in turn, some megabytes at a time, so that they are nearly in
 * order: they are sorted piece by piece, which needs little memory besides theirs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "import/perf/perf.h"
#include "import/slurp.h"

enum {
    PIECE = 1 << 16,  /* records that are sorted at once, at least */
    SHARE = 8,        /* or 1 / SHARE of the records before them, if that is more */
    WINDOW = 8 << 20, /* bytes that are read until pages are given back */
};

static int
compare(const void *a, const void *b)
{
    const struct perf_record_at *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static bool
is_sorted(const struct perf_record_at *record, u32 count)
{
    for (u32 i = 1; i < count; i++)
        if (compare(&record[i - 1], &record[i]) > 0)
            return false;
    return true;
}

/* Merges the sorted records from `from` on into the sorted ones before them. */
static int
merge(struct perf_record_at *record, u32 from, u32 count)
{
    u32 left = from, right = count, to = from + count;
    struct perf_record_at *piece;

    if (!from || compare(&record[from - 1], &record[from]) <= 0)
        return 0;
    piece = malloc(count * sizeof(*piece));
    if (!piece)
        return -ENOMEM;
    memcpy(piece, record + from, count * sizeof(*piece));
    while (right) {
        bool before = left && compare(&record[left - 1], &piece[right - 1]) > 0;

        record[--to] = before ? record[--left] : piece[--right];
    }
    free(piece);
    return 0;
}

int
perf_sort(struct perf *p)
{
    int ret = 0;

    for (u32 at = 0, count; at < p->nrecords && ret == 0; at += count) {
        u32 most = at / SHARE > PIECE ? at / SHARE : PIECE;

        count = p->nrecords - at < most ? p->nrecords - at : most;
        if (!is_sorted(p->record + at, count))
            qsort(p->record + at, count, sizeof(*p->record), compare);
        ret = merge(p->record, at, count);
    }
    return ret;
}

void
perf_was_read(struct perf *p, u32 size)
{
    p->read += size;
    if (p->read < WINDOW || p->file.at != p->im->mapped.at)
        return;
    slurp_forget(p->im->mapped);
    p->read = 0;
}

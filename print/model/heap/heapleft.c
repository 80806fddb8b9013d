/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/heap/heapleft.h"

#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"

int
heapleft_add(struct heapleft *left, u64 addr, u64 time, u64 bytes)
{
    int ret = array_room(&left->row, &left->room, left->count + 1, sizeof(*left->row));

    if (ret == 0)
        left->row[left->count++] = (struct left){ addr, time, bytes };
    return ret;
}

int
heapleft_add_blocks(struct heapleft *left, const struct blocks *blocks)
{
    int ret = 0;

    for (u64 i = 0; i < blocks->slots && ret == 0; i++) {
        struct block_info info = blocks_info(&blocks->slot[i]);

        if (blocks->slot[i].owner)
            ret = heapleft_add(left, blocks->slot[i].addr, info.time, info.size);
    }
    return ret;
}

static int
compare(const void *a, const void *b)
{
    const struct left *x = a, *y = b;

    if (x->addr != y->addr)
        return x->addr < y->addr ? -1 : 1;
    return x->time < y->time ? -1 : x->time > y->time;
}

void
heapleft_sort(struct heapleft *left)
{
    if (left->count)
        qsort(left->row, left->count, sizeof(*left->row), compare);
}

u64
heapleft_find(const struct heapleft *left, u64 addr, u64 time)
{
    struct left wanted = { addr, blocks_clamp(time), 0 };
    u32 lo = 0, hi = left->count;
    u64 bytes = 0;

    while (lo < hi) {
        u32 mid = lo + (hi - lo) / 2;

        if (compare(&left->row[mid], &wanted) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (; lo < left->count && !compare(&left->row[lo], &wanted); lo++)
        bytes += left->row[lo].bytes;
    return bytes;
}

void
heapleft_free(struct heapleft *left)
{
    free(left->row);
    memset(left, 0, sizeof(*left));
}

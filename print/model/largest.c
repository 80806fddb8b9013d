/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/largest.h"

#include <stdlib.h>
#include <string.h>

enum {
    ROOM = 64, /* items, at first */
};

static bool
grow(struct largest *l)
{
    u32 most = 2 * l->wanted, room = l->room ? 2 * l->room : ROOM;
    char *item;

    room = room > most ? most : room;
    item = realloc(l->item, (size_t)room * l->size);
    if (!item) {
        l->no_memory = true;
        return false;
    }
    l->item = item;
    l->room = room;
    return true;
}

void
largest_add(struct largest *l, const void *item)
{
    l->seen++;
    /*
     * The item would sort after all `wanted` items kept at the last sort: ignore it.
     */
    if (l->pruned &&
        l->compare(item, l->item + (size_t)(l->wanted - 1) * l->size) >= 0)
        return;
    if (l->count == 2 * l->wanted)
        largest_settle(l);
    if (l->count == l->room && !grow(l))
        return;
    memcpy(l->item + (size_t)l->count * l->size, item, l->size);
    l->count++;
}

void
largest_settle(struct largest *l)
{
    if (l->count)
        qsort(l->item, l->count, l->size, l->compare);
    if (l->count < l->wanted)
        return;
    l->count = l->wanted;
    l->pruned = true;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/heap/blocks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLOTS_MIN = 1024,
};

static void
put(struct blocks *blocks, const struct block *block)
{
    u64 at = blocks_home(blocks, block->addr);

    while (blocks->slot[at].owner)
        at = at + 1 == blocks->slots ? 0 : at + 1;
    blocks->slot[at] = *block;
}

static int
grow(struct blocks *blocks)
{
    struct blocks grown = { .slots = blocks->slots * 2, .count = blocks->count };

    /*
     * Large tables grow by less, since during growth both the old and the new one
     * exist.
     */
    if (blocks->slots >= 1 << 22)
        grown.slots = blocks->slots + blocks->slots / 2;
    if (grown.slots < SLOTS_MIN)
        grown.slots = SLOTS_MIN;
    grown.slot = calloc(grown.slots, sizeof(*grown.slot));
    if (!grown.slot)
        return -ENOMEM;
    for (u64 i = 0; i < blocks->slots; i++)
        if (blocks->slot[i].owner)
            put(&grown, &blocks->slot[i]);
    free(blocks->slot);
    *blocks = grown;
    return 0;
}

int
blocks_add(struct blocks *blocks, u64 addr, const struct block_info *info)
{
    struct block block;

    if (blocks->count >= blocks->slots - blocks->slots / 4 && grow(blocks) < 0)
        return -ENOMEM;
    blocks_fill(&block, addr, info);
    put(blocks, &block);
    blocks->count++;
    return 0;
}

/*
 * A slot `to` becomes free. May the block at slot `at`, whose hash belongs to slot
 * `home`, move there? (It must stay between home and at, in a table that wraps around.)
 */
static bool
may_move(u64 home, u64 to, u64 at)
{
    return to <= at ? home <= to || home > at : home <= to && home > at;
}

void
blocks_remove(struct blocks *blocks, struct block *block)
{
    u64 to = (u64)(block - blocks->slot), at = to;

    for (;;) {
        at = at + 1 == blocks->slots ? 0 : at + 1;
        if (!blocks->slot[at].owner)
            break;
        if (!may_move(blocks_home(blocks, blocks->slot[at].addr), to, at))
            continue;
        blocks->slot[to] = blocks->slot[at];
        to = at;
    }
    blocks->slot[to].owner = 0;
    blocks->count--;
}

void
blocks_free(struct blocks *blocks)
{
    free(blocks->slot);
    memset(blocks, 0, sizeof(*blocks));
}

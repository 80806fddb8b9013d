/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/numbers.h"

#include <errno.h>
#include <stdlib.h>

#include "print/base/array.h"

enum {
    IDS_MAX = 1 << 24,
};

int
numbers_read(struct numbers *numbers, struct session *session,
             int (*read)(void *owner, struct experiment *e, struct number_map *map),
             void *owner)
{
    u32 count = session->nexperiments;
    int ret = 0;

    numbers->map = calloc((size_t)count + 1, sizeof(*numbers->map));
    if (!numbers->map)
        return -ENOMEM;
    for (u32 i = 0; i < count && ret == 0; i++, numbers->maps++)
        ret = read(owner, session->experiment[i], &numbers->map[i]);
    return ret;
}

u32
numbers_find(const struct numbers *numbers, u32 hash,
             bool (*same)(const void *key, u32 index), const void *key)
{
    u32 at = hash_find(&numbers->hash, hash, same, key);

    return at == HASH_NONE ? numbers->count + 1 : at + 1;
}

int
numbers_add(struct numbers *numbers, u32 hash)
{
    int ret = hash_add(&numbers->hash, hash, numbers->count);

    numbers->count += ret == 0;
    return ret;
}

bool
numbers_accepts(u64 id)
{
    return id < IDS_MAX;
}

int
numbers_set(struct number_map *map, u64 id, u32 number)
{
    if (array_room_zero(&map->number, &map->count, (u32)id + 1,
                        sizeof(*map->number)) < 0)
        return -ENOMEM;
    map->number[id] = number;
    return 0;
}

void
numbers_free(struct numbers *numbers)
{
    for (u32 i = 0; numbers->map && i < numbers->maps; i++)
        free(numbers->map[i].number);
    free(numbers->map);
    hash_free(&numbers->hash);
    *numbers = (struct numbers){ .count = 0 };
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/lookup/regions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"

struct wanted {
    const struct regions *regions;
    u32 parent;
    const char *name;
};

static bool
is_same(const void *key, u32 index)
{
    const struct wanted *want = key;
    const struct region *r = &want->regions->region[index];

    return r->parent == want->parent && !strcmp(r->name, want->name);
}

u32
regions_named(struct regions *all, u32 parent, const char *name)
{
    struct wanted want = { all, parent, name };
    u32 hash = (u32)hash_str(hash_mix(parent + 1), name);
    u32 at = hash_find(&all->hash, hash, is_same, &want);
    struct region *r;

    if (at != HASH_NONE)
        return at;
    if (array_room_zero(&all->region, &all->room, all->count + 1, sizeof(*r)) < 0 ||
        hash_add(&all->hash, hash, all->count) < 0)
        return 0;
    r = &all->region[all->count];
    *r = (struct region){ .parent = parent,
                          .depth = all->region[parent].depth + 1 };
    r->name = pool_text(&all->pool, name, strlen(name));
    if (!r->name)
        return 0;
    r->next = all->region[parent].child;
    all->region[parent].child = all->count;
    return all->count++;
}

int
regions_begin(struct regions *out)
{
    *out = (struct regions){ .count = 1 };
    if (array_room_zero(&out->region, &out->room, 1, sizeof(*out->region)) < 0)
        return -ENOMEM;
    out->region[0].name = "";
    return 0;
}

void
regions_free(struct regions *all)
{
    free(all->region);
    free(all->interval);
    free(all->mark);
    free(all->text);
    hash_free(&all->hash);
    hash_free(&all->interval_hash);
    hash_free(&all->mark_hash);
    hash_free(&all->text_hash);
    pool_free(all->pool);
    *all = (struct regions){ 0 };
}

u32
regions_next(const struct regions *all, u32 region)
{
    const struct region *r = &all->region[region];

    if (r->child)
        return r->child;
    for (; region; region = all->region[region].parent)
        if (all->region[region].next)
            return all->region[region].next;
    return 0;
}

char *
regions_path(const struct regions *all, u32 region)
{
    return regions_path_by(all, region, '/', "");
}

char *
regions_path_by(const struct regions *all, u32 region, char between, const char *end)
{
    size_t len = strlen(end);
    char *path, *p;

    for (u32 i = region; i; i = all->region[i].parent)
        len += strlen(all->region[i].name) + 1;
    path = malloc(len + 1);
    if (!path)
        return NULL;
    p = path + len - strlen(end);
    memcpy(p, end, strlen(end) + 1);
    for (u32 i = region; i; i = all->region[i].parent) {
        size_t n = strlen(all->region[i].name);

        p -= n;
        memcpy(p, all->region[i].name, n);
        *--p = between;
    }
    if (len)
        memmove(path, path + 1, len);
    return path;
}

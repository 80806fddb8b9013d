/* SPDX-License-Identifier: Apache-2.0 */
#include "print/base/pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST = 2048, /* bytes; few, as there may be thousands of small experiments */
    BLOCK = 16384, /* bytes */
    ALIGN = 16,
};

struct pool {
    struct pool *next;
    size_t used;
    size_t size;
    _Alignas(ALIGN) char data[];
};

/*
 * Allocate a block with room for `need` bytes: twice as large as the block before it,
 * but not above BLOCK unless `need` is.
 */
static struct pool *
block(struct pool *next, size_t need)
{
    size_t usual = next ? 2 * next->size : FIRST, size;
    struct pool *new;

    usual = usual < BLOCK ? usual : BLOCK;
    size = need > usual ? need : usual;
    new = malloc(sizeof(*new) + size);

    if (!new)
        return NULL;
    new->next = next;
    new->used = 0;
    new->size = size;
    return new;
}

void *
pool_alloc(struct pool **pool, size_t size)
{
    struct pool *at = *pool;
    void *p;

    if (size > SIZE_MAX / 2)
        return NULL;
    size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    if (!at || at->size - at->used < size) {
        at = block(*pool, size);
        if (!at)
            return NULL;
        *pool = at;
    }
    p = at->data + at->used;
    at->used += size;
    return p;
}

char *
pool_text(struct pool **pool, const char *text, size_t len)
{
    char *copy = pool_alloc(pool, len + 1);

    if (!copy)
        return NULL;
    memcpy(copy, text, len);
    copy[len] = 0;
    return copy;
}

void
pool_free(struct pool *pool)
{
    while (pool) {
        struct pool *next = pool->next;

        free(pool);
        pool = next;
    }
}

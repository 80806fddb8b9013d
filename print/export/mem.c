/* SPDX-License-Identifier: Apache-2.0 */
#include "print/export/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
out_of_memory(void)
{
    fputs("er_print: no memory is left\n", stderr);
    exit(1);
}

void *
mem_realloc(void *p, size_t size)
{
    p = realloc(p, size ? size : 1);
    if (!p)
        out_of_memory();
    return p;
}

char *
mem_strdup(const char *s)
{
    size_t size = strlen(s) + 1;

    return memcpy(mem_realloc(NULL, size), s, size);
}

void *
mem_grow(void *array, size_t n, size_t member)
{
    if (n & (n - 1))
        return array;
    return mem_realloc(array, (n ? 2 * n : 1) * member);
}

struct arena_block {
    struct arena_block *next;
    size_t size;
    char data[];
};

void *
arena_alloc(struct arena *a, size_t size)
{
    struct arena_block *b = a->blocks;
    void *p;

    size = (size + 7) & ~(size_t)7;
    if (!b || b->size - a->used < size) {
        size_t room = size > 32768 ? size : 32768;

        b = mem_realloc(NULL, sizeof(*b) + room);
        b->next = a->blocks;
        b->size = room;
        a->blocks = b;
        a->used = 0;
    }
    p = memset(b->data + a->used, 0, size);
    a->used += size;
    return p;
}

char *
arena_strdup(struct arena *a, const char *s)
{
    size_t size = strlen(s) + 1;

    return memcpy(arena_alloc(a, size), s, size);
}

char *
arena_printf(struct arena *a, const char *format, ...)
{
    char *text, *kept;
    va_list ap;
    int n;

    va_start(ap, format);
    n = vasprintf(&text, format, ap);
    va_end(ap);
    if (n < 0)
        out_of_memory();
    kept = arena_strdup(a, text);
    free(text);
    return kept;
}

void
arena_free(struct arena *a)
{
    while (a->blocks) {
        struct arena_block *b = a->blocks;

        a->blocks = b->next;
        free(b);
    }
    a->used = 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory for commands and forms: functions that end the program if memory runs out; and
 * an arena, for what is freed together, such as a table's strings. Ordinary process
 * context.
 */
#ifndef ERTOOLS_PRINT_EXPORT_MEM_H
#define ERTOOLS_PRINT_EXPORT_MEM_H

#include <stddef.h>

/* These never return NULL. The caller frees the result by free(). */
void *mem_realloc(void *p, size_t size);
char *mem_strdup(const char *s);

/*
 * Make room for one more element in an array of n elements, doubling it if needed; n
 * begins at 0, and grows by one each time. Returns the array, which may have moved.
 */
void *mem_grow(void *array, size_t n, size_t member);

struct arena_block;

/* Start with { 0 }. */
struct arena {
    struct arena_block *blocks;
    size_t used;
};

/*
 * Allocate memory, which is zeroed and aligned to 8 bytes. arena_free() frees all of an
 * arena.
 */
void *arena_alloc(struct arena *a, size_t size);
char *arena_strdup(struct arena *a, const char *s);
char *arena_printf(struct arena *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void arena_free(struct arena *a);

#endif

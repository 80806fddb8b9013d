/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory for commands and forms: functions that end the program when there is none, and
 * an arena for what lives as long as a table. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_EXPORT_MEM_H
#define ERTOOLS_PRINT_EXPORT_MEM_H

#include <stddef.h>

/* Never return NULL; free() what they give. */
void *mem_realloc(void *p, size_t size);
char *mem_strdup(const char *s);

/*
 * Make room for one more element of an array of n, growing by doubling; n starts at 0.
 */
void *mem_grow(void *array, size_t n, size_t member);

struct arena_block;

/* Start with { 0 }. */
struct arena {
    struct arena_block *blocks;
    size_t used;
};

/* Zeroed and aligned to 8 bytes; freed all at once by arena_free(). */
void *arena_alloc(struct arena *a, size_t size);
char *arena_strdup(struct arena *a, const char *s);
char *arena_printf(struct arena *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void arena_free(struct arena *a);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is all freed at once. Only one thread at a time may use a pool. */
#ifndef ERTOOLS_PRINT_LOAD_POOL_H
#define ERTOOLS_PRINT_LOAD_POOL_H

#include <stddef.h>

struct pool;

/*
 * Allocate `size` bytes, aligned for any type and not cleared; *pool may be NULL at
 * first. NULL = no memory.
 */
void *pool_alloc(struct pool **pool, size_t size);

/* A terminated copy of len bytes. NULL = no memory. */
char *pool_text(struct pool **pool, const char *text, size_t len);

void pool_free(struct pool *pool);

#endif

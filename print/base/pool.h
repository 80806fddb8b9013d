/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is all freed at once. Only one thread at a time may use a pool. */
#ifndef ERTOOLS_PRINT_BASE_POOL_H
#define ERTOOLS_PRINT_BASE_POOL_H

#include <stddef.h>

struct pool;

/*
 * Allocate `size` bytes, aligned for any type and not cleared. *pool is NULL before the
 * first call; pool_free() frees all that was allocated from it. NULL = no memory.
 */
void *pool_alloc(struct pool **pool, size_t size);

/* A copy of `len` bytes, with a final zero. NULL = no memory. */
char *pool_text(struct pool **pool, const char *text, size_t len);

void pool_free(struct pool *pool);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that is freed all at once. One thread at a time. */
#ifndef ERTOOLS_PRINT_LOAD_POOL_H
#define ERTOOLS_PRINT_LOAD_POOL_H

#include <stddef.h>

struct pool;

/* `size` bytes for any type, not cleared; *pool may be NULL. NULL = no memory. */
void *pool_alloc(struct pool **pool, size_t size);

/* A terminated copy of len bytes. NULL = no memory. */
char *pool_text(struct pool **pool, const char *text, size_t len);

void pool_free(struct pool *pool);

#endif

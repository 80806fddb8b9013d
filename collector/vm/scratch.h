/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that is used for one report. It does not come from the target's heap, which
 * may be traced. Normal context of any thread.
 */
#ifndef ERTOOLS_COLLECTOR_VM_SCRATCH_H
#define ERTOOLS_COLLECTOR_VM_SCRATCH_H

#include "share/types.h"

struct scratch {
    u64 used;
    u64 bytes;
};

/* A pool of zeroed memory, or NULL. */
struct scratch *scratch_open(void);

/* Zeroed memory from the pool, aligned for any type; NULL when the pool is used up. */
void *scratch_alloc(struct scratch *s, u64 bytes);

/* A terminated copy of len characters, in the pool; NULL when that is used up. */
char *scratch_text(struct scratch *s, const char *text, u64 len);

void scratch_close(struct scratch *s);

#endif

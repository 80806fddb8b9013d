/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory for the time of one report. It is not from the target's heap, which may be
 * traced. Normal context of any thread.
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

/* Some of it, zeroed, aligned for anything; NULL when it is used up. */
void *scratch_take(struct scratch *s, u64 bytes);

/* A copy of len characters, terminated; NULL when it is used up. */
char *scratch_text(struct scratch *s, const char *text, u64 len);

void scratch_close(struct scratch *s);

#endif

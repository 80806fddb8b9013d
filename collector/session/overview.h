/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sample points that the launcher takes: resource use of the target, read from outside
 * and written as records of thread 0. Normal context of the launcher.
 */
#ifndef ERTOOLS_SESSION_OVERVIEW_H
#define ERTOOLS_SESSION_OVERVIEW_H

#include "collector/inspect/account.h"
#include "collector/inspect/moment.h"
#include "share/chunk.h"
#include "share/experiment.h"

/* The launcher's writing end. All zero = nothing written yet. */
struct overview {
    u64 at;   /* offset of the chunk in the file, when used > 0 */
    u32 size; /* bytes of the chunk */
    u32 used;
    u32 seq;
    u32 dropped; /* records that could not be written since the chunk before */
    struct codec codec;
    unsigned char data[ER_CHUNK_MIN]; /* the chunk, with its header */
};

/*
 * Append a sample point of the given cause. label may be NULL; if it is longer than 200
 * bytes, its first 200 bytes are kept. Returns 0, or -errno: there is no room, or it
 * cannot be written; the record is counted as dropped.
 */
int overview_put(struct overview *o, struct expdir *e, struct moment now,
                 enum er_cause cause, const struct process_use *a, const char *label);

/* Append a counter's value; its time is set here. Returns as overview_put(). */
int overview_total(struct overview *o, struct expdir *e, struct moment now,
                   const struct rec_total *total);

/*
 * Append a mapping of memory; its time is set here. If the name is longer than
 * OVERVIEW_NAME_MAX bytes, its last bytes are kept. Returns as overview_put().
 */
enum { OVERVIEW_NAME_MAX = 300 };
int overview_region(struct overview *o, struct expdir *e, struct moment now,
                    const struct rec_region *region);

/* Seal the last chunk. */
void overview_end(struct overview *o, struct expdir *e);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A data file with chunks, which one thread builds in memory for all threads of the
 * profile. Ordinary process context.
 */
#ifndef ERTOOLS_IMPORT_CHUNKFILE_H
#define ERTOOLS_IMPORT_CHUNKFILE_H

#include <stdbool.h>

#include "share/chunk.h"
#include "share/record.h"

struct chunkfile_chunk;

/* An empty file is all zeros, but `file` must be set. */
struct chunkfile {
    enum er_file file;
    unsigned char *data;
    u64 size; /* bytes of `data`; those from `next` on are zero */
    u64 next; /* offset at which the next chunk begins; at the end, the file's size */
    struct chunkfile_chunk *chunk; /* by thread: its open chunk */
    u32 nchunks, chunks_room;
};

/* Append a thread's record, whose time is in ns. False: there is no memory. */
bool chunkfile_clock(struct chunkfile *f, u32 thread, const struct rec_clock *record);
bool chunkfile_count(struct chunkfile *f, u32 thread, const struct rec_count *record);
bool chunkfile_branches(struct chunkfile *f, u32 thread,
                        const struct rec_branches *record);

/*
 * The same for records of the heap, whose own times are in the file's unit (ns >>
 * time_shift). `time` is the same time in ns.
 */
bool chunkfile_alloc(struct chunkfile *f, u32 thread, u64 time,
                     const struct rec_alloc *record);
bool chunkfile_freed(struct chunkfile *f, u32 thread, u64 time,
                     const struct rec_free *record);

/* Seal all open chunks; then the bytes of `data` up to `next` are the file. */
void chunkfile_seal(struct chunkfile *f);
void chunkfile_free(struct chunkfile *f);

#endif

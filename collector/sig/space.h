/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Space in the data files: chunks taken from what the launcher reserved, and records
 * committed to them. Runs in handlers of all threads at once; space_start() is for
 * normal context. Nothing here makes a file longer: without room a record is dropped
 * and counted.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_SPACE_H
#define ERTOOLS_COLLECTOR_SIG_SPACE_H

#include "share/chunk.h"
#include "share/ctl.h"
#include "share/record.h"
#include "share/types.h"

enum {
    SPACE_WINDOW = 4,       /* segments mapped at a time */
    SPACE_SEGMENTS = 32768, /* maximum for a file: 32 GiB */
};

struct space_file {
    u32 mapped;  /* segments mapped, from 0 */
    u32 mapping; /* a lock: 1 while a thread maps the next segments */
};

extern struct space_file space_files[FILE_COUNT];

/*
 * Where each segment is mapped, or NULL. The first segments of all files are adjacent,
 * so that a short program touches one page of this table.
 */
extern unsigned char *space_segments[SPACE_SEGMENTS][FILE_COUNT];

/* The control page, or NULL when nothing is recorded. */
extern struct ctl *space_ctl;

/* The process that the experiment is for: the pid when recording began. */
extern u32 space_pid;

/*
 * Set if the target has restricted its system calls (preload/limit.h). space_no_wake:
 * make no futex call; the launcher sees the want word when it looks next.
 * space_no_windows: map no further windows.
 */
extern u32 space_no_wake, space_no_windows;

/* The founder's control page, whose want word wakes the launcher; NULL = space_ctl. */
extern struct ctl *space_wake_page;

/* A thread's writer of one file. All zero = no chunk was taken yet. */
struct chunk_writer {
    struct er_chunk *chunk;
    u32 size; /* bytes of the chunk */
    u32 used; /* bytes in use, with the header */
    u32 next_size; /* bytes to ask for next; 0 = the least */
    u32 seq;  /* chunks taken so far */
    u32 lost; /* records dropped since the last chunk was taken */
    struct codec codec;
};

/* Record that the first window of a file is mapped at base. Normal context. */
void space_start(enum er_file file, unsigned char *base);

/*
 * For normal context of a forked child, which does not inherit the mappings of files.
 * space_forget(): forget where the files were mapped. space_fill(): before that, put
 * private memory there if an interrupted hook has yet to write there.
 */
void space_forget(void);
void space_fill(void);

/*
 * Call in a forked child that is not recorded: replaces the files and the control page
 * by private memory; the new control page says that recording has ended. A hook that
 * the forking signal handler had interrupted notices that, or its record is discarded.
 */
void space_part(void);

/*
 * For a process that is no longer recorded, but continues: unmap all files. keep: a
 * hook may still write, so private memory replaces them.
 */
void space_drop(int keep);

/*
 * Start the store of stack nodes on the file frameinfo, and forget the code objects
 * that nodes refer to (code.h). Normal context.
 */
void space_start_nodes(void);

/*
 * Add to the store of nodes the segments by which the file frameinfo has grown; ask the
 * launcher for more if it wants more. Runs in handlers; one thread at a time does it,
 * others do not wait.
 */
void space_more_nodes(void);

/*
 * The address of byte `at` of a file; maps the next window if it must. NULL = it
 * cannot.
 */
unsigned char *space_at(enum er_file file, u64 at);

/* Set these bits in the founder's want word, and wake the launcher if it waits. */
void space_ring(u32 want);

/* Ask the launcher for what the bits of enum er_ctl_want say. */
void space_want(u32 want);

/*
 * Get room for a record of at most `bytes`, which must fit into a chunk of
 * ER_CHUNK_MIN. Returns where to write it, or NULL (counted in writer->lost). ticks:
 * the time for the header, if a new chunk must be begun.
 */
unsigned char *writer_begin(struct chunk_writer *writer, enum er_file file, u32 thread,
                            u64 ticks, u32 bytes);

/* Commit the record that ends at `end`: from now on readers see it. */
static inline void
writer_commit(struct chunk_writer *writer, const unsigned char *end)
{
    u32 used = (u32)(end - (const unsigned char *)writer->chunk);

    writer->used = used;
    __atomic_store_n(&writer->chunk->committed, used, __ATOMIC_RELEASE);
}

/*
 * Call when the owner of a writer writes no more: seals its chunk, if it has one, and
 * frees the rest of that for others.
 */
void writer_seal(struct chunk_writer *writer, enum er_file file);

#endif

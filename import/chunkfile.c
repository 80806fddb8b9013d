/* SPDX-License-Identifier: Apache-2.0 */
#include "import/chunkfile.h"

#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"

struct chunkfile_chunk {
    u64 at;        /* offset in the file */
    u32 used;      /* bytes, header included */
    u32 size;      /* bytes, header included; 0 = none is open */
    u32 next_size; /* bytes of the thread's next chunk, 0 = the smallest */
    u32 seq;       /* number of the next chunk */
    struct codec codec;
};

static bool
reserve(struct chunkfile *f, u64 end)
{
    u64 size = f->size ? f->size : 4096;
    unsigned char *data;

    if (end <= f->size)
        return true;
    while (size < end)
        size += size < ER_SEGMENT ? size : size / 2;
    data = realloc(f->data, size);
    if (!data)
        return false;
    memset(data + f->size, 0, size - f->size);
    f->data = data;
    f->size = size;
    return true;
}

static struct er_chunk *
header_of(const struct chunkfile *f, const struct chunkfile_chunk *chunk)
{
    return (struct er_chunk *)(void *)(f->data + chunk->at);
}

static void
seal(const struct chunkfile *f, struct chunkfile_chunk *chunk)
{
    struct er_chunk *h;

    if (!chunk->size)
        return;
    h = header_of(f, chunk);
    h->committed = chunk->used;
    h->data_crc = crc32c(0, h + 1, chunk->used - sizeof(*h));
    h->flags |= CHUNK_SEALED;
    chunk->size = 0;
}

/*
 * Reserves space for a chunk. Chunks never cross a segment's end; if too little space
 * remains before it, that space is skipped.
 */
static bool
reserve_space(struct chunkfile *f, struct chunkfile_chunk *chunk)
{
    u64 next = f->next, left = ER_SEGMENT - next % ER_SEGMENT;

    if (left < ER_CHUNK_REST) {
        next += left;
        left = ER_SEGMENT;
    }
    if (!chunk->next_size)
        chunk->next_size = ER_CHUNK_MIN;
    chunk->at = next;
    chunk->size = left < chunk->next_size ? (u32)left : chunk->next_size;
    if (!reserve(f, next + chunk->size)) {
        chunk->size = 0;
        return false;
    }
    f->next = next + chunk->size;
    if (chunk->next_size * 2 <= er_files[f->file].chunk_max)
        chunk->next_size *= 2;
    return true;
}

static bool
begin(struct chunkfile *f, struct chunkfile_chunk *chunk, u32 thread, u64 time)
{
    struct er_chunk *h;

    if (!reserve_space(f, chunk))
        return false;
    h = header_of(f, chunk);
    *h = (struct er_chunk){
        .magic = ER_CHUNK_MAGIC,
        .version = ER_CHUNK_VERSION,
        .file = (uint8_t)f->file,
        .size = chunk->size,
        .committed = sizeof(*h),
        .thread_id = thread,
        .chunk_seq = chunk->seq++,
        .tsc0 = time,
        .mono0 = time,
    };
    h->header_crc = chunk_header_crc(h);
    chunk->used = sizeof(*h);
    codec_start(&chunk->codec, time >> er_files[f->file].time_shift, 0);
    return true;
}

/*
 * The thread's open chunk, which has room for a record of that size; NULL: no memory.
 */
static struct chunkfile_chunk *
room_of(struct chunkfile *f, u32 thread, u64 time, u32 bytes)
{
    struct chunkfile_chunk *chunk;

    if (array_room_zero(&f->chunk, &f->chunks_room, thread + 1, sizeof(*chunk)) < 0)
        return NULL;
    if (thread >= f->nchunks)
        f->nchunks = thread + 1;
    chunk = &f->chunk[thread];
    if (chunk->size && chunk->size - chunk->used < bytes)
        seal(f, chunk);
    return chunk->size || begin(f, chunk, thread, time) ? chunk : NULL;
}

static struct chunkfile_chunk *
room_for(struct chunkfile *f, u32 thread, u64 time)
{
    return room_of(f, thread, time, ER_RECORD_MAX);
}

static void
commit(const struct chunkfile *f, struct chunkfile_chunk *chunk,
       const unsigned char *end)
{
    chunk->used = (u32)(end - (f->data + chunk->at));
}

bool
chunkfile_clock(struct chunkfile *f, u32 thread, const struct rec_clock *record)
{
    struct chunkfile_chunk *chunk = room_for(f, thread, record->time);

    if (!chunk)
        return false;
    commit(f, chunk, rec_put_clock(&chunk->codec, f->data + chunk->at + chunk->used,
                                   record));
    return true;
}

bool
chunkfile_count(struct chunkfile *f, u32 thread, const struct rec_count *record)
{
    struct chunkfile_chunk *chunk = room_for(f, thread, record->time);

    if (!chunk)
        return false;
    commit(f, chunk, rec_put_count(&chunk->codec, f->data + chunk->at + chunk->used,
                                   record));
    return true;
}

bool
chunkfile_branches(struct chunkfile *f, u32 thread, const struct rec_branches *record)
{
    struct chunkfile_chunk *chunk =
        room_of(f, thread, record->time, ER_RECORD_MAX + ER_STR_MAX);

    if (!chunk)
        return false;
    commit(f, chunk, rec_put_branches(&chunk->codec, f->data + chunk->at + chunk->used,
                                      record));
    return true;
}

bool
chunkfile_alloc(struct chunkfile *f, u32 thread, u64 time,
                const struct rec_alloc *record)
{
    struct chunkfile_chunk *chunk = room_for(f, thread, time);

    if (!chunk)
        return false;
    commit(f, chunk, rec_put_alloc(&chunk->codec, f->data + chunk->at + chunk->used,
                                   record));
    return true;
}

bool
chunkfile_freed(struct chunkfile *f, u32 thread, u64 time,
                const struct rec_free *record)
{
    struct chunkfile_chunk *chunk = room_for(f, thread, time);

    if (!chunk)
        return false;
    commit(f, chunk, rec_put_free(&chunk->codec, f->data + chunk->at + chunk->used,
                                  record));
    return true;
}

void
chunkfile_seal(struct chunkfile *f)
{
    for (u32 i = 0; i < f->nchunks; i++)
        seal(f, &f->chunk[i]);
}

void
chunkfile_free(struct chunkfile *f)
{
    free(f->data);
    free(f->chunk);
    memset(f, 0, sizeof(*f));
}

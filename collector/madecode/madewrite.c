/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/madecode/madewrite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/madecode/madecode_state.h"

enum {
    ROOM = ER_RECORD_MAX + ER_STR_MAX, /* bytes that any record fits into */
    NO_ROOM = CTL_NO_SPACE | CTL_LIMIT,
};

static struct er_chunk *
header(struct madewrite *w)
{
    return (struct er_chunk *)(void *)w->data;
}

static int put_bytes(struct expdir *e, u64 at, const void *data, size_t len);

/* Mark the bytes that are left at the end of a segment as a free chunk. */
static void
free_rest(struct expdir *e, u64 at, u64 left)
{
    struct er_chunk free = { .magic = ER_CHUNK_MAGIC,
                             .version = ER_CHUNK_VERSION,
                             .file = FILE_madecode,
                             .size = (u32)left,
                             .committed = sizeof(free) };

    free.header_crc = chunk_header_crc(&free);
    free.flags = CHUNK_FREE;
    if (left >= sizeof(free))
        (void)put_bytes(e, at, &free, sizeof(free));
}

/*
 * Take space in the file for so many bytes within one segment; *at: its offset. The
 * target's threads take space at the same time, so this is done by compare and swap.
 */
static int
reserve(struct expdir *e, u32 bytes, u64 *at)
{
    struct ctl_file *file = &e->ctl->file[FILE_madecode];
    u64 next = __atomic_load_n(&file->next, __ATOMIC_ACQUIRE), left;
    int ret;

    do {
        /*
         * A value above the reserved space can only come from a stray store of the
         * target.
         */
        if (next > file->reserved)
            return -EIO;
        left = ER_SEGMENT - next % ER_SEGMENT;
        *at = left < bytes ? next + left : next;
        ret = experiment_grow(e, FILE_madecode, *at + bytes);
        if (ret < 0)
            return ret;
    } while (!__atomic_compare_exchange_n(&file->next, &next, *at + bytes, 0,
                                          __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    if (*at > next)
        free_rest(e, next, *at - next);
    return 0;
}

static int
put_bytes(struct expdir *e, u64 at, const void *data, size_t len)
{
    ssize_t done = pwrite(e->file[FILE_madecode], data, len, (off_t)at);

    if (done < 0)
        return -errno;
    return (size_t)done == len ? 0 : -EIO;
}

/*
 * Write the bytes after the magic first, and the magic last: a reader then sees the
 * whole chunk, or none.
 */
static int
put_chunk(struct recording *s, struct madewrite *w)
{
    struct er_chunk *chunk = header(w);
    const size_t magic = sizeof(chunk->magic);
    u64 at;
    int ret;

    if (__atomic_load_n(&s->experiment.ctl->flags, __ATOMIC_ACQUIRE) & NO_ROOM)
        return -ENOSPC;
    chunk->size = (w->used + 63) & ~63u;
    chunk->committed = w->used;
    chunk->data_crc = crc32c(0, w->data + sizeof(*chunk), w->used - sizeof(*chunk));
    chunk->header_crc = chunk_header_crc(chunk);
    chunk->flags = CHUNK_SEALED;
    ret = reserve(&s->experiment, chunk->size, &at);
    if (ret == 0)
        ret = put_bytes(&s->experiment, at + magic, w->data + magic, w->used - magic);
    return ret < 0 ? ret : put_bytes(&s->experiment, at, w->data, magic);
}

int
madewrite_flush(struct recording *s)
{
    struct madewrite *w = s->madecode->write;
    int ret;

    if (!w || !w->used)
        return 0;
    ret = put_chunk(s, w);
    w->used = 0;
    w->seq += ret == 0;
    return ret;
}

static void
begin(struct recording *s, struct madewrite *w)
{
    struct er_chunk *chunk = header(w);

    w->now = moment_now(s->host.tsc);
    memset(chunk, 0, sizeof(*chunk));
    chunk->magic = ER_CHUNK_MAGIC;
    chunk->version = ER_CHUNK_VERSION;
    chunk->file = FILE_madecode;
    chunk->chunk_seq = w->seq;
    chunk->tsc0 = w->now.tick;
    chunk->mono0 = w->now.mono;
    w->used = sizeof(*chunk);
    codec_start(&w->codec, w->now.tick >> SHIFT_madecode, 0);
}

/*
 * Get the chunk that is being filled, with room for any record. On an error, return
 * NULL and set *ret to -errno: no memory, or the full chunk could not be written.
 */
static struct madewrite *
room(struct recording *s, int *ret)
{
    struct madewrite *w = s->madecode->write;

    *ret = 0;
    if (!w)
        w = s->madecode->write = calloc(1, sizeof(*w));
    if (!w) {
        *ret = -ENOMEM;
        return NULL;
    }
    if (w->used && MADEWRITE_BYTES - w->used < ROOM)
        *ret = madewrite_flush(s);
    if (*ret < 0)
        return NULL;
    if (!w->used)
        begin(s, w);
    return w;
}

#define PUT(kind)                                                          \
    int madewrite_##kind(struct recording *s, const struct rec_##kind *from) \
    {                                                                      \
        struct rec_##kind r = *from;                                       \
        int ret;                                                           \
        struct madewrite *w = room(s, &ret);                               \
                                                                           \
        if (!w)                                                            \
            return ret;                                                    \
        r.time = w->now.tick >> SHIFT_madecode;                            \
        w->used = (u32)(rec_put_##kind(&w->codec, w->data + w->used, &r) - \
                        w->data);                                          \
        return 0;                                                          \
    }

PUT(made)
PUT(source)
PUT(line)
PUT(bytes)

void
madewrite_free(struct recording *s)
{
    (void)madewrite_flush(s);
    free(s->madecode->write);
    s->madecode->write = NULL;
}

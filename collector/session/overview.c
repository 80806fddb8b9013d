/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/session/overview.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* The smallest chunk, at the end of a segment, must have room for a sample point. */
enum {
    LABEL_MAX = 200,
    ROOM = 16 * 11 + LABEL_MAX, /* a sample with the longest varints */
};

_Static_assert(ROOM + sizeof(struct er_chunk) <= ER_CHUNK_REST, "see above");

/*
 * Write by pwrite() instead of through a mapping: if the disk is full, it returns an
 * error. A reader that maps the file sees the same page cache. `committed` is written
 * last.
 */
static int
put_bytes(struct expdir *e, u64 at, const void *data, size_t len)
{
    ssize_t done = pwrite(e->file[FILE_overview], data, len, (off_t)at);

    if (done < 0)
        return -errno;
    return (size_t)done == len ? 0 : -EIO;
}

static struct er_chunk *
header(struct overview *o)
{
    return (struct er_chunk *)(void *)o->data;
}

static int
put_word(struct overview *o, struct expdir *e, size_t member, size_t len)
{
    return put_bytes(e, o->at + member, o->data + member, len);
}

static void
seal(struct overview *o, struct expdir *e)
{
    struct er_chunk *chunk = header(o);

    if (!o->used)
        return;
    chunk->data_crc = crc32c(0, o->data + sizeof(*chunk), o->used - sizeof(*chunk));
    chunk->flags = CHUNK_SEALED;
    if (put_word(o, e, offsetof(struct er_chunk, data_crc), sizeof(u32)) == 0)
        (void)put_word(o, e, offsetof(struct er_chunk, flags), sizeof(chunk->flags));
    o->used = 0;
}

/*
 * Take space for a chunk. The target's threads take space at the same time, so this is
 * done by compare and swap.
 */
static int
reserve(struct expdir *e, u64 *at, u32 *size)
{
    struct ctl_file *file = &e->ctl->file[FILE_overview];
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
        *at = left < ER_CHUNK_REST ? next + left : next;
        left = ER_SEGMENT - *at % ER_SEGMENT;
        *size = left < ER_CHUNK_MIN ? (u32)left : ER_CHUNK_MIN;
        ret = experiment_grow(e, FILE_overview, *at + *size);
        if (ret < 0)
            return ret;
    } while (!__atomic_compare_exchange_n(&file->next, &next, *at + *size, 0,
                                          __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    return 0;
}

static int
begin(struct overview *o, struct expdir *e, struct moment now)
{
    struct er_chunk *chunk = header(o);
    int ret = reserve(e, &o->at, &o->size);

    if (ret < 0)
        return ret;
    memset(chunk, 0, sizeof(*chunk));
    chunk->version = ER_CHUNK_VERSION;
    chunk->file = FILE_overview;
    chunk->size = o->size;
    chunk->committed = sizeof(*chunk);
    chunk->chunk_seq = o->seq;
    chunk->dropped = o->dropped;
    chunk->tsc0 = now.tick;
    chunk->mono0 = now.mono;
    chunk->magic = ER_CHUNK_MAGIC;
    chunk->header_crc = chunk_header_crc(chunk);
    ret = put_bytes(e, o->at + sizeof(chunk->magic), o->data + sizeof(chunk->magic),
                    sizeof(*chunk) - sizeof(chunk->magic));
    if (ret == 0)
        ret = put_word(o, e, 0, sizeof(chunk->magic));
    if (ret < 0)
        return ret;
    o->seq++;
    o->dropped = 0;
    o->used = sizeof(*chunk);
    codec_start(&o->codec, now.tick >> er_files[FILE_overview].time_shift, 0);
    return 0;
}

/*
 * Write the record that lies between the used part of the chunk and `end` to the file.
 */
static int
append(struct overview *o, struct expdir *e, const unsigned char *end)
{
    const unsigned char *from = o->data + o->used;
    int ret = put_bytes(e, o->at + o->used, from, (size_t)(end - from));

    if (ret < 0)
        return ret;
    o->used += (u32)(end - from);
    header(o)->committed = o->used;
    return put_word(o, e, offsetof(struct er_chunk, committed), sizeof(u32));
}

/*
 * Make sure that the chunk has room for any record; if not, begin a new one. 0 or
 * -errno.
 */
static int
room(struct overview *o, struct expdir *e, struct moment now)
{
    if (o->used && o->size - o->used >= ROOM)
        return 0;
    seal(o, e);
    return begin(o, e, now);
}

int
overview_put(struct overview *o, struct expdir *e, struct moment now,
             enum er_cause cause, const struct process_use *a, const char *label)
{
    struct rec_sample r = a->use;
    int ret;

    r.time = now.tick >> er_files[FILE_overview].time_shift;
    r.mono = now.mono;
    r.cause = cause;
    r.handlers = __atomic_load_n(&e->ctl->handlers, __ATOMIC_RELAXED);
    r.known |= KNOWN_handlers;
    r.label.s = label ? label : "";
    r.label.len = (u32)strnlen(r.label.s, LABEL_MAX);
    ret = room(o, e, now);
    if (ret == 0)
        ret = append(o, e, rec_put_sample(&o->codec, o->data + o->used, &r));
    if (ret < 0)
        o->dropped++;
    return ret;
}

int
overview_total(struct overview *o, struct expdir *e, struct moment now,
               const struct rec_total *total)
{
    struct rec_total r = *total;
    int ret = room(o, e, now);

    r.time = now.tick >> er_files[FILE_overview].time_shift;
    if (ret == 0)
        ret = append(o, e, rec_put_total(&o->codec, o->data + o->used, &r));
    if (ret < 0)
        o->dropped++;
    return ret;
}

int
overview_region(struct overview *o, struct expdir *e, struct moment now,
                const struct rec_region *region)
{
    struct rec_region r = *region;
    int ret = room(o, e, now);

    _Static_assert(5 * 11 + OVERVIEW_NAME_MAX <= ROOM, "any record has room");
    r.time = now.tick >> er_files[FILE_overview].time_shift;
    if (r.name.len > OVERVIEW_NAME_MAX) {
        r.name.s += r.name.len - OVERVIEW_NAME_MAX;
        r.name.len = OVERVIEW_NAME_MAX;
    }
    if (ret == 0)
        ret = append(o, e, rec_put_region(&o->codec, o->data + o->used, &r));
    if (ret < 0)
        o->dropped++;
    return ret;
}

void
overview_end(struct overview *o, struct expdir *e)
{
    seal(o, e);
}

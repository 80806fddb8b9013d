/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/leaks/live.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "share/chunk.h"

enum {
    FIRST_ROWS = 4096,
    /*
     * Bytes. A larger freed block may have been a mapping of its own, whose pages may
     * have other uses now.
     */
    SMALL = 65536,
};

static u64
slot_of(const struct live *l, u64 addr)
{
    return ((addr >> 4) * 0x9e3779b97f4a7c15ull >> 20) & (l->rows - 1);
}

static struct live_row *
find(const struct live *l, u64 addr)
{
    u64 at = slot_of(l, addr);

    while (l->row[at].addr && l->row[at].addr != addr)
        at = (at + 1) & (l->rows - 1);
    return &l->row[at];
}

static int
make_room(struct live *l)
{
    u64 rows = l->rows ? 2 * l->rows : FIRST_ROWS;
    struct live old = *l;

    if (10 * l->used < 7 * l->rows)
        return 0;
    l->row = calloc(rows, sizeof(*l->row));
    if (!l->row) {
        l->row = old.row;
        return -ENOMEM;
    }
    l->rows = rows;
    for (u64 i = 0; i < old.rows; i++)
        if (old.row[i].addr)
            *find(l, old.row[i].addr) = old.row[i];
    free(old.row);
    return 0;
}

static int
update(struct live *l, u64 addr, u64 order, u64 size)
{
    struct live_row *row;

    if (!addr)
        return 0;
    if (make_room(l) < 0)
        return -ENOMEM;
    row = find(l, addr);
    l->used += !row->addr;
    row->addr = addr;
    if (row->order > order)
        return 0;
    row->order = order;
    if (order & 1)
        row->size = size;
    return 0;
}

static int
begins(struct live *l, u64 addr, u64 time, u64 size)
{
    return update(l, addr, time << 1 | 1, size);
}

static int
ends(struct live *l, u64 addr, u64 time)
{
    return update(l, addr, time << 1, 0);
}

/* The position in a chunk that is being read. */
struct place {
    struct codec codec;
    const unsigned char *at, *end;
    int error;
};

static u64
varint(struct place *p)
{
    u64 v = 0;

    if (get_varint(&p->at, p->end, &v) < 0)
        p->error = -EBADMSG;
    return v;
}

static u64
addr(struct place *p)
{
    u64 v = 0;

    if (get_addr(&p->codec, &p->at, p->end, &v) < 0)
        p->error = -EBADMSG;
    return v;
}

static void
skip_node(struct place *p)
{
    u32 node;

    if (get_node(&p->codec, &p->at, p->end, &node) < 0)
        p->error = -EBADMSG;
}

static int
on_alloc(struct live *l, struct place *p, u64 time)
{
    u64 block = addr(p), size = varint(p);

    skip_node(p);
    return p->error ? p->error : begins(l, block, time, size);
}

static int
on_free(struct live *l, struct place *p, u64 time)
{
    u64 block = addr(p);

    return p->error ? p->error : ends(l, block, time);
}

static int
on_realloc(struct live *l, struct place *p, u64 time)
{
    u64 took = varint(p), old = addr(p), block = addr(p), size = varint(p);
    int ret;

    skip_node(p);
    if (p->error)
        return p->error;
    ret = ends(l, old, took < time ? time - took : 0);
    return ret ? ret : begins(l, block, time, size);
}

/* Skip a record of a mapping: mappings are roots, like all memory outside of blocks. */
static int
on_mapping(struct place *p, u32 kind)
{
    if (kind == KIND_remap) {
        varint(p);
        addr(p);
        varint(p);
    }
    addr(p);
    varint(p);
    if (kind != KIND_remap)
        varint(p);
    if (kind != KIND_unmap)
        skip_node(p);
    return p->error;
}

static int
on_record(struct live *l, struct place *p, u32 kind, u64 time)
{
    switch (kind) {
    case KIND_alloc:
        return on_alloc(l, p, time);
    case KIND_free:
        return on_free(l, p, time);
    case KIND_realloc:
        return on_realloc(l, p, time);
    case KIND_map:
    case KIND_unmap:
    case KIND_remap:
        return on_mapping(p, kind);
    default:
        return -EBADMSG;
    }
}

static int
read_chunk(struct live *l, const struct er_chunk *chunk, u32 committed)
{
    const unsigned char *data = (const unsigned char *)chunk;
    struct place p = { .at = data + sizeof(*chunk), .end = data + committed };
    int ret = 0;

    codec_start(&p.codec, chunk->tsc0 >> SHIFT_heaptrace, chunk->prev_addr);
    while (ret == 0 && p.at < p.end) {
        u32 kind;
        u64 time;

        if (get_head(&p.codec, &p.at, p.end, &kind, &time) < 0)
            return -EBADMSG;
        if (kind == KIND_end_of_chunk)
            break;
        ret = on_record(l, &p, kind, time);
    }
    return ret;
}

static void
count(struct live *l)
{
    for (u64 i = 0; i < l->rows; i++)
        if (l->row[i].order & 1) {
            l->count++;
            l->bytes += l->row[i].size;
        }
}

int
live_read(struct live *live, int file, u64 bytes)
{
    struct chunk_cursor cursor = { .size = bytes, .file = FILE_heaptrace };
    const struct er_chunk *chunk;
    struct stat st;
    void *data;
    u32 committed;
    u64 where;
    int ret;

    memset(live, 0, sizeof(*live));
    if (!bytes)
        return 0;
    /*
     * If the file was truncated, reading past its end would raise SIGBUS. A truncation
     * from here on is not caught.
     */
    if (fstat(file, &st) < 0)
        return -errno;
    if ((u64)st.st_size < bytes)
        return -EBADMSG;
    data = mmap(NULL, bytes, PROT_READ, MAP_SHARED, file, 0);
    if (data == MAP_FAILED)
        return -errno;
    cursor.data = data;
    while ((ret = chunk_next(&cursor, &chunk, &committed, &where)) > 0) {
        ret = read_chunk(live, chunk, committed);
        if (ret < 0)
            break;
    }
    munmap(data, bytes);
    if (ret < 0)
        live_free(live);
    else
        count(live);
    return ret;
}

void
live_free(struct live *live)
{
    free(live->row);
    memset(live, 0, sizeof(*live));
}

int
live_graph(const struct live *live, struct graph *g)
{
    struct graph_block *block;
    u32 n = 0;
    int ret;

    if (live->count >= GRAPH_NONE)
        return -ENOMEM;
    block = calloc(live->count + 1, sizeof(*block));
    if (!block)
        return -ENOMEM;
    for (u64 i = 0; i < live->rows; i++)
        if (live->row[i].order & 1)
            block[n++] = (struct graph_block){ .addr = live->row[i].addr,
                                               .size = live->row[i].size };
    ret = graph_start(g, block, n);
    for (u64 i = 0; i < live->rows && ret == 0; i++)
        if (live->row[i].addr && !(live->row[i].order & 1) &&
            live->row[i].size < SMALL)
            ret = graph_add_heap(g, live->row[i].addr, live->row[i].size);
    return ret;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/codes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/base/pool.h"

enum {
    LINES_MAX = 1 << 24, /* bytes of a line table; ignore longer ones as damage */
};

/* A record `codelines`: bytes [at, at + len) of the line table of code `id`. */
struct piece {
    u32 id;
    u32 at;
    u32 len;
    const char *bytes;
};

/*
 * State of reading the file. The members of type int are indices of fields in the
 * decoded records.
 */
struct reader {
    struct codes codes;
    u32 room;
    struct piece *piece;
    u32 npieces;
    u32 piece_room;
    int id, kind, line, table, size, name, file;
    int piece_id, at, bytes;
    bool no_memory;
};

static const char *
text(struct reader *t, u64 field, u32 *len)
{
    const struct er_str *str = (const void *)(uintptr_t)field;
    char *copy = pool_text(&t->codes.pool, str->s, str->len);

    if (!copy)
        t->no_memory = true;
    if (len)
        *len = str->len;
    return copy;
}

static void
add_code(struct reader *t, const u64 *row)
{
    struct recorded_code out = {
        .id = (u32)row[t->id],
        .kind = (u32)row[t->kind],
        .line = (u32)row[t->line],
        .table = (u32)row[t->table],
        .size = (u32)row[t->size],
        .name = text(t, row[t->name], NULL),
        .file = text(t, row[t->file], NULL),
    };

    if (t->no_memory || array_room(&t->codes.row, &t->room, t->codes.count + 1,
                                   sizeof(out)) < 0) {
        t->no_memory = true;
        return;
    }
    t->codes.row[t->codes.count++] = out;
}

static void
add_piece(struct reader *t, const u64 *row)
{
    struct piece out = { (u32)row[t->piece_id], (u32)row[t->at], 0, NULL };

    out.bytes = text(t, row[t->bytes], &out.len);
    if (t->no_memory || array_room(&t->piece, &t->piece_room, t->npieces + 1,
                                   sizeof(out)) < 0) {
        t->no_memory = true;
        return;
    }
    t->piece[t->npieces++] = out;
}

static void
on_batch(void *context, const struct batch *batch)
{
    struct reader *t = context;
    bool is_code = !strcmp(batch->record->name, "code");

    if (!is_code && strcmp(batch->record->name, "codelines"))
        return;
    for (u32 i = 0; i < batch->count && !t->no_memory; i++) {
        const u64 *row = batch->row + (u64)i * batch->record->nfields;

        if (is_code)
            add_code(t, row);
        else
            add_piece(t, row);
    }
}

/*
 * The index of a field that must exist and be a string (or, if not `string`, a number);
 * if it does not, *all = false.
 */
static int
field(const struct schema_record *record, const char *name, bool string, bool *all)
{
    int at = string ? schema_find_field(record, name)
                    : schema_find_number(record, name);

    if (at < 0 || (string && record->field[at].encoding != ENC_STR))
        *all = false;
    return at;
}

static bool
find_fields(struct reader *t, const struct schema_file *schema)
{
    const struct schema_record *code = schema_find_record(schema, "code");
    const struct schema_record *lines = schema_find_record(schema, "codelines");
    bool all = true;

    if (!code || !lines)
        return false;
    t->id = field(code, "id", false, &all);
    t->kind = field(code, "kind", false, &all);
    t->line = field(code, "line", false, &all);
    t->table = field(code, "table", false, &all);
    t->size = field(code, "size", false, &all);
    t->name = field(code, "name", true, &all);
    t->file = field(code, "file", true, &all);
    t->piece_id = field(lines, "id", false, &all);
    t->at = field(lines, "at", false, &all);
    t->bytes = field(lines, "bytes", true, &all);
    return all;
}

static int
by_id(const void *a, const void *b)
{
    const struct recorded_code *left = a, *right = b;

    return left->id < right->id ? -1 : left->id > right->id;
}

static int
by_place(const void *a, const void *b)
{
    const struct piece *left = a, *right = b;

    if (left->id != right->id)
        return left->id < right->id ? -1 : 1;
    return left->at < right->at ? -1 : left->at > right->at;
}

static struct recorded_code *
find(const struct codes *codes, u32 id)
{
    struct recorded_code key = { .id = id };

    return codes->count ? bsearch(&key, codes->row, codes->count, sizeof(key), by_id)
                        : NULL;
}

/*
 * Put the pieces of one code's line table together, from piece *i on; *i becomes the
 * index after the code's last piece. If one is missing, treat the code as one without
 * lines. 0 or -ENOMEM.
 */
static int
join(struct reader *t, u32 *i)
{
    struct recorded_code *row = find(&t->codes, t->piece[*i].id);
    u32 id = t->piece[*i].id, have = 0;

    if (row && row->size <= LINES_MAX && !row->lines)
        row->lines = pool_alloc(&t->codes.pool, row->size + 1);
    if (row && row->size <= LINES_MAX && !row->lines)
        return -ENOMEM;
    for (; *i < t->npieces && t->piece[*i].id == id; ++*i) {
        const struct piece *p = &t->piece[*i];

        if (!row || !row->lines || p->at != have || p->len > row->size - have)
            continue;
        memcpy(row->lines + have, p->bytes, p->len);
        have += p->len;
    }
    if (row && have < row->size)
        row->table = CODE_NO_LINES;
    return 0;
}

static int
finish(struct reader *t)
{
    struct codes *codes = &t->codes;

    if (t->no_memory)
        return -ENOMEM;
    if (codes->count)
        qsort(codes->row, codes->count, sizeof(*codes->row), by_id);
    if (t->npieces)
        qsort(t->piece, t->npieces, sizeof(*t->piece), by_place);
    for (u32 i = 0; i < t->npieces;)
        if (join(t, &i) < 0)
            return -ENOMEM;
    for (u32 i = 0; i < codes->count; i++)
        if (!codes->row[i].lines)
            codes->row[i].table = CODE_NO_LINES;
    return 0;
}

int
codes_read(struct codes *out, const struct record_source *source)
{
    struct reader t = { 0 };
    struct record_sink sink = { on_batch, &t, false };
    int ret = 0;

    if (find_fields(&t, source->schema))
        ret = records_scan(source, &sink, 1, NULL);
    if (ret == 0)
        ret = finish(&t);
    free(t.piece);
    if (ret < 0)
        codes_free(&t.codes);
    else
        *out = t.codes;
    return ret;
}

void
codes_free(struct codes *codes)
{
    free(codes->row);
    pool_free(codes->pool);
    memset(codes, 0, sizeof(*codes));
}

const struct recorded_code *
codes_find(const struct codes *codes, u32 id)
{
    return find(codes, id);
}

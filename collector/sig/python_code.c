/* SPDX-License-Identifier: Apache-2.0 */
/* Records Python code objects: name, file, first line and table of lines. */
#include "collector/sig/code.h"
#include "collector/sig/mem.h"
#include "collector/sig/python.h"

/* Characters of 1, 2 or 4 bytes, without gaps. */
struct text {
    u64 data;
    u64 length;
    u32 size; /* bytes of a character */
};

static int
text_at(const struct python_context *k, u64 object, struct text *out)
{
    enum { KIND = 7, COMPACT = 1 << 3, ASCII = 1 << 4 };
    u32 state = (u32)python_load(k, object + k->l->text_state) >> k->l->kind_shift;

    out->size = state & KIND;
    out->length = python_load(k, object + k->l->text_length);
    out->data = object + (state & ASCII ? k->l->ascii : k->l->compact);
    return state & COMPACT && (out->size == 1 || out->size == 2 || out->size == 4);
}

/* Copy what can be read. Returns its length. */
static u32
copy(const struct python_context *k, u64 from, char *to, u32 len)
{
    u32 done = 0;

    while (done < len) {
        u32 left = 4096 - (u32)((from + done) & 4095);
        u32 piece = len - done < left ? len - done : left;

        if (!mem_ok(k->m, from + done, piece))
            break;
        memcpy(to + done, (const char *)(uintptr_t)(from + done), piece);
        done += piece;
    }
    return done;
}

/* Write a character as UTF-8; returns its length. */
static u32
put_char(char *to, u32 c)
{
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        to[0] = (char)(0xc0 | c >> 6);
        to[1] = (char)(0x80 | (c & 63));
        return 2;
    }
    if (c - 0xd800 < 0x800 || c > 0x10ffff)
        c = 0xfffd; /* half of a surrogate pair is not a character */
    if (c < 0x10000) {
        to[0] = (char)(0xe0 | c >> 12);
        to[1] = (char)(0x80 | (c >> 6 & 63));
        to[2] = (char)(0x80 | (c & 63));
        return 3;
    }
    to[0] = (char)(0xf0 | c >> 18);
    to[1] = (char)(0x80 | (c >> 12 & 63));
    to[2] = (char)(0x80 | (c >> 6 & 63));
    to[3] = (char)(0x80 | (c & 63));
    return 4;
}

/* Copy a string as UTF-8, cut where there is no room for more. Returns its length. */
static u32
copy_text(const struct python_context *k, u64 object, char *to, u32 max)
{
    struct text text;
    u32 used = 0;

    if (!text_at(k, object, &text))
        return 0;
    for (u64 i = 0; i < text.length && used + 4 <= max; i++) {
        unsigned char c[4] = { 0 };

        if (copy(k, text.data + i * text.size, (char *)c, text.size) < text.size)
            break;
        used += put_char(to + used,
                         c[0] | (u32)c[1] << 8 | (u32)c[2] << 16 | (u32)c[3] << 24);
    }
    return used;
}

/* Members of a code object that tell it from another one at the same address. */
struct view {
    u64 code;
    u64 name, file, lines;
    u32 line;
};

static u64
mix(u64 hash, u64 word)
{
    hash = (hash ^ word) * 0xd6e8feb86659fd93ull;
    return hash ^ hash >> 32;
}

static u64
check_of(const struct view *v)
{
    return mix(mix(mix(mix(v->name, v->file), v->lines), v->line), v->code);
}

/*
 * Code without a file (from exec(), say) comes and goes, and the next such code may
 * have all its strings at the same addresses: then the name's hash tells the two apart.
 * Never 0.
 */
static u32
weak_of(const struct python_context *k, const struct view *v)
{
    u64 hash = python_load(k, v->name + k->l->text_length + 8);

    return (u32)(hash ^ hash >> 32) | 1;
}

static int
is_of_file(const struct python_context *k, const struct view *v)
{
    struct text text;
    char first;

    return text_at(k, v->file, &text) && text.length > 0 &&
           copy(k, text.data, &first, 1) == 1 && first != '<';
}

/* Where a table of lines is copied from. */
struct source {
    const struct python_context *k;
    u64 data;
};

static int
lines_of(void *arg, u32 at, char *to, u32 len)
{
    const struct source *from = arg;

    return copy(from->k, from->data + at, to, len) == len;
}

static int
save(const struct python_context *k, const struct view *v, u32 id)
{
    char *name = k->t->code_buffer, *file = name + CODE_NAME_MAX;
    struct source from = { k, v->lines + k->l->bytes_data };
    u64 size = python_load(k, v->lines + k->l->bytes_size), before;
    struct rec_code what = { .id = id, .kind = CODE_PYTHON, .line = v->line };
    int done;

    if (size > 0 && size < CODE_LINES_MAX) {
        what.table = k->l->table;
        what.size = (u32)size;
    }
    if (!code_block(&before))
        return 0;
    what.name.s = name;
    what.name.len = copy_text(k, v->name, name, CODE_NAME_MAX);
    what.file.s = file;
    what.file.len = copy_text(k, v->file, file, CODE_FILE_MAX);
    done = code_write(k->t, &what, lines_of, &from);
    code_unblock(before);
    return done;
}

static int
view_of(const struct python_context *k, u64 code, struct view *out)
{
    const struct python_layout *l = k->l;

    if (python_load(k, code + l->object_type) != python.code_type)
        return 0;
    *out = (struct view){ code, python_load(k, code + l->code_name),
                          python_load(k, code + l->code_file),
                          python_load(k, code + l->code_lines),
                          (u32)python_load(k, code + l->code_line) };
    return 1;
}

/* Read a code object that code_quick() does not know. */
static int
read_code(const struct python_context *k, u64 code, u32 hint, struct code_known *known)
{
    struct view v;
    u64 check;

    if (!view_of(k, code, &v))
        return 0;
    check = check_of(&v);
    code_find(code, check, known);
    if (ER_UNLIKELY(known->weak && known->weak != weak_of(k, &v)))
        known->id = 0;
    if (!known->id) {
        if (k->l->code_first)
            known->first = (u32)python_load(k, code + k->l->code_first);
        known->saved = 0;
        known->id = code_new(code, check, is_of_file(k, &v) ? 0 : weak_of(k, &v),
                             known->first);
    }
    if (!known->saved && known->id && save(k, &v, known->id))
        code_saved(code, check);
    known->until = code_seen(code, check, hint, k->ticks);
    return 1;
}

/*
 * A module that is loaded again may have another function at the same place: for less
 * than a second, that function is shown by the former one's name.
 */
int
python_code(const struct python_context *k, u64 code, u64 globals,
            struct python_code *out)
{
    u32 hint = python_hint(globals);
    struct code_known known;

    if (!code_quick(code, hint, k->ticks, &known) && !read_code(k, code, hint, &known))
        return 0;
    *out = (struct python_code){ known.id, known.first, known.until };
    return 1;
}

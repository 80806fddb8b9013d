/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/object/objwrite.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "archive/object/objfile.h"
#include "share/writeall.h"

#define NOTES_MAX 64

/* Makes room for `more` rows; on failure false, and w->status is set. */
static bool
rows_grow(struct objwrite *w, struct objwrite_rows *t, u64 more)
{
    u64 capacity = t->capacity ? t->capacity : 64;
    void *at;

    if (w->status < 0)
        return false;
    if (t->count + more <= t->capacity)
        return true;
    while (capacity < t->count + more)
        capacity *= 2;
    at = capacity <= UINT32_MAX ? realloc(t->at, capacity * t->row) : NULL;
    if (!at) {
        w->status = -ENOMEM;
        return false;
    }
    t->at = at;
    t->capacity = (u32)capacity;
    return true;
}

u32
objwrite_row(struct objwrite *w, enum obj_table_number table, const void *row)
{
    struct objwrite_rows *t = &w->table[table];

    if (!rows_grow(w, t, 1))
        return UINT32_MAX;
    memcpy((char *)t->at + (size_t)t->count * t->row, row, t->row);
    return t->count++;
}

static u64
hash_bytes(const void *data, size_t size)
{
    const unsigned char *p = data;
    u64 h = 0x2545f4914f6cdd1d ^ size, v;

    for (; size >= 8; size -= 8, p += 8) {
        memcpy(&v, p, 8);
        h = (h ^ v) * 0x9fb21c651e98df25;
        h ^= h >> 29;
    }
    for (v = 0; size > 0; size--)
        v = v << 8 | *p++;
    h = (h ^ v) * 0x9fb21c651e98df25;
    return h ^ h >> 32;
}

static bool
index_grow(struct objwrite *w, struct objwrite_index *x)
{
    u32 size = x->slots ? (x->mask + 1) * 2 : 1024;
    u64 *slots = size ? calloc(size, sizeof(*slots)) : NULL;

    if (!slots) {
        w->status = -ENOMEM;
        return false;
    }
    for (u32 i = 0; x->slots && i <= x->mask; i++) {
        u32 at = (u32)(x->slots[i] >> 32) & (size - 1);

        if (!x->slots[i])
            continue;
        while (slots[at])
            at = (at + 1) & (size - 1);
        slots[at] = x->slots[i];
    }
    free(x->slots);
    x->slots = slots;
    x->mask = size - 1;
    return true;
}

/*
 * Looks a key up. Returns its number + 1; or 0, with *slot set to where index_add() can
 * put the key, or to NULL if memory has run out.
 */
static u32
index_find(struct objwrite *w, struct objwrite_index *x, u64 hash, const void *key,
           bool (*equal)(const struct objwrite *, u32, const void *), u64 **slot)
{
    u32 at;

    *slot = NULL;
    if (w->status < 0)
        return 0;
    if ((!x->slots || x->count >= x->mask / 4 * 3) && !index_grow(w, x))
        return 0;
    for (at = (u32)hash & x->mask; x->slots[at]; at = (at + 1) & x->mask)
        if (x->slots[at] >> 32 == (u32)hash &&
            equal(w, (u32)x->slots[at] - 1, key))
            return (u32)x->slots[at];
    *slot = &x->slots[at];
    return 0;
}

static void
index_add(struct objwrite_index *x, u64 *slot, u64 hash, u32 number)
{
    *slot = (u64)(u32)hash << 32 | (number + 1);
    x->count++;
}

static bool
string_equal(const struct objwrite *w, u32 offset, const void *key)
{
    return strcmp((const char *)w->table[OBJ_strings].at + offset, key) == 0;
}

u32
objwrite_string(struct objwrite *w, const char *s)
{
    struct objwrite_rows *t = &w->table[OBJ_strings];
    size_t size = strlen(s) + 1;
    u64 hash = hash_bytes(s, size - 1), *slot;
    u32 found;

    if (size == 1)
        return 0;
    found = index_find(w, &w->strings, hash, s, string_equal, &slot);
    if (found || !slot || !rows_grow(w, t, size))
        return found ? found - 1 : 0;
    memcpy((char *)t->at + t->count, s, size);
    index_add(&w->strings, slot, hash, t->count);
    t->count += (u32)size;
    return t->count - (u32)size;
}

static bool
file_equal(const struct objwrite *w, u32 number, const void *key)
{
    return memcmp((struct obj_file *)w->table[OBJ_file].at + number, key,
                  sizeof(struct obj_file)) == 0;
}

static bool
func_equal(const struct objwrite *w, u32 number, const void *key)
{
    return memcmp((struct obj_func *)w->table[OBJ_func].at + number, key,
                  sizeof(struct obj_func)) == 0;
}

/* Returns the number of an equal row, which is appended if it is new. 0: no memory. */
static u32
unique_row(struct objwrite *w, struct objwrite_index *x, enum obj_table_number table,
           const void *row, bool (*equal)(const struct objwrite *, u32, const void *))
{
    u64 hash = hash_bytes(row, w->table[table].row), *slot;
    u32 found = index_find(w, x, hash, row, equal, &slot);

    if (found || !slot)
        return found ? found - 1 : 0;
    found = objwrite_row(w, table, row);
    if (found == UINT32_MAX)
        return 0;
    index_add(x, slot, hash, found);
    return found;
}

u32
objwrite_file(struct objwrite *w, const char *path)
{
    struct obj_file row = {objwrite_string(w, path)};

    return row.path ? unique_row(w, &w->files, OBJ_file, &row, file_equal) : 0;
}

u32
objwrite_func(struct objwrite *w, const struct obj_func *func)
{
    return unique_row(w, &w->funcs, OBJ_func, func, func_equal);
}

void
objwrite_init(struct objwrite *w)
{
    const struct obj_func no_func = {0};
    const struct obj_file no_file = {0};
    const struct obj_node no_node = {0};

    memset(w, 0, sizeof(*w));
    w->table[OBJ_strings].row = 1;
    w->table[OBJ_bytes].row = 1;
    w->code.row = sizeof(struct bytes);
#define OBJ_TABLE(name, number, doc) w->table[number].row = sizeof(struct obj_##name);
#define OBJ_FIELD(name, field, ctype, doc)
#define OBJ_END(name)
#include "archive/object/objrows.def"
#undef OBJ_TABLE
#undef OBJ_FIELD
#undef OBJ_END
    objwrite_row(w, OBJ_strings, "");
    objwrite_row(w, OBJ_func, &no_func);
    objwrite_row(w, OBJ_file, &no_file);
    objwrite_row(w, OBJ_node, &no_node);
}

void
objwrite_free(struct objwrite *w)
{
    for (u32 i = 0; i < OBJ_TABLES; i++)
        free(w->table[i].at);
    free(w->code.at);
    free(w->strings.slots);
    free(w->files.slots);
    free(w->funcs.slots);
    memset(w, 0, sizeof(*w));
}

bool
objwrite_address(const struct objwrite *w, u64 vaddr, u32 *addr)
{
    u64 rel = vaddr - w->base;

    if (vaddr < w->base || rel >= UINT32_MAX)
        return false;
    *addr = (u32)rel;
    return true;
}

void
objwrite_code(struct objwrite *w, u64 addr, u64 size, const char *name,
              struct bytes bytes)
{
    struct objwrite_rows *t = &w->table[OBJ_bytes];
    struct obj_code row = {.bytes = t->count / OBJ_ALIGN};
    u64 padded;

    bytes.size = bytes.size < size ? bytes.size : size;
    padded = (bytes.size + OBJ_ALIGN - 1) / OBJ_ALIGN * OBJ_ALIGN;
    row.size = (u32)bytes.size;
    if (size > UINT32_MAX || padded > UINT32_MAX - t->count ||
        !objwrite_address(w, addr, &row.addr)) {
        objwrite_add_note(w, "section %s lies more than 4 GiB from the first code",
                          name);
        return;
    }
    row.name = objwrite_string(w, name);
    if (objwrite_row(w, OBJ_code, &row) == UINT32_MAX ||
        !rows_grow(w, &w->code, 1))
        return;
    ((struct bytes *)w->code.at)[w->code.count++] = bytes;
    t->count += (u32)padded;
}

void
objwrite_add_note(struct objwrite *w, const char *format, ...)
{
    char text[1024];
    struct obj_note row;
    va_list args;

    if (w->table[OBJ_note].count >= NOTES_MAX)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    row.text = objwrite_string(w, text);
    objwrite_row(w, OBJ_note, &row);
}

static void
fill_header(const struct objwrite *w, struct obj_header *h)
{
    u64 offset = (sizeof(*h) + OBJ_ALIGN - 1) / OBJ_ALIGN * OBJ_ALIGN;

    memset(h, 0, sizeof(*h));
    memcpy(h->magic, OBJ_MAGIC, sizeof(h->magic));
    h->version = OBJFILE_VERSION;
    /*
     * If there are no instructions, their table is left out, so that older readers
     * accept the file.
     */
    h->tables = w->table[OBJ_insn].count ? OBJ_TABLES : OBJ_insn;
    h->base = w->base;
    h->machine = w->machine;
    h->bits = w->bits;
    h->big_endian = w->big_endian;
    h->flags = w->flags;
    h->path = w->path;
    h->buildid = w->buildid;
    for (u32 i = 0; i < OBJ_TABLES; i++) {
        const struct objwrite_rows *t = &w->table[i];

        h->table[i] = (struct obj_table){offset, t->count, t->row};
        offset += ((u64)t->count * t->row + OBJ_ALIGN - 1) / OBJ_ALIGN * OBJ_ALIGN;
    }
    h->file_size = offset;
}

/* Writes bytes, and zeros up to the next multiple of OBJ_ALIGN. */
static int
write_padded(int fd, const void *data, size_t size)
{
    static const char zeros[OBJ_ALIGN];
    int status = writeall(fd, data, size);

    if (status == 0 && size % OBJ_ALIGN)
        status = writeall(fd, zeros, OBJ_ALIGN - size % OBJ_ALIGN);
    return status;
}

int
objwrite_save(struct objwrite *w, int fd)
{
    const struct bytes *code = w->code.at;
    struct obj_header h;
    int status = w->status;

    fill_header(w, &h);
    if (status == 0)
        status = write_padded(fd, &h, sizeof(h));
    for (u32 i = 0; i < OBJ_bytes && status == 0; i++)
        status = write_padded(fd, w->table[i].at,
                              (size_t)h.table[i].count * h.table[i].row);
    for (u32 i = 0; i < w->code.count && status == 0; i++)
        status = write_padded(fd, code[i].at, code[i].size);
    for (u32 i = OBJ_bytes + 1; i < OBJ_TABLES && status == 0; i++)
        status = write_padded(fd, w->table[i].at,
                              (size_t)h.table[i].count * h.table[i].row);
    return status;
}

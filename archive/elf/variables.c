/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/elf/variables.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* A name without its version, as an offset into the writer's strings; 0: no memory. */
static u32
plain_name(struct objwrite *w, const char *text)
{
    size_t n = strcspn(text, "@");
    char *name;
    u32 offset;

    if (!text[n])
        return objwrite_string(w, text);
    name = strndup(text, n);
    offset = name ? objwrite_string(w, name) : 0;
    free(name);
    return offset;
}

/* Reads one ELF symbol; false if it does not name a variable. */
static bool
read_variable(struct objwrite *w, const struct image *img, struct cursor *c,
              struct bytes names, struct obj_var *out)
{
    u32 name = cursor_u32(c), info, shndx;
    bool wide = img->bits == 64;
    u64 addr = 0, size = 0;
    const char *text;

    if (!wide) {
        addr = cursor_u32(c);
        size = cursor_u32(c);
    }
    info = cursor_u8(c);
    cursor_u8(c);
    shndx = cursor_u16(c);
    if (wide) {
        addr = cursor_u64(c);
        size = cursor_u64(c);
    }
    if (c->bad || ELF64_ST_TYPE(info) != STT_OBJECT || !size || size > UINT32_MAX ||
        shndx >= img->section_count ||
        (img->sections[shndx].flags & (SHF_ALLOC | SHF_EXECINSTR)) != SHF_ALLOC)
        return false;
    text = bytes_string(names, name);
    if (!*text || !objwrite_address(w, addr, &out->addr))
        return false;
    out->size = (u32)size;
    out->name = plain_name(w, text);
    return out->name != 0;
}

void
variables_read(struct objwrite *w, struct image *img, u32 type)
{
    struct image_section *table = image_find_type(img, type);
    u32 size = img->bits == 64 ? 24 : 16;
    struct bytes data, names;
    struct obj_var row;
    struct cursor c;

    image_data(img, table, &data);
    image_linked(img, table, &names);
    for (u64 at = size; at + size <= data.size; at += size) {
        c = image_cursor(img, data, at);
        if (read_variable(w, img, &c, names, &row))
            objwrite_row(w, OBJ_var, &row);
    }
}

/*
 * Sort by address; at one address, the largest first; of equal sizes, the one whose
 * name comes first in the string pool.
 */
static int
compare(const void *a, const void *b)
{
    const struct obj_var *x = a, *y = b;

    if (x->addr != y->addr)
        return x->addr < y->addr ? -1 : 1;
    if (x->size != y->size)
        return x->size < y->size ? 1 : -1;
    return x->name < y->name ? -1 : x->name > y->name;
}

void
variables_sort(struct objwrite *w)
{
    struct objwrite_rows *t = &w->table[OBJ_var];
    struct obj_var *var = t->at;
    u32 kept = 0;

    if (!t->count)
        return;
    qsort(var, t->count, sizeof(*var), compare);
    for (u32 i = 1; i < t->count; i++)
        if (var[i].addr != var[kept].addr)
            var[++kept] = var[i];
    t->count = kept + 1;
}

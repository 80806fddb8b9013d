/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/elf/symbols.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static void
append(struct symbols *s, const struct symbol *symbol)
{
    if (s->status < 0)
        return;
    if (s->count == s->capacity) {
        u32 capacity = s->capacity ? s->capacity * 2 : 1024;
        struct symbol *at = realloc(s->at, capacity * sizeof(*at));

        if (!at) {
            s->status = -ENOMEM;
            return;
        }
        s->at = at;
        s->capacity = capacity;
    }
    s->at[s->count++] = *symbol;
}

void
symbols_add(struct symbols *s, const struct symbol *symbol)
{
    const struct codemap_part *part = codemap_find(s->code, symbol->addr);
    struct symbol copy = *symbol;

    if (!part)
        return;
    if (copy.size > part->hi - copy.addr)
        copy.size = part->hi - copy.addr;
    append(s, &copy);
}

/*
 * Can a symbol without a type be the name of code, and not only a mark that an
 * assembler or linker has set in it?
 */
static bool
label_usable(const struct image *img, u32 shndx, const char *name, u64 addr)
{
    if (shndx == SHN_UNDEF || shndx >= SHN_LORESERVE)
        return false;
    if (name[0] == '\0' || name[0] == '$' || strncmp(name, ".L", 2) == 0)
        return false; /* $a, $d, $t, $x mark code and data on ARM */
    /* etext and similar symbols stand at the end of their section. */
    return shndx < img->section_count && addr >= img->sections[shndx].addr &&
           addr - img->sections[shndx].addr < img->sections[shndx].size;
}

static enum objfile_binding
binding_of(u32 info)
{
    switch (ELF64_ST_BIND(info)) {
    case STB_LOCAL:
        return OBJFILE_LOCAL;
    case STB_WEAK:
        return OBJFILE_WEAK;
    }
    return OBJFILE_GLOBAL; /* also STB_GNU_UNIQUE */
}

/* Reads one ELF symbol; false if it names no function. */
static bool
read_symbol(const struct image *img, struct cursor *c, struct bytes names,
            struct symbol *out)
{
    u32 name = cursor_u32(c), info, shndx, type;

    if (img->bits == 64) {
        info = cursor_u8(c);
        cursor_u8(c);
        shndx = cursor_u16(c);
        out->addr = cursor_u64(c);
        out->size = cursor_u64(c);
    } else {
        out->addr = cursor_u32(c);
        out->size = cursor_u32(c);
        info = cursor_u8(c);
        cursor_u8(c);
        shndx = cursor_u16(c);
    }
    type = ELF64_ST_TYPE(info);
    if (c->bad || shndx == SHN_UNDEF)
        return false;
    if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE)
        return false;
    out->name = bytes_string(names, name);
    if (type == STT_NOTYPE && !label_usable(img, shndx, out->name, out->addr))
        return false;
    if (img->machine == EM_ARM && type == STT_FUNC)
        out->addr &= ~(u64)1; /* the Thumb bit */
    out->binding = binding_of(info);
    out->flags = (type == STT_GNU_IFUNC ? OBJFILE_SYM_IFUNC : 0) |
                 (type == STT_NOTYPE ? SYMBOL_LABEL : 0) |
                 (out->size == 0 ? OBJFILE_SYM_SIZELESS : 0);
    return out->name[0] != '\0';
}

u32
symbols_table(struct symbols *s, struct image *img, u32 type,
              enum objfile_origin origin)
{
    struct image_section *table = image_find_type(img, type);
    u32 before = s->count, size = img->bits == 64 ? 24 : 16;
    struct bytes data, names;
    struct symbol symbol = {.origin = origin};
    struct cursor c;

    image_data(img, table, &data);
    image_linked(img, table, &names);
    for (u64 at = size; at + size <= data.size; at += size) {
        c = image_cursor(img, data, at);
        if (read_symbol(img, &c, names, &symbol))
            symbols_add(s, &symbol);
    }
    return s->count - before;
}

static u32
underscores(const char *name)
{
    return (u32)strspn(name, "_");
}

/*
 * Compares the names of two symbols: less than 0 if x has the better one; 0 if both are
 * equal.
 */
static int
compare_names(const struct symbol *x, const struct symbol *y)
{
    size_t nx, ny;
    int bx = x->binding == OBJFILE_LOCAL, by = y->binding == OBJFILE_LOCAL;

    if ((x->flags ^ y->flags) & SYMBOL_LABEL)
        return x->flags & SYMBOL_LABEL ? 1 : -1;
    if ((x->size == 0) != (y->size == 0))
        return x->size == 0 ? 1 : -1;
    if (bx != by)
        return bx - by;
    if (underscores(x->name) != underscores(y->name))
        return underscores(x->name) < underscores(y->name) ? -1 : 1;
    if (x->binding != y->binding)
        return x->binding == OBJFILE_GLOBAL ? -1 : 1;
    nx = strcspn(x->name, "@");
    ny = strcspn(y->name, "@");
    if (nx != ny)
        return nx < ny ? -1 : 1;
    return strcmp(x->name, y->name);
}

static int
compare(const void *a, const void *b)
{
    const struct symbol *x = a, *y = b;
    int order;

    if (x->addr != y->addr)
        return x->addr < y->addr ? -1 : 1;
    order = compare_names(x, y);
    return order ? order : (int)x->origin - (int)y->origin;
}

/* Keeps the first symbol at each address, and drops labels within functions. */
static void
drop_aliases(struct symbols *s)
{
    u64 covered = 0;
    u32 n = 0;

    for (u32 i = 0; i < s->count; i++) {
        struct symbol *x = &s->at[i];

        if (n > 0 && s->at[n - 1].addr == x->addr) {
            if (s->at[n - 1].size == 0)
                s->at[n - 1].size = x->size;
            continue;
        }
        if ((x->flags & SYMBOL_LABEL) && x->size == 0 && x->addr < covered)
            continue;
        if (!(x->flags & SYMBOL_LABEL) && x->addr + x->size > covered)
            covered = x->addr + x->size;
        s->at[n++] = *x;
    }
    s->count = n;
}

/*
 * Extends each symbol of size 0 to the end of its FDE, to the next symbol, or to the
 * end of the section, whichever comes first.
 */
static void
extend(struct symbols *s, const struct fde_list *fdes)
{
    u32 n = 0;

    for (u32 i = 0; i < s->count; i++) {
        struct symbol *x = &s->at[i];
        const struct codemap_part *part = codemap_find(s->code, x->addr);

        if (x->size == 0 && part) {
            const struct fde *fde = fde_at(fdes, x->addr);
            u64 end = fde && fde->hi < part->hi ? fde->hi : part->hi;

            if (i + 1 < s->count && s->at[i + 1].addr < end)
                end = s->at[i + 1].addr;
            x->size = end - x->addr;
        }
        if (x->size > 0)
            s->at[n++] = *x;
    }
    s->count = n;
}

static void
mark_nested(struct symbols *s)
{
    u64 covered = 0;

    for (u32 i = 0; i < s->count; i++) {
        struct symbol *x = &s->at[i];

        x->flags &= ~SYMBOL_NESTED;
        if (x->addr < covered)
            x->flags |= SYMBOL_NESTED;
        if (x->addr + x->size > covered)
            covered = x->addr + x->size;
    }
}

static void
sort(struct symbols *s)
{
    if (s->count)
        qsort(s->at, s->count, sizeof(*s->at), compare);
}

void
symbols_settle(struct symbols *s, const struct fde_list *fdes)
{
    sort(s);
    drop_aliases(s);
    extend(s, fdes);
    mark_nested(s);
}

/* Adds a nameless function for each FDE that begins in code that no symbol covers. */
static void
fill_fdes(struct symbols *s, const struct fde_list *fdes)
{
    u32 named = s->count, next = 0;
    u64 covered = 0;

    for (u32 i = 0; i < fdes->count; i++) {
        const struct fde *f = &fdes->at[i];
        struct symbol x = {.addr = f->lo, .size = f->hi - f->lo, .name = "",
                           .origin = OBJFILE_ORIGIN_FDE};

        for (; next < named && s->at[next].addr <= f->lo; next++)
            if (s->at[next].addr + s->at[next].size > covered)
                covered = s->at[next].addr + s->at[next].size;
        if (f->lo < covered)
            continue;
        if (next < named && s->at[next].addr < f->hi)
            x.size = s->at[next].addr - f->lo;
        if (x.size == 1)
            continue; /* the FDE begins a byte early, for lookups of pc - 1 */
        covered = f->lo + x.size;
        symbols_add(s, &x);
    }
    sort(s);
}

/* May all bytes be padding that linkers and assemblers put between functions? */
static bool
is_padding(const struct codemap_part *part, u64 lo, u64 hi)
{
    for (u64 at = lo - part->lo; at < hi - part->lo && at < part->bytes.size; at++) {
        switch (part->bytes.at[at]) {
        case 0x00: case 0x0f: case 0x1f: case 0x2e: case 0x40: case 0x44:
        case 0x66: case 0x80: case 0x84: case 0x90: case 0xcc: case 0xd5:
        case 0x03: case 0x20: /* d503201f is aarch64's nop */
            continue;
        }
        return false;
    }
    return true;
}

static void
fill_gap(struct symbols *s, const struct codemap_part *part, u64 lo, u64 hi)
{
    struct symbol x = {.addr = lo, .size = hi - lo, .name = "",
                       .origin = OBJFILE_ORIGIN_SECTION};

    if (lo < hi && !is_padding(part, lo, hi))
        append(s, &x);
}

/*
 * Adds symbols for the code that still has none: hand-written code without symbols or
 * frame information.
 */
static void
fill_gaps(struct symbols *s)
{
    u32 known = s->count, next = 0;

    for (u32 i = 0; i < s->code->count; i++) {
        const struct codemap_part *part = &s->code->at[i];
        u64 at = part->lo;

        for (; next < known && s->at[next].addr < part->hi; next++) {
            u64 end = s->at[next].addr + s->at[next].size;

            fill_gap(s, part, at, s->at[next].addr);
            if (end > at)
                at = end;
        }
        fill_gap(s, part, at, part->hi);
    }
    sort(s);
}

void
symbols_fill(struct symbols *s, const struct fde_list *fdes)
{
    fill_fdes(s, fdes);
    fill_gaps(s);
    mark_nested(s);
}

/* How many settled symbols start at `addr` or below it. */
static u32
count_upto(const struct symbols *s, u64 addr)
{
    u32 low = 0, count = s->count;

    while (count > 0) {
        u32 half = count / 2;

        if (s->at[low + half].addr <= addr) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return low;
}

struct symbol *
symbols_find(const struct symbols *s, u64 addr)
{
    u32 n = count_upto(s, addr);

    return n > 0 && s->at[n - 1].addr == addr ? &s->at[n - 1] : NULL;
}

bool
symbols_cover(const struct symbols *s, u64 addr)
{
    u32 n = count_upto(s, addr);

    while (n > 0) {
        const struct symbol *x = &s->at[n - 1];

        if (addr - x->addr < x->size)
            return true;
        if (!(x->flags & SYMBOL_NESTED))
            return false;
        n--;
    }
    return false;
}

/*
 * The suffix that is written after the name, if the name is that of another function.
 */
static const char *
suffix(const struct symbol *x)
{
    if (x->flags & SYMBOL_COLD)
        return ".cold";
    switch (x->origin) {
    case OBJFILE_ORIGIN_PLT:
        return "@plt";
    case OBJFILE_ORIGIN_IFUNC:
        return "@ifunc";
    default:
        return "";
    }
}

/*
 * The name to write, as an offset into the writer's strings: without its version, but
 * with its suffix.
 */
static u32
plain_name(struct objwrite *w, const struct symbol *x)
{
    size_t n = strcspn(x->name, "@");
    const char *end = suffix(x);
    char *name;
    u32 offset;

    if (n == 0 && x->func) {
        const struct obj_func *funcs = w->table[OBJ_func].at;

        return funcs[x->func].linkage ? funcs[x->func].linkage : funcs[x->func].name;
    }
    if (n == 0 || (!end[0] && x->name[n] == '\0'))
        return objwrite_string(w, x->name);
    if (asprintf(&name, "%.*s%s", (int)n, x->name, end) < 0)
        return 0;
    offset = objwrite_string(w, name);
    free(name);
    return offset;
}

static u32
row_flags(const struct symbol *x)
{
    u32 flags = (u32)x->origin | (u32)x->binding << 4;

    flags |= x->flags & (OBJFILE_SYM_IFUNC | OBJFILE_SYM_SIZELESS | SYMBOL_NESTED);
    if (x->flags & SYMBOL_COLD || strstr(x->name, ".cold") ||
        strstr(x->name, ".part."))
        flags |= OBJFILE_SYM_PART;
    return flags;
}

void
symbols_write(const struct symbols *s, struct objwrite *w)
{
    for (u32 i = 0; i < s->count; i++) {
        const struct symbol *x = &s->at[i];
        struct obj_sym row = {.size = (u32)x->size, .func = x->func};

        if (!objwrite_address(w, x->addr, &row.addr) || x->size > UINT32_MAX)
            continue;
        row.name = plain_name(w, x);
        row.flags = row_flags(x);
        objwrite_row(w, OBJ_sym, &row);
    }
}

void
symbols_free(struct symbols *s)
{
    free(s->at);
    s->at = NULL;
    s->count = s->capacity = 0;
}

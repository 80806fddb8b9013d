/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/dwarf/dwfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>


struct cursor
dwfile_cursor(const struct dwunit *u, u64 offset)
{
    struct cursor c = image_cursor(u->file->img, u->file->info, offset);

    if (u->end < u->file->info.size)
        c.end = u->file->info.at + u->end;
    if (c.at > c.end) {
        c.at = c.end;
        c.bad = true;
    }
    return c;
}

/* Sets *out to the contents of .debug_NAME, or of .debug_NAME.dwo in a split file. */
static void
find_section(const struct dwfile *f, const char *name, struct bytes *out)
{
    char full[40];

    snprintf(full, sizeof(full), ".debug_%s%s", name, f->split ? ".dwo" : "");
    if (image_named(f->img, full, out) < 0)
        *out = (struct bytes){(const unsigned char *)"", 0};
}

/* Does a section of units begin with a type unit? */
static bool
holds_types(const struct dwfile *f)
{
    struct cursor c = image_cursor(f->img, f->info, 0);

    if (cursor_u32(&c) == 0xffffffff)
        cursor_u64(&c);
    return cursor_u16(&c) >= 5 && cursor_u8(&c) == DW_UT_split_type;
}

/*
 * Finds .debug_info. A .dwo file may have several sections of that name: one for each
 * type, and the one with the compilation unit, which is the one needed.
 */
static void
find_info(struct dwfile *f)
{
    find_section(f, "info", &f->info);
    for (u32 i = 0; f->split && holds_types(f) && i < f->img->section_count; i++)
        if (strcmp(f->img->sections[i].name, ".debug_info.dwo") == 0)
            image_data(f->img, &f->img->sections[i], &f->info);
}

static bool
is_usable(const struct dwunit *u)
{
    return u->version >= 2 && u->version <= 5 && u->die <= u->end &&
           (u->addr_size == 2 || u->addr_size == 4 || u->addr_size == 8);
}

/*
 * Reads a unit's header at the cursor; moves the cursor to the next unit. False: no
 * unit can be read from here on.
 */
static bool
read_header(struct dwfile *f, struct cursor *c, struct dwunit *u)
{
    u64 length;

    *u = (struct dwunit){.file = f, .offset = (u64)(c->at - f->info.at), .off_size = 4};
    length = cursor_u32(c);
    if (length == 0xffffffff) {
        length = cursor_u64(c);
        u->off_size = 8;
    }
    if (c->bad || length > cursor_left(c))
        return false;
    u->end = (u64)(c->at - f->info.at) + length;
    u->version = cursor_u16(c);
    if (u->version >= 5) {
        u->type = cursor_u8(c);
        u->addr_size = cursor_u8(c);
        u->abbrev_offset = cursor_uint(c, u->off_size);
    } else {
        u->abbrev_offset = cursor_uint(c, u->off_size);
        u->addr_size = cursor_u8(c);
    }
    if (u->type == DW_UT_skeleton || u->type == DW_UT_split_compile) {
        u->dwo_id = cursor_u64(c);
        u->has_dwo_id = true;
    }
    u->die = (u64)(c->at - f->info.at);
    u->bad = c->bad || !is_usable(u) || u->type == DW_UT_type ||
             u->type == DW_UT_split_type;
    c->at = f->info.at + u->end;
    return !c->bad;
}

static int
find_units(struct dwfile *f, u64 *bad_at)
{
    struct cursor c = image_cursor(f->img, f->info, 0);
    u32 capacity = 0;

    while (cursor_left(&c) > 0) {
        u64 at = (u64)(c.at - f->info.at);

        if (f->unit_count == capacity) {
            struct dwunit *units;

            capacity = capacity ? capacity * 2 : 64;
            units = realloc(f->units, capacity * sizeof(*units));
            if (!units)
                return -ENOMEM;
            f->units = units;
        }
        if (!read_header(f, &c, &f->units[f->unit_count])) {
            *bad_at = at;
            break;
        }
        f->unit_count++;
    }
    return 0;
}

int
dwfile_open(struct dwfile *f, struct image *img, bool split, u64 *bad_at)
{
    int status;

    memset(f, 0, sizeof(*f));
    f->img = img;
    f->split = split;
    *bad_at = UINT64_MAX;
    find_info(f);
    if (f->info.size == 0)
        return -ENODATA;
    find_section(f, "abbrev", &f->abbrev);
    find_section(f, "str", &f->str);
    find_section(f, "line", &f->line);
    find_section(f, "line_str", &f->line_str);
    find_section(f, "ranges", &f->ranges);
    find_section(f, "rnglists", &f->rnglists);
    find_section(f, "addr", &f->addr);
    find_section(f, "str_offsets", &f->str_offsets);
    status = find_units(f, bad_at);
    if (status < 0)
        dwfile_free(f);
    return status;
}

void
dwfile_free(struct dwfile *f)
{
    for (u32 i = 0; i < ER_COUNT(f->tables); i++) {
        while (f->tables[i]) {
            struct dwabbrevs *t = f->tables[i];

            f->tables[i] = t->next;
            free(t->at);
            free(t->attrs);
            free(t);
        }
    }
    for (u32 i = 0; i < f->unit_count; i++)
        free(f->units[i].scopes);
    free(f->units);
    dwmemo_free(&f->funcs);
    memset(f, 0, sizeof(*f));
}

struct dwunit *
dwfile_unit(struct dwfile *f, u64 at)
{
    u32 low = 0, count = f->unit_count;

    while (count > 0) {
        u32 half = count / 2;

        if (f->units[low + half].offset <= at) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return low > 0 && at < f->units[low - 1].end ? &f->units[low - 1] : NULL;
}

/*
 * Makes room for one more element in the array to which the pointer at `array` points.
 * The room follows from `count`: 16, 32, 64, ... elements.
 */
static bool
grow(void *array, u32 count, size_t size)
{
    void *at;

    if (count & (count - 1) || (count != 0 && count < 16))
        return true;
    memcpy(&at, array, sizeof(at));
    at = realloc(at, (count < 16 ? 16 : (size_t)count * 2) * size);
    if (at)
        memcpy(array, &at, sizeof(at));
    return at != NULL;
}

/*
 * Reads the attributes of one abbreviation up to the pair of zeros. False: they are
 * malformed, or there is no memory.
 */
static bool
read_attrs(struct dwabbrevs *t, struct dwabbrev *a, struct cursor *c,
           const struct dwunit *u)
{
    a->first = t->attr_count;
    for (;;) {
        u64 name = cursor_uleb(c), form = cursor_uleb(c);
        struct dwattr attr = {(uint16_t)name, (uint16_t)form, 0};
        u32 size;

        if (form == DW_FORM_implicit_const)
            attr.value = cursor_sleb(c);
        if (c->bad || name > UINT16_MAX || form > UINT16_MAX)
            return false;
        if (name == 0 && form == 0)
            return true;
        if (!grow(&t->attrs, t->attr_count, sizeof(*t->attrs)))
            return false;
        t->attrs[t->attr_count++] = attr;
        a->count++;
        a->sibling |= name == DW_AT_sibling;
        size = dwform_size(attr.form, u->version, u->addr_size, u->off_size);
        a->size = size == UINT32_MAX || a->size == UINT32_MAX ? UINT32_MAX
                                                              : a->size + size;
    }
}

static bool
read_table(struct dwabbrevs *t, const struct dwunit *u)
{
    struct cursor c = image_cursor(u->file->img, u->file->abbrev, t->offset);

    while (cursor_left(&c) > 0) {
        struct dwabbrev a = {.code = cursor_uleb(&c)};

        if (a.code == 0)
            break;
        a.tag = (u32)cursor_uleb(&c);
        a.children = cursor_u8(&c) != 0;
        if (!read_attrs(t, &a, &c, u) || !grow(&t->at, t->count, sizeof(*t->at)))
            return false;
        t->at[t->count++] = a;
    }
    return !c.bad;
}

static const struct dwabbrevs *
find_table(struct dwunit *u)
{
    u32 shape = u->version << 8 | u->addr_size << 4 | u->off_size;
    struct dwabbrevs **slot =
        &u->file->tables[(u->abbrev_offset ^ u->abbrev_offset >> 8) & 255];
    struct dwabbrevs *t;

    for (t = *slot; t; t = t->next)
        if (t->offset == u->abbrev_offset && t->shape == shape)
            return t;
    t = calloc(1, sizeof(*t));
    if (!t)
        return NULL;
    t->offset = u->abbrev_offset;
    t->shape = shape;
    t->next = *slot;
    *slot = t;
    if (!read_table(t, u))
        t->count = 0; /* unusable for all its units */
    return t;
}

const struct dwabbrev *
dwfile_abbrev(const struct dwunit *u, struct cursor *c)
{
    const struct dwabbrevs *t = u->abbrevs;
    u64 code = cursor_uleb(c);

    if (code == 0)
        return NULL;
    /* In nearly all tables, the codes are 1, 2, 3, ... in this order. */
    if (ER_LIKELY(code <= t->count && t->at[code - 1].code == code))
        return &t->at[code - 1];
    for (u32 i = 0; i < t->count; i++)
        if (t->at[i].code == code)
            return &t->at[i];
    c->bad = true;
    return NULL;
}

/*
 * Keeps those attributes of a unit's first DIE that are needed to read the rest of the
 * unit.
 */
static void
set_base(struct dwunit *u, const struct dwattr *a, const struct dwvalue *v)
{
    switch (a->name) {
    case DW_AT_str_offsets_base:
        u->str_base = v->number;
        break;
    case DW_AT_addr_base:
    case DW_AT_GNU_addr_base:
        u->addr_base = v->number;
        break;
    case DW_AT_rnglists_base:
    case DW_AT_GNU_ranges_base:
        u->rng_base = v->number;
        break;
    case DW_AT_stmt_list:
        u->line_offset = v->number;
        u->has_lines = true;
        break;
    case DW_AT_GNU_dwo_id:
        u->dwo_id = v->number;
        u->has_dwo_id = true;
        break;
    }
}

static void
set_value(struct dwunit *u, const struct dwattr *a, const struct dwvalue *v)
{
    switch (a->name) {
    case DW_AT_name:
        u->name = dwform_string(u, v);
        break;
    case DW_AT_comp_dir:
        u->comp_dir = dwform_string(u, v);
        break;
    case DW_AT_dwo_name:
    case DW_AT_GNU_dwo_name:
        u->dwo_name = dwform_string(u, v);
        break;
    case DW_AT_low_pc:
        dwform_address(u, v, &u->low_pc);
        break;
    }
}

/* Reads a unit's first DIE, twice: an attribute may need a base that comes after it. */
static bool
read_root(struct dwunit *u)
{
    for (u32 pass = 0; pass < 2; pass++) {
        struct cursor c = dwfile_cursor(u, u->die);
        const struct dwabbrev *a = dwfile_abbrev(u, &c);
        struct dwvalue v;

        if (!a)
            return false;
        u->tag = a->tag;
        for (u32 i = 0; i < a->count; i++) {
            const struct dwattr *attr = &u->abbrevs->attrs[a->first + i];

            dwform_read(u, &c, attr, &v);
            if (pass == 0)
                set_base(u, attr, &v);
            else
                set_value(u, attr, &v);
        }
        if (c.bad)
            return false;
    }
    return true;
}

bool
dwfile_start(struct dwunit *u)
{
    u32 header = u->off_size == 8 ? 16 : 8;

    if (u->abbrevs || u->bad)
        return !u->bad;
    /*
     * If the attribute with a base (DW_AT_addr_base, ...) is missing, a table's entries
     * begin right after its header.
     */
    if (u->version >= 5) {
        u->addr_base = header;
        u->str_base += header;
        u->rng_base = u->rng_section + (u->off_size == 8 ? 20 : 12);
    }
    u->abbrevs = find_table(u);
    u->bad = !u->abbrevs || !read_root(u);
    return !u->bad;
}

struct dwunit *
dwfile_reference(struct dwunit *u, const struct dwvalue *v, u64 *die)
{
    struct dwfile *f = u->file;
    struct dwunit *target = u;

    *die = v->number;
    switch (v->form) {
    case DW_FORM_ref1:
    case DW_FORM_ref2:
    case DW_FORM_ref4:
    case DW_FORM_ref8:
    case DW_FORM_ref_udata:
        *die += u->offset;
        break;
    case DW_FORM_ref_addr:
        target = dwfile_unit(f, *die);
        break;
    case DW_FORM_ref_sup4:
    case DW_FORM_ref_sup8:
    case DW_FORM_GNU_ref_alt:
        target = f->alt ? dwfile_unit(f->alt, *die) : NULL;
        break;
    default:
        return NULL;
    }
    if (!target || *die < target->die || *die >= target->end || !dwfile_start(target))
        return NULL;
    return target;
}

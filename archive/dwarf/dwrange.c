/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/dwarf/dwrange.h"

#include <stdlib.h>

#define LIST_MAX 1000000 /* entries; a bound for hostile input */

static bool
add(struct dwranges *list, u64 lo, u64 hi)
{
    if (lo >= hi)
        return true;
    if (list->count == list->capacity) {
        u32 capacity = list->capacity ? list->capacity * 2 : 16;
        struct dwrange *at = realloc(list->at, capacity * sizeof(*at));

        if (!at)
            return false;
        list->at = at;
        list->capacity = capacity;
    }
    list->at[list->count++] = (struct dwrange){lo, hi};
    return true;
}

/* Reads .debug_ranges: pairs relative to a base, up to a pair of zeros. */
static bool
read_old(struct dwranges *list, const struct dwunit *u, u64 base, u64 offset)
{
    const struct dwunit *owner = u->skeleton ? u->skeleton : u;
    const struct dwfile *f = owner->file;
    u64 top = u->addr_size == 8 ? UINT64_MAX : ((u64)1 << u->addr_size * 8) - 1;
    struct cursor c;

    if (u->skeleton)
        offset += owner->rng_base;
    c = image_cursor(f->img, f->ranges, offset);
    while (cursor_left(&c) > 0 && list->count < LIST_MAX) {
        u64 lo = cursor_uint(&c, u->addr_size), hi = cursor_uint(&c, u->addr_size);

        if (c.bad || (lo == 0 && hi == 0))
            break;
        if (lo == top)
            base = hi;
        else if (!add(list, base + lo, base + hi))
            return false;
    }
    return true;
}

/*
 * Reads one entry of .debug_rnglists; *out is empty if the entry only sets *base. False
 * at the end of the list, or if the entry is malformed.
 */
static bool
read_entry(const struct dwunit *u, struct cursor *c, u64 *base, struct dwrange *out)
{
    u32 kind = cursor_u8(c);

    *out = (struct dwrange){0, 0};
    switch (kind) {
    case DW_RLE_base_addressx:
        return dwform_indexed_address(u, cursor_uleb(c), base);
    case DW_RLE_startx_endx:
        return dwform_indexed_address(u, cursor_uleb(c), &out->lo) &&
               dwform_indexed_address(u, cursor_uleb(c), &out->hi);
    case DW_RLE_startx_length:
        if (!dwform_indexed_address(u, cursor_uleb(c), &out->lo))
            return false;
        out->hi = out->lo + cursor_uleb(c);
        return true;
    case DW_RLE_offset_pair:
        out->lo = *base + cursor_uleb(c);
        out->hi = *base + cursor_uleb(c);
        return true;
    case DW_RLE_base_address:
        *base = cursor_uint(c, u->addr_size);
        return true;
    case DW_RLE_start_end:
        out->lo = cursor_uint(c, u->addr_size);
        out->hi = cursor_uint(c, u->addr_size);
        return true;
    case DW_RLE_start_length:
        out->lo = cursor_uint(c, u->addr_size);
        out->hi = out->lo + cursor_uleb(c);
        return true;
    }
    return false;
}

static bool
read_new(struct dwranges *list, const struct dwunit *u, u64 base,
         const struct dwvalue *v)
{
    const struct dwfile *f = u->file;
    u64 offset = v->number + u->rng_section;
    struct dwrange r;
    struct cursor c;

    if (v->form == DW_FORM_rnglistx) {
        if (v->number > f->rnglists.size)
            return true;
        c = image_cursor(f->img, f->rnglists, u->rng_base + v->number * u->off_size);
        offset = u->rng_base + cursor_uint(&c, u->off_size);
    }
    c = image_cursor(f->img, f->rnglists, offset);
    while (cursor_left(&c) > 0 && list->count < LIST_MAX &&
           read_entry(u, &c, &base, &r))
        if (!add(list, r.lo, r.hi))
            return false;
    return true;
}

bool
dwrange_list(struct dwranges *list, const struct dwunit *u,
             const struct dwrange_values *v)
{
    u64 base = u->skeleton ? u->skeleton->low_pc : u->low_pc, lo, hi;

    list->count = 0;
    if (v->ranges.form)
        return u->version >= 5 ? read_new(list, u, base, &v->ranges)
                               : read_old(list, u, base, v->ranges.number);
    if (!v->high.form || !dwform_address(u, &v->low, &lo))
        return true;
    if (!dwform_address(u, &v->high, &hi))
        hi = lo + v->high.number;
    return add(list, lo, hi);
}

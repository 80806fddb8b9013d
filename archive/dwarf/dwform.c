/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/dwarf/dwform.h"

#define VARIES UINT32_MAX

u32
dwform_size(u32 form, u32 version, u32 addr_size, u32 off_size)
{
    switch (form) {
    case DW_FORM_flag_present:
    case DW_FORM_implicit_const:
        return 0;
    case DW_FORM_data1:
    case DW_FORM_flag:
    case DW_FORM_ref1:
    case DW_FORM_strx1:
    case DW_FORM_addrx1:
        return 1;
    case DW_FORM_data2:
    case DW_FORM_ref2:
    case DW_FORM_strx2:
    case DW_FORM_addrx2:
        return 2;
    case DW_FORM_strx3:
    case DW_FORM_addrx3:
        return 3;
    case DW_FORM_data4:
    case DW_FORM_ref4:
    case DW_FORM_strx4:
    case DW_FORM_addrx4:
    case DW_FORM_ref_sup4:
        return 4;
    case DW_FORM_data8:
    case DW_FORM_ref8:
    case DW_FORM_ref_sig8:
    case DW_FORM_ref_sup8:
        return 8;
    case DW_FORM_data16:
        return 16;
    case DW_FORM_addr:
        return addr_size;
    case DW_FORM_ref_addr:
        return version <= 2 ? addr_size : off_size;
    case DW_FORM_strp:
    case DW_FORM_sec_offset:
    case DW_FORM_line_strp:
    case DW_FORM_strp_sup:
    case DW_FORM_GNU_ref_alt:
    case DW_FORM_GNU_strp_alt:
        return off_size;
    }
    return VARIES;
}

/* Reads a value whose size is known only from its own bytes; skips a block. */
static void
read_varying(struct cursor *c, u32 form, struct dwvalue *v)
{
    switch (form) {
    case DW_FORM_string:
        v->string = cursor_string(c);
        break;
    case DW_FORM_sdata:
        v->number = (u64)cursor_sleb(c);
        break;
    case DW_FORM_udata:
    case DW_FORM_ref_udata:
    case DW_FORM_strx:
    case DW_FORM_addrx:
    case DW_FORM_loclistx:
    case DW_FORM_rnglistx:
    case DW_FORM_GNU_addr_index:
    case DW_FORM_GNU_str_index:
        v->number = cursor_uleb(c);
        break;
    case DW_FORM_block1:
        cursor_skip(c, cursor_u8(c));
        break;
    case DW_FORM_block2:
        cursor_skip(c, cursor_u16(c));
        break;
    case DW_FORM_block4:
        cursor_skip(c, cursor_u32(c));
        break;
    case DW_FORM_block:
    case DW_FORM_exprloc:
        cursor_skip(c, cursor_uleb(c));
        break;
    default:
        c->bad = true; /* an unknown form: what follows cannot be found */
        c->at = c->end;
    }
}

void
dwform_read(const struct dwunit *u, struct cursor *c, const struct dwattr *a,
            struct dwvalue *v)
{
    u32 form = a->form, size;

    v->number = 0;
    v->string = NULL;
    if (form == DW_FORM_indirect)
        form = (u32)cursor_uleb(c);
    v->form = form;
    size = dwform_size(form, u->version, u->addr_size, u->off_size);
    if (size == VARIES)
        read_varying(c, form, v);
    else if (size == 16)
        cursor_skip(c, 16);
    else if (size > 0)
        v->number = cursor_uint(c, size);
    else
        v->number = form == DW_FORM_implicit_const ? (u64)a->value : 1;
}

void
dwform_skip(const struct dwunit *u, struct cursor *c, const struct dwabbrev *a)
{
    struct dwvalue v;

    if (ER_LIKELY(a->size != VARIES)) {
        cursor_skip(c, a->size);
        return;
    }
    for (u32 i = 0; i < a->count; i++)
        dwform_read(u, c, &u->abbrevs->attrs[a->first + i], &v);
}

/* Gets string number `index` of the unit's table of string offsets. */
static const char *
indexed_string(const struct dwunit *u, u64 index)
{
    const struct dwfile *f = u->file;
    struct cursor c;

    if (index > f->str_offsets.size)
        return "";
    c = image_cursor(f->img, f->str_offsets, u->str_base + index * u->off_size);
    return bytes_string(f->str, cursor_uint(&c, u->off_size));
}

const char *
dwform_string(const struct dwunit *u, const struct dwvalue *v)
{
    const struct dwfile *f = u->file;

    switch (v->form) {
    case DW_FORM_string:
        return v->string;
    case DW_FORM_strp:
        return bytes_string(f->str, v->number);
    case DW_FORM_line_strp:
        return bytes_string(f->line_str, v->number);
    case DW_FORM_strp_sup:
    case DW_FORM_GNU_strp_alt:
        return f->alt ? bytes_string(f->alt->str, v->number) : "";
    case DW_FORM_strx:
    case DW_FORM_strx1:
    case DW_FORM_strx2:
    case DW_FORM_strx3:
    case DW_FORM_strx4:
    case DW_FORM_GNU_str_index:
        return indexed_string(u, v->number);
    }
    return NULL;
}

bool
dwform_indexed_address(const struct dwunit *u, u64 index, u64 *addr)
{
    const struct dwunit *owner = u->skeleton ? u->skeleton : u;
    const struct dwfile *f = owner->file;
    struct cursor c;

    if (index > f->addr.size)
        return false;
    c = image_cursor(f->img, f->addr, owner->addr_base + index * u->addr_size);
    *addr = cursor_uint(&c, u->addr_size);
    return !c.bad;
}

bool
dwform_address(const struct dwunit *u, const struct dwvalue *v, u64 *addr)
{
    switch (v->form) {
    case DW_FORM_addr:
        *addr = v->number;
        return true;
    case DW_FORM_addrx:
    case DW_FORM_addrx1:
    case DW_FORM_addrx2:
    case DW_FORM_addrx3:
    case DW_FORM_addrx4:
    case DW_FORM_GNU_addr_index:
        return dwform_indexed_address(u, v->number, addr);
    }
    return false;
}

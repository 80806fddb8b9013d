/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/elf/fde.h"

#include <errno.h>
#include <stdlib.h>

/* Pointer encodings (DW_EH_PE_*). */
#define ENC_OMIT 0xff
#define ENC_FORMAT 0x0f
#define ENC_APPLY 0x70
#define ENC_PCREL 0x10

struct frames {
    const struct image *img;
    struct bytes data;
    u64 addr;       /* vaddr of the first byte of data */
    u64 cie;        /* offset of the CIE last read, + 1; 0: none yet */
    u32 cie_format; /* the pointer encoding of this CIE */
    bool cie_sized; /* FDEs of this CIE have augmentation data */
};

/* Reads an encoded value without applying a base. */
static u64
read_value(const struct frames *f, struct cursor *c, u32 encoding)
{
    switch (encoding & ENC_FORMAT) {
    case 0x00:
        return image_word(f->img, c);
    case 0x01:
        return cursor_uleb(c);
    case 0x02:
        return cursor_u16(c);
    case 0x03:
        return cursor_u32(c);
    case 0x04:
    case 0x0c:
        return cursor_u64(c);
    case 0x09:
        return (u64)cursor_sleb(c);
    case 0x0a:
        return (u64)(int64_t)(int16_t)cursor_u16(c);
    case 0x0b:
        return (u64)(int64_t)(int32_t)cursor_u32(c);
    }
    c->bad = true;
    return 0;
}

/*
 * The pointer encoding that FDEs of the CIE at `offset` use; ENC_OMIT if it is unknown.
 * Else also sets f->cie_sized.
 */
static u32
cie_encoding(struct frames *f, u64 offset)
{
    struct cursor c = image_cursor(f->img, f->data, offset);
    const char *augmentation;
    u32 version, encoding = 0, wide;

    wide = cursor_u32(&c) == 0xffffffff;
    cursor_skip(&c, wide ? 16 : 4);
    version = cursor_u8(&c);
    augmentation = cursor_string(&c);
    if (version >= 4)
        cursor_skip(&c, 2);
    cursor_uleb(&c);
    cursor_sleb(&c);
    if (version == 1)
        cursor_u8(&c);
    else
        cursor_uleb(&c);
    if (c.bad || (augmentation[0] && augmentation[0] != 'z'))
        return ENC_OMIT;
    f->cie_sized = augmentation[0] == 'z';
    for (const char *a = augmentation; *a; a++) {
        if (*a == 'z')
            cursor_uleb(&c);
        else if (*a == 'R')
            encoding = cursor_u8(&c);
        else if (*a == 'L')
            cursor_u8(&c);
        else if (*a == 'P')
            read_value(f, &c, cursor_u8(&c));
    }
    return c.bad ? ENC_OMIT : encoding;
}

/*
 * Does the first instruction after nops move the CFA or save a register? Then assume
 * that the stack frame was set up before the first byte of this FDE's code: the code is
 * a part of a function.
 */
static bool
begins_inner(struct cursor c)
{
    while (cursor_left(&c) > 0) {
        u32 op = cursor_u8(&c);

        if (op != 0) /* DW_CFA_nop */
            return op >> 6 == 2 || (op >= 0x0c && op <= 0x0f) ||
                   (op >= 0x12 && op <= 0x13);
    }
    return false;
}

static int
add(struct fde_list *list, const struct fde *fde)
{
    if (list->count == list->capacity) {
        u32 capacity = list->capacity ? list->capacity * 2 : 1024;
        struct fde *at = realloc(list->at, capacity * sizeof(*at));

        if (!at)
            return -ENOMEM;
        list->at = at;
        list->capacity = capacity;
    }
    list->at[list->count++] = *fde;
    return 0;
}

/* Reads one FDE. c: from past the CIE pointer to the end of the FDE. */
static int
read_fde(struct frames *f, struct fde_list *list, struct cursor c, u64 cie)
{
    u64 at = (u64)(c.at - f->data.at), lo, size;

    if (f->cie != cie + 1) {
        f->cie_format = cie_encoding(f, cie);
        f->cie = cie + 1;
    }
    if (f->cie_format == ENC_OMIT || (f->cie_format & 0x80))
        return 0;
    lo = read_value(f, &c, f->cie_format);
    size = read_value(f, &c, f->cie_format & 7);
    if ((f->cie_format & ENC_APPLY) == ENC_PCREL)
        lo += f->addr + at;
    else if (f->cie_format & ENC_APPLY)
        return 0;
    if (f->img->bits == 32) {
        lo &= 0xffffffff;
        size &= 0xffffffff;
    }
    if (c.bad || size == 0 || lo + size < lo)
        return 0;
    if (f->cie_sized)
        cursor_skip(&c, cursor_uleb(&c));
    return add(list, &(struct fde){lo, lo + size, begins_inner(c)});
}

/* Reads all entries, up to the terminator or the first malformed one. */
static int
read_all(struct frames *f, struct fde_list *list)
{
    struct cursor c = image_cursor(f->img, f->data, 0), body;
    int status = 0;

    while (cursor_left(&c) > 4 && status == 0) {
        u64 length = cursor_u32(&c), id_at, id;
        bool wide = length == 0xffffffff;

        if (wide)
            length = cursor_u64(&c);
        if (length == 0)
            break;
        body = c;
        cursor_skip(&c, length);
        if (c.bad)
            break;
        body.end = c.at;
        id_at = (u64)(body.at - f->data.at);
        id = wide ? cursor_u64(&body) : cursor_u32(&body);
        if (id != 0 && id <= id_at)
            status = read_fde(f, list, body, id_at - id);
    }
    return status;
}

/* Finds .eh_frame without section headers: by its address in .eh_frame_hdr. */
static void
find_by_segment(struct frames *f)
{
    struct image_segment seg;
    struct bytes hdr;
    struct cursor c;
    u32 encoding;
    u64 at;

    for (u32 i = 0; image_segment(f->img, i, &seg); i++) {
        if (seg.type != PT_GNU_EH_FRAME)
            continue;
        hdr = image_loaded(f->img, seg.vaddr, seg.filesz);
        c = image_cursor(f->img, hdr, 1);
        encoding = cursor_u8(&c);
        cursor_skip(&c, 2);
        at = read_value(f, &c, encoding);
        if (c.bad || (encoding & ENC_APPLY) != ENC_PCREL)
            return;
        f->addr = at + seg.vaddr + 4;
        break;
    }
    for (u32 i = 0; f->addr && image_segment(f->img, i, &seg); i++)
        if (seg.type == PT_LOAD && f->addr >= seg.vaddr &&
            f->addr - seg.vaddr < seg.filesz)
            f->data = image_loaded(f->img, f->addr,
                                   seg.filesz - (f->addr - seg.vaddr));
}

static int
compare(const void *a, const void *b)
{
    const struct fde *x = a, *y = b;

    if (x->lo != y->lo)
        return x->lo < y->lo ? -1 : 1;
    return x->hi < y->hi ? -1 : x->hi > y->hi;
}

int
fde_read(struct fde_list *list, struct image *img)
{
    struct frames f = {.img = img};
    struct image_section *s = image_find(img, ".eh_frame");
    int status;

    *list = (struct fde_list){0};
    image_data(img, s, &f.data);
    if (s)
        f.addr = s->addr;
    else if (img->section_count == 0)
        find_by_segment(&f);
    status = read_all(&f, list);
    if (status < 0)
        fde_free(list);
    else if (list->count)
        qsort(list->at, list->count, sizeof(*list->at), compare);
    return status;
}

void
fde_free(struct fde_list *list)
{
    free(list->at);
    *list = (struct fde_list){0};
}

const struct fde *
fde_at(const struct fde_list *list, u64 addr)
{
    u32 low = 0, count = list->count;

    while (count > 0) {
        u32 half = count / 2;

        if (list->at[low + half].lo < addr) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return low < list->count && list->at[low].lo == addr ? &list->at[low] : NULL;
}

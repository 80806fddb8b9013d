/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "collector/sig/announced.h"
#include "collector/sig/cfi_read.h"

enum {
    LINEAR_RECORDS = 1 << 16, /* maximum number of records read without a table */
    AUGMENTATION_CHARS = 8,
    ENTRY_BYTES = 1 << 24, /* no real CIE or FDE is longer */
};

u64
read_uleb(struct reader *r)
{
    u64 value = 0;
    u32 shift = 0, byte;

    do {
        byte = read_u8(r);
        if (shift < 64)
            value |= (u64)(byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80);
    return value;
}

int64_t
read_sleb(struct reader *r)
{
    u64 value = 0;
    u32 shift = 0, byte;

    do {
        byte = read_u8(r);
        if (shift < 64)
            value |= (u64)(byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80);
    if (shift < 64 && (byte & 0x40))
        value |= ~(u64)0 << shift;
    return (int64_t)value;
}

static u64
read_format(struct reader *r, u32 format)
{
    switch (format) {
    case 0x00:
    case 0x04:
    case 0x0c:
        return read_fixed(r, 8);
    case 0x01:
        return read_uleb(r);
    case 0x02:
        return read_fixed(r, 2);
    case PE_UDATA4:
        return read_fixed(r, 4);
    case 0x09:
        return (u64)read_sleb(r);
    case 0x0a:
        return (u64)read_signed(r, 2);
    case PE_SDATA4:
        return (u64)read_signed(r, 4);
    default:
        r->bad = 1;
        return 0;
    }
}

u64
read_encoded(struct reader *r, u32 encoding, u64 data)
{
    u64 here = r->p;
    u64 value = read_format(r, encoding & PE_FORMAT);

    switch (encoding & PE_APPLICATION) {
    case 0:
        break;
    case PE_PCREL:
        value += here;
        break;
    case PE_DATAREL:
        value += data;
        break;
    default:
        r->bad = 1;
    }
    if ((encoding & PE_INDIRECT) && !r->bad && !mem_load(r->m, value, &value))
        r->bad = 1;
    return r->bad ? 0 : value;
}

/* Read the length of the record at r->p; r then covers just the record's content. */
static u64
open_record(struct reader *r)
{
    u64 len = read_fixed(r, 4);

    if (len == 0xffffffff)
        len = read_fixed(r, 8);
    if (len > ENTRY_BYTES || len > r->end - r->p)
        r->bad = 1;
    r->end = r->bad ? r->p : r->p + len;
    return len;
}

/* Read the augmentation data at r, as the augmentation's characters say. */
static void
read_augmentation(struct reader *r, const char *chars, struct cfi_entry *entry)
{
    for (; *chars && !r->bad; chars++) {
        if (*chars == 'R') {
            entry->encoding = (uint8_t)read_u8(r);
        } else if (*chars == 'P') {
            u32 encoding = read_u8(r);

            read_encoded(r, encoding & ~(u32)PE_INDIRECT, 0);
        } else if (*chars == 'L') {
            read_u8(r);
        } else if (*chars == 'S') {
            entry->signal_frame = 1;
        } else if (*chars != 'B') {
            return; /* the length that z announces ends the data */
        }
    }
}

static int
parse_cie(struct mem *m, u64 address, struct cfi_entry *entry, int *has_data)
{
    struct reader r = reader_at(m, address, ~(u64)0);
    char chars[AUGMENTATION_CHARS + 1] = { 0 };
    u32 version;

    open_record(&r);
    if (read_fixed(&r, 4) != 0)
        return -EBADMSG;
    version = read_u8(&r);
    for (u32 i = 0; (chars[i] = (char)read_u8(&r)) != 0; i++)
        if (i + 1 >= AUGMENTATION_CHARS)
            return -EBADMSG;
    if (version == 4)
        reader_skip(&r, 2);
    entry->code_align = read_uleb(&r);
    entry->data_align = read_sleb(&r);
    entry->ra = (uint8_t)(version == 1 ? read_u8(&r) : read_uleb(&r));
    *has_data = chars[0] == 'z';
    if (*has_data) {
        u64 len = read_uleb(&r);
        u64 data = r.p;

        read_augmentation(&r, chars + 1, entry);
        r.p = data;
        reader_skip(&r, len);
    } else if (chars[0] != 0) {
        return -EBADMSG;
    }
    entry->cie_code = r.p;
    entry->cie_code_end = r.end;
    if (r.bad || entry->ra != REGS_RA || (version != 1 && version != 3 && version != 4))
        return -EBADMSG;
    return 0;
}

/* Parse the FDE at address, and its CIE. 0, -ENOENT (the end, or a CIE), -EBADMSG. */
static int
parse_entry(struct mem *m, u64 address, struct cfi_entry *entry)
{
    struct reader r = reader_at(m, address, ~(u64)0);
    u64 len = open_record(&r);
    u64 here = r.p;
    u64 back = r.bad || len == 0 ? 0 : read_fixed(&r, 4);
    int has_data, err;

    if (r.bad)
        return -EBADMSG;
    if (back == 0)
        return -ENOENT;
    *entry = (struct cfi_entry){ 0 };
    err = parse_cie(m, here - back, entry, &has_data);
    if (err)
        return err;
    entry->start = read_encoded(&r, entry->encoding, 0);
    entry->end = entry->start + read_format(&r, entry->encoding & PE_FORMAT);
    if (has_data)
        reader_skip(&r, read_uleb(&r));
    entry->code = r.p;
    entry->code_end = r.end;
    return r.bad || entry->end < entry->start ? -EBADMSG : 0;
}

/* What is used of .eh_frame_hdr. */
struct header {
    u64 frames; /* address of .eh_frame */
    u64 table;
    u64 count; /* number of rows; 0 = no table that we can search */
};

static int
read_header(struct mem *m, const struct objtab_object *o, struct header *header)
{
    struct reader r = reader_at(m, o->hdr, o->hdr + o->hdr_size);
    u32 version = read_u8(&r);
    u32 frames_encoding = read_u8(&r);
    u32 count_encoding = read_u8(&r);
    u32 table_encoding = read_u8(&r);

    if (r.bad || version != 1 || frames_encoding == PE_OMIT)
        return -EBADMSG;
    if (o->instance && o->hdr >= o->tables_lo && o->hdr < o->tables_hi)
        mem_trust(m, o->tables_lo, o->tables_hi);
    header->frames = read_encoded(&r, frames_encoding, o->hdr);
    header->count = 0;
    if (r.bad)
        return -EBADMSG;
    if (count_encoding == PE_OMIT || table_encoding != (PE_DATAREL | PE_SDATA4))
        return 0;
    header->count = read_encoded(&r, count_encoding, o->hdr);
    header->table = r.p;
    if (r.bad)
        return -EBADMSG;
    if (header->count > (r.end - r.p) / 8)
        header->count = (r.end - r.p) / 8;
    return 0;
}

/* Read a row of the table: the address of code, and of its FDE. */
static int
read_row(struct mem *m, u64 hdr, u64 at, u64 *code, u64 *fde)
{
    struct reader r = reader_at(m, at, at + 8);

    *code = hdr + (u64)read_signed(&r, 4);
    *fde = hdr + (u64)read_signed(&r, 4);
    return r.bad ? -EBADMSG : 0;
}

static int
search_table(struct mem *m, u64 hdr, const struct header *header, u64 address, u64 *fde)
{
    u64 low = 0, high = header->count;
    u64 code;

    while (low < high) {
        u64 middle = low + (high - low) / 2;

        if (read_row(m, hdr, header->table + 8 * middle, &code, fde))
            return -EBADMSG;
        if (code <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return -ENOENT;
    return read_row(m, hdr, header->table + 8 * (low - 1), &code, fde);
}

int
cfi_next(struct mem *m, u64 *at, struct cfi_entry *entry)
{
    struct reader r = reader_at(m, *at, ~(u64)0);
    u64 here = *at, len = open_record(&r);

    if (r.bad || len == 0)
        return -ENOENT;
    *at = r.end;
    return parse_entry(m, here, entry) == 0;
}

int
cfi_search(struct mem *m, u64 frames, u32 most, u64 address, struct cfi_entry *entry)
{
    u64 at = frames;

    for (u32 i = 0; i < most; i++) {
        int found = cfi_next(m, &at, entry);

        if (found < 0)
            break;
        if (found && address >= entry->start && address < entry->end)
            return 0;
    }
    return -ENOENT;
}

static int
find(struct mem *m, const struct objtab_object *object, u64 address,
     struct cfi_entry *entry)
{
    struct header header;
    u64 fde;
    int err;

    if (object->hdr == 0)
        return announced_find(m, address, entry);
    err = read_header(m, object, &header);
    if (err)
        return err;
    if (header.count == 0)
        return cfi_search(m, header.frames, LINEAR_RECORDS, address, entry);
    err = search_table(m, object->hdr, &header, address, &fde);
    if (err)
        return err;
    err = parse_entry(m, fde, entry);
    if (err)
        return err;
    return address >= entry->start && address < entry->end ? 0 : -ENOENT;
}

int
cfi_find(struct mem *m, const struct objtab_object *object, u64 address,
         struct cfi_entry *entry)
{
    int err;

    m->trusted++;
    err = find(m, object, address, entry);
    m->trusted--;
    return err;
}

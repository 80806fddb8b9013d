/* SPDX-License-Identifier: Apache-2.0 */
/* cfi_find(): the entry for an address, by an object's .eh_frame_hdr. See cfi.h. */
#include <errno.h>

#include "collector/sig/announced.h"
#include "collector/sig/cfi.h"
#include "collector/sig/cfi_read.h"

enum {
    LINEAR_RECORDS = 1 << 16, /* maximum number of records read without a table */
};

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
        return cfi_entry_search(m, header.frames, LINEAR_RECORDS, address, entry);
    err = search_table(m, object->hdr, &header, address, &fde);
    if (err)
        return err;
    err = cfi_entry_parse(m, fde, entry);
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

/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/cfi_entry.h"

#include <errno.h>

#include "collector/sig/cfi_read.h"
#include "collector/sig/regs.h"

enum {
    AUGMENTATION_CHARS = 8,
    ENTRY_BYTES = 1 << 24, /* no real CIE or FDE is longer */
};

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

int
cfi_entry_parse(struct mem *m, u64 address, struct cfi_entry *entry)
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
    entry->end = entry->start + read_encoded(&r, entry->encoding & PE_FORMAT, 0);
    if (has_data)
        reader_skip(&r, read_uleb(&r));
    entry->code = r.p;
    entry->code_end = r.end;
    return r.bad || entry->end < entry->start ? -EBADMSG : 0;
}

int
cfi_entry_next(struct mem *m, u64 *at, struct cfi_entry *entry)
{
    struct reader r = reader_at(m, *at, ~(u64)0);
    u64 here = *at, len = open_record(&r);

    if (r.bad || len == 0)
        return -ENOENT;
    *at = r.end;
    return cfi_entry_parse(m, here, entry) == 0;
}

int
cfi_entry_search(struct mem *m, u64 frames, u32 most, u64 address,
                 struct cfi_entry *entry)
{
    u64 at = frames;

    for (u32 i = 0; i < most; i++) {
        int found = cfi_entry_next(m, &at, entry);

        if (found < 0)
            break;
        if (found && address >= entry->start && address < entry->end)
            return 0;
    }
    return -ENOENT;
}

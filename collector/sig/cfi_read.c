/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/cfi_read.h"

/* Read a LEB128 number. *bits: how many bits it has; *last: its last byte. */
static u64
read_leb(struct reader *r, u32 *bits, u32 *last)
{
    u64 value = 0;

    *bits = 0;
    do {
        *last = read_u8(r);
        if (*bits < 64)
            value |= (u64)(*last & 0x7f) << *bits;
        *bits += 7;
    } while (*last & 0x80);
    return value;
}

u64
read_uleb(struct reader *r)
{
    u32 bits, last;

    return read_leb(r, &bits, &last);
}

int64_t
read_sleb(struct reader *r)
{
    u32 bits, last;
    u64 value = read_leb(r, &bits, &last);

    if (bits < 64 && (last & 0x40))
        value |= ~(u64)0 << bits;
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

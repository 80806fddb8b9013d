/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes numbers of variable length, as in records. Any context. get_varint() in
 * record.h reads them.
 */
#ifndef ERTOOLS_SHARE_VARINT_H
#define ERTOOLS_SHARE_VARINT_H

#include "share/types.h"

static inline u64
zigzag(u64 v)
{
    return (v << 1) ^ (u64)((int64_t)v >> 63);
}

static inline u64
unzigzag(u64 v)
{
    return (v >> 1) ^ (0 - (v & 1));
}

/*
 * Write v at p, in at most 10 bytes; returns the end. Up to three bytes after it are
 * set to 0. There is no branch on the length of a number below 2^28, since processors
 * would mispredict it.
 */
static inline unsigned char *
put_varint(unsigned char *p, u64 v)
{
    u32 more; /* bytes that are followed by another: (bits - 1) / 7 */
    u32 four;

    while (ER_UNLIKELY(v >> 28)) {
        *p++ = (unsigned char)(v | 0x80);
        v >>= 7;
    }
    more = (u32)(31 - __builtin_clz((u32)v | 1)) * 37 >> 8;
    four = (u32)((v & 0x7f) | (v & 0x3f80) << 1 | (v & 0x1fc000) << 2 |
                 (v & 0xfe00000) << 3);
    four |= 0x80808080u & ((1u << 8 * more) - 1);
    __builtin_memcpy(p, &four, sizeof(four)); /* also where -fno-builtin is set */
    return p + more + 1;
}

#endif

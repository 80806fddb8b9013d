/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The encoding of a branch stack: the field `steps` of the record `branches`. It has
 * the branches, beginning with the newest one. Each has three varints, and optionally
 * a fourth:
 *
 *   start of the next newer branch - this one's target, zigzag: the code between them
 *   ran straight on; for the newest branch: 0 - its target
 *   target - start, zigzag; a branch's start is the address of its instruction
 *   cycles << 5 | 16 if a fourth follows | enum branch_flag
 *   kind, if it is not 0
 *
 * Any context: nothing here allocates, locks or calls libc.
 */
#ifndef ERTOOLS_SHARE_BRANCH_H
#define ERTOOLS_SHARE_BRANCH_H

#include "share/record.h"

enum branch_flag {
    BRANCH_MISPREDICTED = 1,
    BRANCH_PREDICTED = 2, /* if neither is set: not known */
    BRANCH_IN_TRANSACTION = 4,
    BRANCH_ABORT = 8, /* the branch is the end of a transaction that failed */
    BRANCH_FLAGS = 15,
    BRANCH_MORE = 16, /* in encoded bytes only: the kind follows */
    BRANCH_BYTES_MAX = 40, /* bytes of one encoded branch, at most */
};

struct branch {
    u64 from; /* the branch instruction */
    u64 to;
    u32 flags;
    u32 cycles; /* since the branch before it; 0 = not known */
    /*
     * As the kernel reports it, from the lowest bits on: type (4 bits), speculation
     * (2), further type (4), privilege (3). 0 = not known.
     */
    u32 kind;
};

/* Decode a branch from the three words that the kernel writes for it. */
static inline struct branch
branch_of_words(u64 from, u64 to, u64 word)
{
    return (struct branch){
        .from = from,
        .to = to,
        .flags = (u32)word & BRANCH_FLAGS,
        .cycles = (u32)(word >> 4) & 0xffff,
        .kind = (u32)(word >> 20) & 0x1fff,
    };
}

/*
 * Append a branch at p, where there must be room for BRANCH_BYTES_MAX bytes; returns
 * the end. *at must be 0 before the first branch.
 */
static inline unsigned char *
branch_put(unsigned char *p, u64 *at, const struct branch *b)
{
    u32 flags = b->flags | (b->kind ? BRANCH_MORE : 0);

    p = put_varint(p, zigzag(*at - b->to));
    p = put_varint(p, zigzag(b->to - b->from));
    p = put_varint(p, (u64)b->cycles << 5 | flags);
    if (b->kind)
        p = put_varint(p, b->kind);
    *at = b->from;
    return p;
}

/*
 * Read the next branch; *at must be 0 before the first one. Returns 1; or 0 at the end,
 * or if the bytes are malformed, with *p = end.
 */
int branch_get(const unsigned char **p, const unsigned char *end, u64 *at,
               struct branch *b);

/*
 * Encode `count` branches, the newest first, each of which is three words, as the
 * kernel writes them. The oldest branches are left out if they might not fit into
 * ER_STR_MAX bytes; so are branches from 0 to 0. Returns the number of bytes. buf must
 * have room for ER_STR_MAX.
 */
u32 branch_encode(const unsigned char *words, u64 count, unsigned char *buf);

#endif

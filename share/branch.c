/* SPDX-License-Identifier: Apache-2.0 */
#include "share/branch.h"

enum {
    WORD = 8,
    WORDS = 3,
};

int
branch_get(const unsigned char **p, const unsigned char *end, u64 *at, struct branch *b)
{
    u64 back, way, how, kind = 0;

    if (*p >= end || get_varint(p, end, &back) < 0 || get_varint(p, end, &way) < 0 ||
        get_varint(p, end, &how) < 0 ||
        (how & BRANCH_MORE && get_varint(p, end, &kind) < 0)) {
        *p = end;
        return 0;
    }
    b->to = *at - unzigzag(back);
    b->from = b->to - unzigzag(way);
    b->flags = (u32)how & BRANCH_FLAGS;
    b->cycles = (u32)(how >> 5);
    b->kind = (u32)kind;
    *at = b->from;
    return 1;
}

u32
branch_encode(const unsigned char *words, u64 count, unsigned char *buf)
{
    unsigned char *p = buf;
    u64 at = 0;

    for (u64 i = 0; i < count && ER_STR_MAX - (p - buf) >= BRANCH_BYTES_MAX; i++) {
        u64 word[WORDS];
        struct branch b;

        memcpy(word, words + i * WORDS * WORD, sizeof(word));
        b = branch_of_words(word[0], word[1], word[2]);
        if (b.from || b.to)
            p = branch_put(p, &at, &b);
    }
    return (u32)(p - buf);
}

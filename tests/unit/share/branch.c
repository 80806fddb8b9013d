/* SPDX-License-Identifier: Apache-2.0 */
/* Branch stacks, as records have them. */
#include "share/branch.h"

#include <criterion/criterion.h>

static void
put_words(unsigned char *words, u64 i, u64 from, u64 to, u64 word)
{
    u64 w[3] = { from, to, word };

    memcpy(words + 24 * i, w, sizeof(w));
}

Test(branch, what_is_written_is_read)
{
    unsigned char words[24 * 6], buf[ER_STR_MAX];
    const u64 type = 5, more = 9, privilege = 6;
    struct branch b;
    u64 at = 0;
    const unsigned char *p = buf, *end;

    put_words(words, 0, 0x401010, 0x401000, 1 | 65535 << 4);
    put_words(words, 1, 0x7fffffffffff, 0x401002, 2);
    put_words(words, 2, 0xffffffff81000000, 0x400000, 0);
    put_words(words, 3, 0x400100, 0xffffffffffffffff, 4 | 8);
    put_words(words, 4, 0, 0, 0); /* none */
    put_words(words, 5, 1, 0, type << 20 | 1 << 24 | more << 26 | privilege << 30);
    end = buf + branch_encode(words, 6, buf);
    cr_assert(branch_get(&p, end, &at, &b));
    cr_assert(b.from == 0x401010 && b.to == 0x401000 && b.cycles == 65535);
    cr_assert_eq(b.flags, (u32)BRANCH_MISPREDICTED);
    cr_assert(branch_get(&p, end, &at, &b));
    cr_assert(b.from == 0x7fffffffffff && b.to == 0x401002 && !b.cycles);
    cr_assert_eq(b.flags, (u32)BRANCH_PREDICTED);
    cr_assert(branch_get(&p, end, &at, &b));
    cr_assert(b.from == 0xffffffff81000000 && b.to == 0x400000 && !b.flags);
    cr_assert(branch_get(&p, end, &at, &b));
    cr_assert(b.from == 0x400100 && b.to == 0xffffffffffffffff);
    cr_assert_eq(b.flags, (u32)(BRANCH_IN_TRANSACTION | BRANCH_ABORT));
    cr_assert(!b.kind);
    cr_assert(branch_get(&p, end, &at, &b));
    cr_assert(b.from == 1 && b.to == 0);
    cr_assert_eq(b.kind, type | 1 << 4 | more << 6 | privilege << 10);
    cr_assert(!branch_get(&p, end, &at, &b));
    cr_assert_eq(p, end);
}

/* A usual one takes few bytes, and one that is too long keeps what is newest. */
Test(branch, it_is_small_and_bounded)
{
    static unsigned char words[24 * 4000];
    unsigned char buf[ER_STR_MAX + 8];
    const unsigned char *p = buf;
    struct branch b;
    u64 at = 0, n = 0;
    u32 bytes;

    for (u64 i = 0; i < 32; i++)
        put_words(words, i, 0x555555554100 + 16 * (i % 3), 0x555555554000, 2);
    cr_assert_leq(branch_encode(words, 32, buf), 32u * 6);
    for (u64 i = 0; i < 4000; i++)
        put_words(words, i, i % 2 ? i : ~i, i % 2 ? ~i << 20 : i, ~0ull);
    memset(buf + ER_STR_MAX, 0x5a, 8);
    bytes = branch_encode(words, 4000, buf);
    cr_assert_leq(bytes, (u32)ER_STR_MAX);
    for (u32 i = 0; i < 8; i++)
        cr_assert_eq(buf[ER_STR_MAX + i], 0x5a);
    for (; branch_get(&p, buf + bytes, &at, &b); n++)
        cr_assert_eq(b.from, n % 2 ? n : ~n);
    cr_assert_gt(n, 20u);
}

Test(branch, bytes_that_cannot_be_end_it)
{
    unsigned char words[24 * 4], buf[ER_STR_MAX];
    struct branch b;
    u32 bytes, state = 1;

    for (u64 i = 0; i < 4; i++)
        put_words(words, i, 0x401000 + i, 0x402000, 2 | 5 << 4);
    bytes = branch_encode(words, 4, buf);
    for (u32 cut = 0; cut < bytes; cut++) {
        const unsigned char *p = buf;
        u64 at = 0;
        u32 n = 0;

        while (branch_get(&p, buf + cut, &at, &b))
            n++;
        cr_assert_lt(n, 4u);
        cr_assert_eq(p, buf + cut);
    }
    for (u32 round = 0; round < 2000; round++) {
        const unsigned char *p = buf;
        u64 at = 0;

        for (u32 i = 0; i < 64; i++)
            buf[i] = (unsigned char)((state = state * 1103515245 + 12345) >> 16);
        for (u32 n = 0; branch_get(&p, buf + 64, &at, &b); n++)
            cr_assert_lt(n, 64u);
        cr_assert_leq(p, buf + 64);
    }
}

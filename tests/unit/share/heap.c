/* SPDX-License-Identifier: Apache-2.0 */
/* The heap's records: what they take, and that they come back. */
#include <criterion/criterion.h>

#include "share/record.h"

static unsigned char bytes[1 << 20];

/* A pair takes at most 12 bytes with 64 live blocks, 64 stacks and random sizes. */
Test(heap, a_pair_is_small)
{
    struct codec c;
    unsigned char *p = bytes;
    u32 random = 12345;
    u64 live[64] = { 0 }, time = 1000000;
    int n = 10000;

    codec_start(&c, time >> SHIFT_heaptrace, 0);
    for (int i = 0; i < n; i++) {
        struct rec_free f = { .time = (time += 250) >> SHIFT_heaptrace,
                              .addr = live[i % 64] };
        struct rec_alloc a = { .time = (time += 250) >> SHIFT_heaptrace };

        random = random * 1103515245 + 12345;
        a.addr = live[i % 64] = 0x55550000 + (random >> 8) % 4096 * 16;
        a.size = 16 + (random >> 12) % 1024;
        a.node = 40 + (random >> 20) % 64 * 14;
        p = rec_put_free(&c, p, &f);
        p = rec_put_alloc(&c, p, &a);
    }
    cr_assert_lt((p - bytes) / n, 12);
}

Test(heap, the_largest_record_has_its_room)
{
    struct codec c;
    struct rec_remap r = { ~0ull, ~0ull, ~0ull >> 16, ~0ull, 0, ~0ull, ~0u };

    codec_start(&c, 0, 0);
    cr_assert_leq(rec_put_remap(&c, bytes, &r) - bytes, 96);
}

Test(heap, realloc_comes_back)
{
    struct codec out, in;
    struct rec_realloc r = { .time = 5000, .took = 300, .old = 0x7f0000001230,
                             .addr = 0x7f0000000010, .size = 77, .node = 9 };
    const unsigned char *p = bytes, *end;
    u32 kind, node;
    u64 time, took, old, addr, size;

    codec_start(&out, 100, 0);
    codec_start(&in, 100, 0);
    end = rec_put_realloc(&out, bytes, &r);
    cr_assert_eq(get_head(&in, &p, end, &kind, &time), 0);
    cr_assert_eq(get_varint(&p, end, &took), 0);
    cr_assert_eq(get_addr(&in, &p, end, &old), 0);
    cr_assert_eq(get_addr(&in, &p, end, &addr), 0);
    cr_assert_eq(get_varint(&p, end, &size), 0);
    cr_assert_eq(get_node(&in, &p, end, &node), 0);
    cr_assert_eq(p, end);
    cr_assert_eq(kind, KIND_realloc);
    cr_assert(time == r.time && took == r.took && old == r.old && addr == r.addr &&
              size == r.size && node == r.node);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "print/base/hash.h"

#include <criterion/criterion.h>
#include <string.h>

static bool
same(const void *key, u32 index)
{
    return *(const u32 *)key == index;
}

Test(hash, finds_all_and_nothing_else)
{
    struct hash h = { 0 };

    for (u32 i = 0; i < 10000; i++)
        cr_assert_eq(hash_add(&h, i % 100, i), 0); /* many of the same value */
    for (u32 i = 0; i < 10000; i += 7)
        cr_assert_eq(hash_find(&h, i % 100, same, &i), i);
    for (u32 i = 10000; i < 10010; i++)
        cr_assert_eq(hash_find(&h, i % 100, same, &i), HASH_NONE);
    hash_free(&h);
    cr_assert_eq(hash_find(&h, 1, same, &(u32){ 1 }), HASH_NONE);
}

Test(hash, bytes_differ)
{
    cr_assert_neq(hash_str(0, "abc"), hash_str(0, "abd"));
    cr_assert_neq(hash_str(0, "abc"), hash_str(1, "abc"));
    cr_assert_neq(hash_bytes(0, "a\0", 2), hash_bytes(0, "a", 1));
    cr_assert_eq(hash_str(5, "long enough for two words"),
                 hash_bytes(5, "long enough for two words", 25));
}

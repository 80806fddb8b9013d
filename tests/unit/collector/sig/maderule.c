/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/maderule.h"

#include <criterion/criterion.h>
#include <string.h>

#include "collector/sig/rule.h"

static _Alignas(64) unsigned char code[128];

static u64
key(u32 at, u32 exact)
{
    struct mem m;

    mem_init(&m, 0, 0);
    return maderule_key(&m, (u64)(uintptr_t)&code[at], exact);
}

Test(maderule, a_rule_is_kept_until_its_code_changes)
{
    u64 rule = rule_pack(RULE_SP, 0, 0, 0, 16), before;

    memset(code, 0x90, sizeof(code));
    before = key(64, 1);
    cr_assert_neq(before, 0);
    cr_assert_eq(maderule_find(before), 0);
    maderule_put(before, rule);
    cr_assert_eq(maderule_find(key(64, 1)), rule);
    code[70] = 0xc3;
    cr_assert_eq(maderule_find(key(64, 1)), 0);
    code[70] = 0x90;
    cr_assert_eq(maderule_find(key(64, 1)), rule);
    code[50] = 0xc3;
    cr_assert_eq(maderule_find(key(64, 1)), 0);
}

Test(maderule, a_place_is_part_of_the_key)
{
    memset(code, 0x90, sizeof(code));
    cr_assert_neq(key(64, 1), key(65, 1));
    cr_assert_neq(key(64, 1), key(64, 0));
}

Test(maderule, code_that_cannot_be_read_has_none)
{
    struct mem m;

    mem_init(&m, 0, 0);
    cr_assert_eq(maderule_key(&m, 4096 + 64, 1), 0);
    cr_assert_eq(maderule_key(&m, 3, 1), 0);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <pthread.h>

#include "collector/sig/objtab.h"
#include "collector/sig/rule.h"

Test(rule, a_word_holds_its_parts)
{
    u64 r = rule_pack(RULE_BP_LOAD, RULE_BP_AT_CFA, -3, -16, -123456);

    cr_assert_eq(rule_kind(r), RULE_BP_LOAD);
    cr_assert_eq(rule_bp(r), RULE_BP_AT_CFA);
    cr_assert_eq(rule_extra(r), -3);
    cr_assert_eq(rule_bp_offset(r), -16);
    cr_assert_eq(rule_cfa(r), -123456);
    cr_assert_eq(r & (RULE_OURS | RULE_UNKNOWN), 0u);
    r = rule_pack(RULE_REG, RULE_BP_AT_BP, 10, 2046 * 8, 0x7fffffff) | RULE_OURS;
    cr_assert_eq(rule_extra(r), 10);
    cr_assert_eq(rule_bp_offset(r), 2046 * 8);
    cr_assert_eq(rule_cfa(r), 0x7fffffff);
    cr_assert_eq(rule_kind(r), RULE_REG);
}

/* What another has pushed out cannot be made anew here: no two may be in the way. */
static void
use_all_sets(void)
{
    rule_mask = (RULE_SETS - 1) * RULE_SET_BYTES;
}

Test(rule, keeps_and_flushes)
{
    use_all_sets();
    for (u64 pc = 0x1000; pc < 0x9000; pc += 16)
        rule_put(rule_key(pc, pc >> 4 & 1), pc << 4 | 1, objtab_now());
    for (u64 pc = 0x1000; pc < 0x9000; pc += 16) {
        cr_assert_eq(rule_get(rule_key(pc, pc >> 4 & 1)), pc << 4 | 1);
        cr_assert_eq(rule_get(rule_key(pc, !(pc >> 4 & 1))), 0u);
    }
    rule_flush(&(struct recent_gone){ .lo = 0x2000, .hi = 0x3000 });
    for (u64 pc = 0x1000; pc < 0x9000; pc += 16) {
        int gone = pc >= 0x2000 && pc <= 0x3000;

        cr_assert_eq(rule_get(rule_key(pc, pc >> 4 & 1)), gone ? 0 : pc << 4 | 1);
    }
}

Test(rule, more_sets_lose_nothing_that_is_asked_for)
{
    u64 first = 0x1000, n = RULE_SETS_FIRST * RULE_WAYS / 2 + 1, before = rule_mask;

    for (u64 pc = first; pc < first + n; pc++)
        rule_put(rule_key(pc, 0), pc << 4 | 1, objtab_now());
    cr_assert_gt(rule_mask, before);
    for (u64 pc = first; pc < first + n; pc++) {
        u64 rule = rule_get(rule_key(pc, 0));

        if (!rule)
            rule = rule_find_old(rule_key(pc, 0));
        cr_assert_eq(rule, pc << 4 | 1);
        cr_assert_eq(rule_get(rule_key(pc, 0)), rule, "it has moved");
    }
    rule_flush(&(struct recent_gone){ .lo = first, .hi = first + n });
    for (u64 pc = first; pc < first + n; pc++)
        cr_assert_eq(rule_get(rule_key(pc, 0)), 0u);
}

Test(rule, the_sets_become_all)
{
    for (u64 pc = 1; pc < sizeof(rule_table) / sizeof(rule_table[0][0]); pc++)
        rule_put(rule_key(pc, 0), pc, objtab_now());
    cr_assert_eq(rule_mask, (RULE_SETS - 1) * (u64)RULE_SET_BYTES);
}

Test(rule, keys_of_one_set_get_more_sets)
{
    u64 before = rule_mask;

    for (u64 i = 1; i <= RULE_SETS_FIRST * RULE_WAYS; i++)
        rule_put(rule_key(i << 26, 0), i, objtab_now());
    cr_assert_gt(rule_mask, before);
}

Test(rule, a_full_set_takes_the_new_one)
{
    u64 step = (u64)1 << 26; /* the same set */

    for (u64 i = 1; i < 100; i++) {
        rule_put(rule_key(i * step, 0), i, objtab_now());
        cr_assert_eq(rule_get(rule_key(i * step, 0)), i);
    }
}

enum { KEYS = 40, ROUNDS = 300000 };

/* Whatever a reader finds under a key was put there for that key. */
static void *
hammer(void *arg)
{
    u64 state = (u64)(uintptr_t)arg, bad = 0;

    for (int i = 0; i < ROUNDS; i++) {
        u64 key, rule;

        state = state * 6364136223846793005u + 1442695040888963407u;
        key = rule_key((1 + (state >> 33) % KEYS) << 26, 0);
        rule = rule_get(key);
        bad += rule != 0 && rule != (key ^ 0x1234567);
        if (i & 1)
            rule_put(key, key ^ 0x1234567, objtab_now());
    }
    return (void *)(uintptr_t)bad;
}

Test(rule, never_gives_the_rule_of_another)
{
    pthread_t threads[4];

    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, hammer, (void *)(uintptr_t)(i + 1));
    for (int i = 0; i < 4; i++) {
        void *bad;

        pthread_join(threads[i], &bad);
        cr_assert_null(bad);
    }
}

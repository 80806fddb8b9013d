/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/rule.h"

struct rule_entry rule_table[RULE_SETS][RULE_WAYS] __attribute__((aligned(64)));

/*
 * Concurrent writers may lose an entry to each other, or leave a pair that does not
 * belong together: its check word then fits no key.
 */
static void
store(struct rule_entry *e, u64 key, u64 rule)
{
    __atomic_store_n(&e->check, key ^ rule * RULE_MIX, __ATOMIC_RELAXED);
    __atomic_store_n(&e->rule, rule, __ATOMIC_RELAXED);
}

void
rule_put(u64 key, u64 rule)
{
    static u32 turn;
    struct rule_entry *e = rule_set(key);

    for (int i = 0; i < RULE_WAYS; i++)
        if (__atomic_load_n(&e[i].rule, __ATOMIC_RELAXED) == 0) {
            store(&e[i], key, rule);
            return;
        }
    store(&e[__atomic_fetch_add(&turn, 1, __ATOMIC_RELAXED) % RULE_WAYS], key, rule);
}

void
rule_flush(u64 lo, u64 hi)
{
    for (u32 i = 0; i < RULE_SETS * RULE_WAYS; i++) {
        struct rule_entry *e = &rule_table[i / RULE_WAYS][i % RULE_WAYS];
        u64 pc = (e->check ^ e->rule * RULE_MIX) << 1 >> 1;

        if (e->rule && pc >= lo && pc <= hi)
            store(e, 0, 0);
    }
}

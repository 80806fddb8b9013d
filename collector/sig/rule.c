/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/rule.h"

enum {
    PAGE = 4096,
    TOUCH_BYTES = 32768, /* up to these, new sets are touched ahead: see grow() */
};

struct rule_entry rule_table[RULE_SETS][RULE_WAYS] __attribute__((aligned(4096)));
u64 rule_mask = (RULE_SETS_FIRST - 1) * RULE_SET_BYTES;

static u32 put; /* rules stored so far */

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

/*
 * More sets, when half of the places may be taken. A page that is written at once takes
 * one fault; one that is read before takes two.
 */
static void
grow(void)
{
    u64 mask = __atomic_load_n(&rule_mask, __ATOMIC_RELAXED);
    u64 bytes = mask + RULE_SET_BYTES;

    if (bytes == sizeof(rule_table) ||
        __atomic_add_fetch(&put, 1, __ATOMIC_RELAXED) <=
            bytes / sizeof(struct rule_entry) / 2)
        return;
    for (u64 at = bytes; bytes < TOUCH_BYTES && at < bytes * RULE_SETS_STEP; at += PAGE)
        __atomic_fetch_or(&((u64 *)rule_table)[at / sizeof(u64)], 0, __ATOMIC_RELAXED);
    __atomic_compare_exchange_n(&rule_mask, &mask,
                                bytes * RULE_SETS_STEP - RULE_SET_BYTES, 0,
                                __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

void
rule_put(u64 key, u64 rule)
{
    static u32 turn;
    struct rule_entry *e = rule_set(key);

    grow();
    for (int i = 0; i < RULE_WAYS; i++)
        if (__atomic_load_n(&e[i].rule, __ATOMIC_RELAXED) == 0) {
            store(&e[i], key, rule);
            return;
        }
    store(&e[__atomic_fetch_add(&turn, 1, __ATOMIC_RELAXED) % RULE_WAYS], key, rule);
}

u64
rule_find_old(u64 key)
{
    u64 mask = __atomic_load_n(&rule_mask, __ATOMIC_RELAXED);

    while (mask > (RULE_SETS_FIRST - 1) * RULE_SET_BYTES) {
        struct rule_entry *e;

        mask = (mask + RULE_SET_BYTES) / RULE_SETS_STEP - RULE_SET_BYTES;
        e = rule_set_by(key, mask);
        for (int i = 0; i < RULE_WAYS; i++) {
            u64 rule = __atomic_load_n(&e[i].rule, __ATOMIC_RELAXED);
            u64 check = __atomic_load_n(&e[i].check, __ATOMIC_RELAXED);

            if (!rule || (check ^ rule * RULE_MIX) != key)
                continue;
            store(&e[i], 0, 0);
            rule_put(key, rule);
            return rule;
        }
    }
    return 0;
}

void
rule_flush(u64 lo, u64 hi)
{
    /* How many are in use is asked each time: sets may be added meanwhile. */
    for (u64 i = 0; i / RULE_WAYS * RULE_SET_BYTES <=
                    __atomic_load_n(&rule_mask, __ATOMIC_ACQUIRE); i++) {
        struct rule_entry *e = &rule_table[i / RULE_WAYS][i % RULE_WAYS];
        u64 pc = (e->check ^ e->rule * RULE_MIX) << 1 >> 1;

        if (e->rule && pc >= lo && pc <= hi)
            store(e, 0, 0);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/rule.h"

#include "collector/sig/objtab.h"

enum {
    TOUCH_SETS = 512, /* new sets are touched ahead only up to this number */
    PAGE_SETS = 4096 / RULE_SET_BYTES,
};

struct rule_entry rule_table[2 * RULE_SETS][RULE_WAYS] __attribute__((aligned(4096)));
u64 rule_mask = (RULE_SETS_FIRST - 1) * RULE_SET_BYTES;

static u32 put; /* rules stored so far */

/*
 * Store a rule in an entry. Concurrent writers may lose an entry to each other, or
 * leave a pair that does not belong together: its check word then fits no key.
 */
static void
store(struct rule_entry *e, u64 key, u64 rule)
{
    __atomic_store_n(&e->check, key ^ rule * RULE_MIX, __ATOMIC_RELAXED);
    __atomic_store_n(&e->rule, rule, __ATOMIC_RELAXED);
}

/*
 * Write to each new page before it is read: one that is read first takes two faults.
 */
void
rule_spread(void)
{
    u64 mask = __atomic_load_n(&rule_mask, __ATOMIC_RELAXED);
    u32 more = (u32)(mask / RULE_SET_BYTES + 1) * RULE_SETS_STEP;

    if (more > RULE_SETS)
        return;
    for (u32 i = more; more <= TOUCH_SETS && i < 2 * more; i += PAGE_SETS)
        __atomic_fetch_or(&rule_table[i][0].rule, 0, __ATOMIC_RELAXED);
    __atomic_compare_exchange_n(&rule_mask, &mask, (u64)(more - 1) * RULE_SET_BYTES, 0,
                                __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

/* Use more sets when half of the places may be taken. */
static void
grow(void)
{
    u64 mask = __atomic_load_n(&rule_mask, __ATOMIC_RELAXED);
    u64 places = (mask / RULE_SET_BYTES + 1) * RULE_WAYS;

    if (places < RULE_SETS * RULE_WAYS &&
        __atomic_add_fetch(&put, 1, __ATOMIC_RELAXED) > places / 2)
        rule_spread();
}

/*
 * Choose an entry of a set: the one that has this key, a free one, or one to be
 * evicted.
 */
static struct rule_entry *
choose(struct rule_entry *e, u64 key)
{
    static u32 turn;

    for (int i = 0; i < RULE_WAYS; i++)
        if ((e[i].check ^ e[i].rule * RULE_MIX) == key)
            return &e[i];
    for (int i = 0; i < RULE_WAYS; i++)
        if (__atomic_load_n(&e[i].rule, __ATOMIC_RELAXED) == 0)
            return &e[i];
    return &e[__atomic_fetch_add(&turn, 1, __ATOMIC_RELAXED) % RULE_WAYS];
}

/* Store a rule so that lookups do not find it until settle(). */
static struct rule_entry *
try(u64 key, u64 rule)
{
    struct rule_entry *e;

    grow();
    e = choose(rule_set(rule_sets(), key), key);
    store(e, key | RULE_TRIED, rule);
    recent_add((u32)(e - rule_table[0]));
    return e;
}

/*
 * Let lookups find the rule if the objects have not changed: a thread that changed them
 * may have searched the cache before the rule was there. Do nothing if the rule was
 * evicted in the meantime.
 */
static void
settle(struct rule_entry *e, u64 key, u64 rule, u32 seen)
{
    u64 check = key ^ rule * RULE_MIX, tried = check ^ RULE_TRIED;

    if (ER_UNLIKELY(objtab_now() != seen))
        store(e, 0, 0);
    else
        __atomic_compare_exchange_n(&e->check, &tried, check, 0, __ATOMIC_RELEASE,
                                    __ATOMIC_RELAXED);
}

void
rule_put(u64 key, u64 rule, u32 seen)
{
    settle(try(key, rule), key, rule, seen);
}

u64
rule_find_old(u64 key)
{
    u64 mask = __atomic_load_n(&rule_mask, __ATOMIC_RELAXED), rule = 0;
    struct rule_entry *e;
    u32 seen = objtab_now();

    while (!rule && mask > (RULE_SETS_FIRST - 1) * RULE_SET_BYTES) {
        mask = (mask + RULE_SET_BYTES) / RULE_SETS_STEP - RULE_SET_BYTES;
        rule = rule_get_in(rule_sets_by(mask), key);
    }
    if (!rule)
        return 0;
    /*
     * If another thread removes the rule from its old place after this check, it
     * removes the copy, too: see forget() in objtab.c.
     */
    e = try(key, rule);
    if (rule_get_in(rule_sets_by(mask), key) == rule)
        settle(e, key, rule, seen);
    return rule;
}

void
rule_flush_place(u32 place, const struct recent_gone *gone)
{
    struct rule_entry *e = &rule_table[0][0] + place;
    u64 pc = (e->check ^ e->rule * RULE_MIX) << 2 >> 2;

    if (e->rule && recent_is_gone(gone, pc, (e->rule & RULE_UNKNOWN) != 0))
        store(e, 0, 0);
}

void
rule_flush(const struct recent_gone *gone)
{
    /* Read the limit in each round, as more sets may come into use. */
    for (u32 sets = RULE_SETS_FIRST; (sets - 1) * (u64)RULE_SET_BYTES <=
                                     __atomic_load_n(&rule_mask, __ATOMIC_ACQUIRE);
         sets *= RULE_SETS_STEP) {
        for (u32 i = 0; i < sets * RULE_WAYS; i++)
            rule_flush_place(sets * RULE_WAYS + i, gone);
        __atomic_thread_fence(__ATOMIC_SEQ_CST); /* see rule_find_old() */
    }
}

/*
 * Begin with the oldest sets: rule_find_old() copies rules from old sets to newer ones.
 */
void
rule_forget(u64 key)
{
    u64 mask = (RULE_SETS_FIRST - 1) * RULE_SET_BYTES;

    for (; mask <= __atomic_load_n(&rule_mask, __ATOMIC_ACQUIRE);
         mask = (mask + RULE_SET_BYTES) * RULE_SETS_STEP - RULE_SET_BYTES) {
        struct rule_entry *e = rule_set(rule_sets_by(mask), key);

        for (int i = 0; i < RULE_WAYS; i++)
            if (((e[i].check ^ e[i].rule * RULE_MIX) & ~RULE_TRIED) == key)
                store(&e[i], 0, 0);
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    }
}

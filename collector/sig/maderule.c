/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/maderule.h"

#include <string.h>

#include "collector/sig/rule.h"

enum {
    ENTRIES = 4096,
    BEFORE = 16, /* bytes of code in a key: before pc, and from there on */
    BEHIND = 16,
    LEARNT = 32,
};

static ER_LARGE struct rule_entry entries[ENTRIES];
static struct rule_entry learnt[LEARNT]; /* keys are return addresses */

static u64
mix(u64 v)
{
    v *= 0xd6e8feb86659fd93u;
    return v ^ v >> 32;
}

u64
maderule_key(struct mem *m, u64 pc, u32 exact)
{
    u64 words[(BEFORE + BEHIND) / 8], key = pc << 1 | exact;

    if (pc < BEFORE || !mem_ok(m, pc - BEFORE, BEFORE + BEHIND))
        return 0;
    memcpy(words, (const void *)(uintptr_t)(pc - BEFORE), sizeof(words));
    for (u32 i = 0; i < ER_COUNT(words); i++)
        key = mix(key ^ words[i]);
    return key ? key : 1;
}

u64
maderule_find(u64 key)
{
    const struct rule_entry *e = &entries[key % ENTRIES];
    u64 rule = __atomic_load_n(&e->rule, __ATOMIC_ACQUIRE);

    return rule && (__atomic_load_n(&e->check, __ATOMIC_RELAXED) ^ rule * RULE_MIX) ==
                       key
               ? rule : 0;
}

void
maderule_put(u64 key, u64 rule)
{
    struct rule_entry *e = &entries[key % ENTRIES];

    __atomic_store_n(&e->check, key ^ rule * RULE_MIX, __ATOMIC_RELAXED);
    __atomic_store_n(&e->rule, rule, __ATOMIC_RELEASE);
}

void
maderule_learn(u64 rule, u64 ra)
{
    struct rule_entry *e = &learnt[mix(rule ^ ra) % LEARNT];

    __atomic_store_n(&e->check, ra ^ rule * RULE_MIX, __ATOMIC_RELAXED);
    __atomic_store_n(&e->rule, rule, __ATOMIC_RELEASE);
}

u64
maderule_recall(struct mem *m, u64 sp)
{
    for (u32 i = 0; i < LEARNT; i++) {
        u64 rule = __atomic_load_n(&learnt[i].rule, __ATOMIC_ACQUIRE);
        u64 check = __atomic_load_n(&learnt[i].check, __ATOMIC_RELAXED), ra;

        if (rule && mem_load(m, sp + (u64)rule_cfa(rule) - 8, &ra) &&
            (check ^ rule * RULE_MIX) == ra)
            return rule;
    }
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/hotspot_rule.h"

#include "collector/sig/objtab.h"
#include "collector/sig/recent.h"
#include "collector/sig/rule.h"

enum {
    CELL_BITS = 14,
    CELLS = 1 << CELL_BITS,
    WAYS = 4,
    USED = 1, /* bit of a cell's code, which is aligned: it may have rules */
    KEYS = 4, /* number of rules whose keys a cell remembers */
};

/*
 * Methods that the machine has reported. If no cell is free for a method, no rules are
 * cached for it.
 */
static ER_LARGE struct cell {
    u64 code; /* 0 = a free cell; USED alone: it is being filled or emptied */
    u32 size;
    u32 kept;      /* rules cached so far */
    u32 key[KEYS]; /* the first rules: (offset + 1) << 1 | exact; 0 = not set yet */
} cells[CELLS];

static u32 ends; /* how often a method with cached rules was unloaded */

static struct cell *
set_of(u64 code)
{
    u64 at = (code >> 4) * 0x9e3779b97f4a7c15ull >> (64 - CELL_BITS);

    return &cells[at & ~(u64)(WAYS - 1)];
}

static struct cell *
find(u64 code)
{
    struct cell *set = set_of(code);

    for (int i = 0; i < WAYS; i++)
        if ((__atomic_load_n(&set[i].code, __ATOMIC_ACQUIRE) | USED) == (code | USED))
            return &set[i];
    return NULL;
}

void
hotspot_rule_begin(u64 code, u64 end)
{
    struct cell *set = set_of(code);

    if (!code || code & USED)
        return;
    hotspot_rule_end(code);
    for (int i = 0; i < WAYS; i++) {
        u64 none = 0;

        if (!__atomic_compare_exchange_n(&set[i].code, &none, USED, 0, __ATOMIC_SEQ_CST,
                                         __ATOMIC_RELAXED))
            continue;
        set[i].size = (u32)(end - code);
        set[i].kept = 0;
        for (int k = 0; k < KEYS; k++)
            set[i].key[k] = 0;
        __atomic_store_n(&set[i].code, code, __ATOMIC_RELEASE);
        return;
    }
}

/*
 * Remove the method's rules: by their keys if the cell has them all, which is usual;
 * else by a search.
 */
static void
flush(const struct cell *cell, u64 code)
{
    struct recent_gone gone = { .lo = code, .hi = code + cell->size };
    u32 kept = __atomic_load_n(&cell->kept, __ATOMIC_SEQ_CST), n = 0;

    while (n < kept && n < KEYS && __atomic_load_n(&cell->key[n], __ATOMIC_SEQ_CST))
        n++;
    if (n < kept) {
        rule_flush(&gone);
        return;
    }
    while (n-- > 0)
        rule_forget(rule_key(code + (cell->key[n] >> 1) - 1, cell->key[n] & 1));
}

/*
 * Forget the rules of a method that is unloaded. A handler that caches a rule first
 * marks the cell, and at last checks whether a method was unloaded since (`ends`). So
 * either we see its mark, or it finds no cell; and either its rule is in the cache when
 * we flush, or it sees that `ends` has changed.
 */
void
hotspot_rule_end(u64 code)
{
    struct cell *cell = find(code);

    if (!code || !cell)
        return;
    if (__atomic_exchange_n(&cell->code, USED, __ATOMIC_SEQ_CST) & USED) {
        __atomic_fetch_add(&ends, 1, __ATOMIC_SEQ_CST);
        flush(cell, code);
        __atomic_fetch_add(&objtab_generation, 1, __ATOMIC_SEQ_CST);
    }
    __atomic_store_n(&cell->code, 0, __ATOMIC_RELEASE);
}

void
hotspot_rule_end_all(void)
{
    for (u32 i = 0; i < CELLS; i++) {
        u64 code = __atomic_load_n(&cells[i].code, __ATOMIC_ACQUIRE) & ~(u64)USED;

        if (code)
            hotspot_rule_end(code);
    }
}

u32
hotspot_rule_now(void)
{
    return __atomic_load_n(&ends, __ATOMIC_SEQ_CST);
}

/*
 * Record in the method's cell that a rule may be cached for this pc. 0 if the machine
 * has not reported the method.
 */
static int
mark(u64 code, u64 pc, u32 exact)
{
    struct cell *cell = find(code);
    u64 unmarked = code;
    u32 n;

    if (!cell || pc < code || pc - code > cell->size)
        return 0;
    if (!__atomic_compare_exchange_n(&cell->code, &unmarked, code | USED, 0,
                                     __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) &&
        unmarked != (code | USED))
        return 0;
    n = __atomic_fetch_add(&cell->kept, 1, __ATOMIC_SEQ_CST);
    if (n < KEYS)
        __atomic_store_n(&cell->key[n], (u32)(pc - code + 1) << 1 | exact,
                         __ATOMIC_SEQ_CST);
    return 1;
}

void
hotspot_rule_keep(u64 pc, const struct hotspot_frame *f, u32 seen)
{
    u64 key = rule_key(pc, f->exact);

    if (!f->rule || (f->code && !mark(f->code, pc, f->exact)))
        return;
    rule_put(key, f->rule, objtab_now());
    if (ER_UNLIKELY(hotspot_rule_now() != seen))
        rule_forget(key);
}

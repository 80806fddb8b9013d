/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How to step from one frame to its caller, as one word per pc, and a cache of these
 * words. Runs in signal handlers of any thread at once; rule_flush() is for normal
 * context. No locks: an entry is two words; a check in the first shows that they belong
 * together. Old entries are evicted, and computed again when needed.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_RULE_H
#define ERTOOLS_COLLECTOR_SIG_RULE_H

#include "collector/sig/recent.h"
#include "share/types.h"

/* How the canonical frame address (CFA) is found, or another kind of frame. */
enum rule_kind {
    RULE_NONE = 0,
    RULE_SP = 1,       /* CFA = sp + cfa */
    RULE_SP_LOAD = 2,  /* CFA = *(sp + load) + cfa */
    RULE_BP = 3,       /* CFA = bp + cfa */
    RULE_BP_LOAD = 4,  /* CFA = *(bp + load) + cfa: gcc's realigned frames */
    RULE_REG = 5,      /* CFA = register + cfa */
    RULE_SIGNAL = 6,   /* the kernel's signal frame */
    RULE_ROOT = 7,     /* a stack's start */
    RULE_NO_CFI = 8,   /* no CFI: guess.h; extra 1: guess_ahead() has failed */
    RULE_FULL = 9,     /* needs all registers: cfi_step() */
    RULE_NO_CODE = 10, /* a "return address" where there is no code: not a frame */
    RULE_LANDING = 11, /* an exception enters its handler: guess.h */
    RULE_HOTSPOT = 12, /* code of Java's machine: hotspot.h */
    RULE_JOIN = 13,    /* CFA = sp + cfa, and the word of join.h is at sp */
};

/* Where the caller's bp is. */
enum rule_bp {
    RULE_BP_SAME = 0,
    RULE_BP_AT_CFA = 1, /* *(CFA + bp_offset) */
    RULE_BP_AT_BP = 2,  /* *(bp + bp_offset) */
};

/*
 * A rule is a u64 of these fields, from bit 0 on: 4 bits, the kind (RULE_...); 2, where
 * bp is (RULE_BP_...); 1, RULE_OURS; 1, RULE_UNKNOWN; then signed ones: 12, a register,
 * or the load offset / 8; 12, bp_offset / 8 + 1, or 0 with RULE_BP_SAME; 32, the cfa.
 */
enum {
    RULE_OURS = 1 << 6,    /* a frame of the collector's own */
    RULE_UNKNOWN = 1 << 7, /* pc is in no object of the table */
};

static inline u64
rule_pack(u32 kind, u32 bp, int extra, int bp_offset, int cfa)
{
    int slot = bp == RULE_BP_SAME ? 0 : (bp_offset + 8) >> 3;

    return kind | bp << 4 | ((u64)(u32)extra & 0xfff) << 8 |
           ((u64)(u32)slot & 0xfff) << 20 | (u64)(u32)cfa << 32;
}

static inline u32
rule_kind(u64 rule)
{
    return rule & 15;
}

static inline u32
rule_bp(u64 rule)
{
    return rule >> 4 & 3;
}

/* The register of RULE_REG, or the load offset / 8. */
static inline int
rule_extra(u64 rule)
{
    return (int)((int64_t)(rule << 44) >> 52);
}

static inline int64_t
rule_bp_offset(u64 rule)
{
    return (int64_t)((int32_t)rule >> 20) * 8 - 8;
}

static inline int64_t
rule_cfa(u64 rule)
{
    return (int64_t)rule >> 32;
}

/* A pc and the same address as a return address are two keys. */
static inline u64
rule_key(u64 pc, u32 exact)
{
    return pc | (u64)exact << 63;
}

/* Only a few sets are used at first, as in node.h; n sets begin at index n. */
enum {
    RULE_SETS = 8192,
    RULE_SETS_FIRST = 32,
    RULE_SETS_STEP = 4,
    RULE_WAYS = 4,
    RULE_SET_BYTES = 64,
    RULE_PLACES = 2 * RULE_SETS * RULE_WAYS, /* recent.h: places below this are rules */
};

/*
 * Bit of a cached key: lookups do not find the rule until it is known that the objects
 * have not changed; see rule_put().
 */
#define RULE_TRIED ((u64)1 << 62)

struct rule_entry {
    u64 check; /* key ^ rule * RULE_MIX */
    u64 rule;
};

#define RULE_MIX 0x9e3779b97f4a7c15ull

_Static_assert(sizeof(struct rule_entry) * RULE_WAYS == RULE_SET_BYTES, "a line");

extern struct rule_entry rule_table[2 * RULE_SETS][RULE_WAYS];

/* Mask for the byte offset of a set within the region in use. */
extern u64 rule_mask;

/* The region in use: its first set, and the mask for byte offsets from there. */
struct rule_sets {
    struct rule_entry *first;
    u64 mask;
};

static inline struct rule_sets
rule_sets_by(u64 mask)
{
    struct rule_sets sets = {
        .first = (struct rule_entry *)((char *)(rule_table + 1) + mask),
        .mask = mask,
    };

    /*
     * Keep this sum in a register: a loop then needs one addition less for each frame.
     */
    __asm__("" : "+r"(sets.first));
    return sets;
}

static inline struct rule_sets
rule_sets(void)
{
    return rule_sets_by(__atomic_load_n(&rule_mask, __ATOMIC_RELAXED));
}

/*
 * A set by pc bits 0 to 12 and 12 to 24. This is on the critical path from each frame
 * to the next, so it has no multiplication and no shift by the size of a set.
 */
static inline struct rule_entry *
rule_set(struct rule_sets sets, u64 key)
{
    u64 at = (key << 6 ^ key >> 6) & sets.mask;

    return (struct rule_entry *)((char *)sets.first + at);
}

/* The cached rule, or 0. */
static inline u64
rule_get_in(struct rule_sets sets, u64 key)
{
    const struct rule_entry *e = rule_set(sets, key);

    for (int i = 0; i < RULE_WAYS; i++) {
        u64 rule = __atomic_load_n(&e[i].rule, __ATOMIC_RELAXED);
        u64 check = __atomic_load_n(&e[i].check, __ATOMIC_RELAXED);

        if (ER_LIKELY((check ^ rule * RULE_MIX) == key))
            return rule;
    }
    return 0;
}

static inline u64
rule_get(u64 key)
{
    return rule_get_in(rule_sets(), key);
}

/*
 * Look for a rule that rule_get() missed in the sets that were in use before, and copy
 * it from there. 0 = there is none.
 */
u64 rule_find_old(u64 key);

/*
 * Put a rule into the cache, unless the objects have changed since `seen`, the value of
 * objtab_now() before the rule was computed. In a full set another rule is evicted.
 */
void rule_put(u64 key, u64 rule, u32 seen);

/* Use more sets, if there are any left: see node_spread(). */
void rule_spread(void);

/* Remove the rules that are gone: from the whole cache, or from one place of it. */
void rule_flush(const struct recent_gone *gone);
void rule_flush_place(u32 place, const struct recent_gone *gone);

/* Remove the rule with this key. Also runs in signal handlers. */
void rule_forget(u64 key);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads from memory that may not be mapped. Runs in signal handlers. One struct mem
 * belongs to one walk and lives on its stack, because what can be read may change
 * between walks.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_MEM_H
#define ERTOOLS_COLLECTOR_SIG_MEM_H

#include "collector/sig/sys.h"
#include "share/types.h"

enum {
    MEM_PAGES = 8, /* readable pages remembered */
    MEM_RANGES = 4, /* trusted ranges remembered */
    MEM_PAGE_SHIFT = 12,
};

struct mem {
    u64 lo; /* [lo, hi): known to be readable (the thread's stack) */
    u64 hi;
    u64 page[MEM_PAGES]; /* page numbers + 1 found to be readable */
    u32 probes;          /* number of probes made */
    u32 trusted;         /* > 0 while an object is read: see mem_probe_forbidden */
    u64 recent;          /* page number + 1 last found to be readable */
    struct {
        u64 lo;
        u64 hi;
    } range[MEM_RANGES]; /* mem_trust() */
    u32 ranges;          /* given to mem_trust() so far */
};

/*
 * Set where probes would kill the target (a seccomp filter): then only [lo, hi), the
 * ranges of mem_trust(), and tables and code of objects (`trusted`) are read.
 */
extern u32 mem_probe_forbidden;

void mem_init(struct mem *m, u64 lo, u64 hi);

/*
 * Do not probe in [lo, hi) for the rest of this walk, or until MEM_RANGES others are
 * trusted. Call for memory that is mapped and unmapped as a whole, and is mapped now,
 * such as the segment with an object's tables, one page of which has just been read.
 */
void mem_trust(struct mem *m, u64 lo, u64 hi);

/* 1 if all of [address, address + len) can be read; len at most a page. */
int mem_probe(struct mem *m, u64 address, u32 len);

static inline int
mem_ok(struct mem *m, u64 address, u32 len)
{
    if (ER_LIKELY(address >= m->lo && address < m->hi && len <= m->hi - address))
        return 1;
    return mem_probe(m, address, len);
}

/* Load 8 bytes into *value; 1, or 0 and *value unchanged. */
static inline int
mem_load(struct mem *m, u64 address, u64 *value)
{
    if (ER_UNLIKELY(!mem_ok(m, address, sizeof(*value))))
        return 0;
    __builtin_memcpy(value, (const void *)(uintptr_t)address, sizeof(*value));
    return 1;
}

/*
 * For pointers that the target has passed, in any context: 1 if the byte is readable,
 * or if probing is forbidden. known: the last page found readable, ~0 = none yet; pass
 * the same variable to a series of calls.
 */
static inline int
mem_byte_readable(u64 address, u64 *known)
{
    u64 page = address >> MEM_PAGE_SHIFT;

    if (page != *known && !mem_probe_forbidden &&
        !sys_readable(page << MEM_PAGE_SHIFT))
        return 0;
    *known = page;
    return 1;
}

/*
 * 1 if all of [address, address + len), with len > 0, can be read; also if probing is
 * forbidden.
 */
static inline int
mem_readable(u64 address, u64 len)
{
    const u64 page = 1u << MEM_PAGE_SHIFT;
    u64 known = ~0ull, last = address + len - 1;

    for (u64 at = address; at < last; at = (at & ~(page - 1)) + page)
        if (!mem_byte_readable(at, &known))
            return 0;
    return mem_byte_readable(last, &known);
}

/*
 * 1 if the string can be read up to its end, or up to max bytes; also if probing is
 * forbidden. known: as for mem_byte_readable().
 */
static inline int
mem_string_readable(const char *string, u64 max, u64 *known)
{
    u64 at = (u64)(uintptr_t)string;

    for (u64 i = 0; i < max; i++) {
        if ((!i || !((at + i) & 4095)) && !mem_byte_readable(at + i, known))
            return 0;
        if (!string[i])
            return 1;
    }
    return 1;
}

#endif

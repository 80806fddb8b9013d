/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/announced.h"

#include <errno.h>

enum {
    SECTIONS = 4096,
    RECORDS = 1 << 16, /* maximum number of records read of a section */
};

/*
 * A section that the program has announced. `number` is 0 while a writer changes the
 * other members.
 */
struct section {
    u64 lo; /* [lo, hi): the code that it describes, and gaps between */
    u64 hi;
    u64 number;
    u64 frames;
    u32 alone; /* 1 = it is a single FDE */
};

static ER_LARGE struct section sections[SECTIONS];
static u32 used; /* number of entries of sections[] that were ever used */
static u64 last_number;

/* 1 if the record at `at` is an FDE: the second word of a CIE is 0. */
static int
is_entry(struct mem *m, u64 at)
{
    u64 words;

    return mem_load(m, at, &words) && words >> 32;
}

static int
measure(struct section *s)
{
    struct cfi_entry entry;
    u64 at = s->frames;
    struct mem m;

    mem_init(&m, 0, 0);
    s->alone = is_entry(&m, at) != 0;
    s->lo = ~(u64)0;
    s->hi = 0;
    for (u32 i = 0; i < (s->alone ? 1 : RECORDS); i++) {
        int found = cfi_entry_next(&m, &at, &entry);

        if (found < 0)
            break;
        if (!found)
            continue;
        s->lo = entry.start < s->lo ? entry.start : s->lo;
        s->hi = entry.end > s->hi ? entry.end : s->hi;
    }
    return s->lo < s->hi ? 0 : -ENOENT;
}

int
announced_add(u64 frames)
{
    struct section new = { .frames = frames }, *s = sections;
    int err = measure(&new);

    if (err)
        return err;
    while (s < sections + used && s->number)
        s++;
    if (s == sections + SECTIONS)
        return -ENOSPC;
    s->lo = new.lo;
    s->hi = new.hi;
    s->frames = frames;
    s->alone = new.alone;
    __atomic_store_n(&s->number, ++last_number, __ATOMIC_RELEASE);
    if (s == sections + used)
        __atomic_store_n(&used, used + 1, __ATOMIC_RELEASE);
    return 0;
}

int
announced_remove(u64 frames)
{
    for (u32 i = 0; i < used; i++) {
        struct section *s = &sections[i];

        if (s->number && s->frames == frames) {
            __atomic_store_n(&s->number, 0, __ATOMIC_RELEASE);
            __atomic_thread_fence(__ATOMIC_RELEASE);
            return 0;
        }
    }
    return -ENOENT;
}

/*
 * Copy to *out the section that covers an address: if several do, the one announced
 * last. A section that changes while it is copied is not used. 1 = found.
 */
static int
find(u64 address, struct section *out)
{
    u32 n = __atomic_load_n(&used, __ATOMIC_ACQUIRE);

    out->number = 0;
    for (u32 i = 0; i < n; i++) {
        const struct section *s = &sections[i];
        u64 number;

        if (address < s->lo || address >= s->hi)
            continue;
        number = __atomic_load_n(&s->number, __ATOMIC_ACQUIRE);
        if (number <= out->number)
            continue;
        *out = *s;
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (__atomic_load_n(&s->number, __ATOMIC_RELAXED) != number)
            out->number = 0;
    }
    return out->number != 0;
}

u64
announced_number(u64 address)
{
    struct section s;

    return __atomic_load_n(&used, __ATOMIC_RELAXED) && find(address, &s) ? s.number : 0;
}

int
announced_find(struct mem *m, u64 address, struct cfi_entry *entry)
{
    struct section s;

    return find(address, &s)
               ? cfi_entry_search(m, s.frames, s.alone ? 1 : RECORDS, address, entry)
               : -ENOENT;
}

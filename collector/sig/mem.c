/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/mem.h"

#include "collector/sig/sys.h"

u32 mem_probe_forbidden;

void
mem_init(struct mem *m, u64 lo, u64 hi)
{
    m->lo = lo;
    m->hi = hi;
    for (int i = 0; i < MEM_PAGES; i++)
        m->page[i] = 0;
    m->probes = 0;
    m->trusted = 0;
    m->recent = 0;
    for (int i = 0; i < MEM_RANGES; i++)
        m->range[i].lo = m->range[i].hi = 0;
    m->ranges = 0;
}

static int
is_trusted(const struct mem *m, u64 lo, u64 hi)
{
    for (int i = 0; i < MEM_RANGES; i++)
        if (lo >= m->range[i].lo && hi <= m->range[i].hi)
            return 1;
    return 0;
}

void
mem_trust(struct mem *m, u64 lo, u64 hi)
{
    u32 i = m->ranges % MEM_RANGES;

    if (lo >= hi || is_trusted(m, lo, hi))
        return;
    m->range[i].lo = lo;
    m->range[i].hi = hi;
    m->ranges++;
}

static int
page_ok(struct mem *m, u64 number)
{
    u64 *slot = &m->page[number % MEM_PAGES];

    if (*slot == number + 1) {
        m->recent = number + 1;
        return 1;
    }
    if (mem_probe_forbidden)
        return m->trusted != 0;
    m->probes++;
    if (!sys_readable(number << MEM_PAGE_SHIFT))
        return 0;
    *slot = m->recent = number + 1;
    return 1;
}

int
mem_probe(struct mem *m, u64 address, u32 len)
{
    u64 first = address >> MEM_PAGE_SHIFT;
    u64 last = (address + len - 1) >> MEM_PAGE_SHIFT;

    if (first == last && first + 1 == m->recent)
        return 1;
    if (address + len < address || last - first > 1)
        return 0;
    if (is_trusted(m, address, address + len))
        return 1;
    return page_ok(m, first) && (first == last || page_ok(m, last));
}

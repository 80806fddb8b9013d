/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <string.h>
#include <sys/mman.h>

#include "collector/sig/mem.h"

/* Three pages: readable, not, readable. */
static char *
pages(void)
{
    char *p = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                   -1, 0);

    memset(p, 7, 3 * 4096);
    mprotect(p + 4096, 4096, PROT_NONE);
    return p;
}

Test(mem, loads_what_is_there)
{
    u64 base = (u64)(uintptr_t)pages(), value = 1;
    struct mem m;

    mem_init(&m, 0, 0);
    cr_assert(mem_load(&m, base, &value));
    cr_assert_eq(value, 0x0707070707070707u);
    cr_assert(mem_load(&m, base + 4096 - 8, &value));
    value = 1;
    cr_assert(!mem_load(&m, base + 4096, &value));
    cr_assert(!mem_load(&m, base + 4096 - 4, &value), "across the edge");
    cr_assert(!mem_load(&m, base + 8192 - 1, &value));
    cr_assert_eq(value, 1u, "a failed load leaves its output");
    cr_assert(mem_load(&m, base + 8192, &value));
}

Test(mem, addresses_that_cannot_be)
{
    u64 value;
    struct mem m;

    mem_init(&m, 0, 0);
    cr_assert(!mem_load(&m, 0, &value));
    cr_assert(!mem_load(&m, ~(u64)0, &value));
    cr_assert(!mem_load(&m, ~(u64)0 - 7, &value));
    cr_assert(!mem_load(&m, (u64)1 << 47, &value));
    cr_assert(!mem_load(&m, (u64)1 << 63, &value));
}

Test(mem, a_page_is_probed_once)
{
    u64 base = (u64)(uintptr_t)pages(), value;
    struct mem m;

    mem_init(&m, 0, 0);
    for (u64 i = 0; i < 4096; i += 8)
        cr_assert(mem_load(&m, base + i, &value));
    cr_assert_eq(m.probes, 1u);
}

Test(mem, known_bounds_need_no_probe)
{
    u64 base = (u64)(uintptr_t)pages(), value;
    struct mem m;

    mem_init(&m, base, base + 4096);
    cr_assert(mem_load(&m, base + 4096 - 8, &value));
    cr_assert_eq(m.probes, 0u);
}

Test(mem, nothing_else_is_read_where_probes_are_forbidden)
{
    u64 base = (u64)(uintptr_t)pages(), value;
    struct mem m;

    mem_probe_forbidden = 1;
    mem_init(&m, base, base + 4096);
    cr_assert(mem_load(&m, base, &value));
    cr_assert(!mem_load(&m, base + 8192, &value));
    cr_assert_eq(m.probes, 0u);
}

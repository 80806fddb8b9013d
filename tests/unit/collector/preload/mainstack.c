/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/mainstack.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>

#include "collector/preload/maps.h"

static void
take_stack(const struct maps_line *line, void *arg)
{
    u64 *stack = arg;

    if (!strcmp(line->name, "[stack]")) {
        stack[0] = line->lo;
        stack[1] = line->hi;
    }
}

Test(mainstack, the_top_is_what_the_kernel_says)
{
    u64 stack[2] = { 0, 0 };

    cr_assert_eq(maps_read(take_stack, stack), 0);
    cr_assert_neq(stack[1], 0);
    cr_assert_eq(mainstack_top((const char *)getauxval(AT_EXECFN)), stack[1]);
}

Test(mainstack, names_elsewhere_are_no_top)
{
    static char page[8192] __attribute__((aligned(4096)));

    cr_assert_eq(mainstack_top(NULL), 0);
    strcpy(page + 100, "/bin/true");
    cr_assert_eq(mainstack_top(page + 100), 0);
    strcpy(page + 4096 - 8 - 10, "/bin/true");
    cr_assert_eq(mainstack_top(page + 4096 - 8 - 10), (u64)(uintptr_t)page + 4096);
}

static void
check(u64 limit)
{
    struct rlimit set = { limit, RLIM_INFINITY };
    u64 here = (u64)(uintptr_t)&set, lo = 0, hi = 0, stack[2] = { 0, 0 };

    cr_assert_eq(setrlimit(RLIMIT_STACK, &set), 0);
    cr_assert_eq(maps_read(take_stack, stack), 0);
    mainstack_find(&lo, &hi);
    cr_assert_eq(hi, stack[1]);
    cr_assert_leq(lo, here);
    if (limit != RLIM_INFINITY)
        cr_assert_eq(lo, hi - limit);
    else
        cr_assert_geq(lo, stack[0]);
}

Test(mainstack, as_far_as_it_may_grow)
{
    check(8 << 20);
    check(64 << 20);
}

Test(mainstack, without_a_limit_as_far_as_it_is)
{
    check(RLIM_INFINITY);
}

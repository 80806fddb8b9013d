/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/counter.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

static struct counters counters;
static char error[COUNTER_ERROR];

static int
add(const char *spec)
{
    error[0] = '\0';
    return counter_add(&counters, spec, error);
}

static const struct ctl_counter *
how(u32 i)
{
    return &counters.counter[i].how;
}

Test(counter, names_and_intervals)
{
    cr_assert_eq(add("page-faults,hi,task-clock,500000,cs"), 0);
    cr_assert_eq(counters.count, 3);
    cr_assert_str_eq(counters.counter[0].name, "page-faults");
    cr_assert_eq(how(0)->type, PERF_TYPE_SOFTWARE);
    cr_assert_eq(how(0)->config, PERF_COUNT_SW_PAGE_FAULTS);
    cr_assert_eq(how(0)->interval, 11);
    cr_assert_eq(how(1)->interval, 500000);
    cr_assert_eq(how(2)->config, PERF_COUNT_SW_CONTEXT_SWITCHES);
    cr_assert(how(0)->flags & COUNTER_SAMPLED);
    cr_assert_eq(how(2)->flags, COUNTER_KERNEL);
}

Test(counter, the_interval_is_on_where_none_is_given)
{
    cr_assert_eq(add("cycles,cache-misses"), 0);
    cr_assert_eq(how(0)->interval, 9999991);
    cr_assert_eq(how(1)->interval, 100003);
}

Test(counter, every_name_of_the_table_is_known)
{
    static const char *const names[] = {
        "cycles", "instructions", "ref-cycles", "bus-cycles",
        "stalled-cycles-frontend", "stalled-cycles-backend", "branches",
        "branch-misses", "cache-references", "cache-misses", "cpu-clock", "task-clock",
        "page-faults", "minor-faults", "major-faults", "alignment-faults",
        "emulation-faults", "context-switches", "cpu-migrations", "cpu-cycles",
        "insts", "branch-instructions", "idle-cycles-frontend",
        "idle-cycles-backend", "faults", "cs", "migrations",
    };
    struct counter_event event;
    const char *doc;

    for (size_t i = 0; i < ER_COUNT(names); i++)
        cr_assert_eq(counter_find(names[i], &event), 0, "%s", names[i]);
    for (u32 i = 0; counter_row(i, &doc, &event); i++)
        cr_assert_str_eq(counter_row(i, &doc, &event), names[i]);
}

Test(counter, an_alias_is_recorded_under_the_name_that_ratios_know)
{
    cr_assert_eq(add("insts,cpu-cycles,cs"), 0);
    cr_assert_str_eq(counters.counter[0].name, "instructions");
    cr_assert_str_eq(counters.counter[1].name, "cycles");
    cr_assert_str_eq(counters.counter[2].name, "context-switches");
    cr_assert_eq(add("cycles"), -EINVAL);
    cr_assert(strstr(error, "twice"));
}

#if defined(__x86_64__) || defined(__aarch64__)
/* The kernel opens these, and never counts one. */
Test(counter, what_never_happens_is_left_out)
{
    cr_assert_eq(add("alignment-faults,emulation-faults"), 0);
    counter_try(&counters);
    cr_assert_eq(counters.count, 0);
    cr_assert_eq(counters.missing, 2);
    cr_assert(strstr(counters.left_out[0].why, "does not count it"));
}
#endif

Test(counter, addresses_are_asked_for_by_a_plus)
{
    cr_assert_eq(add("+page-faults,task-clock"), 0);
    cr_assert(how(0)->flags & COUNTER_ADDRESS);
    cr_assert(!(how(1)->flags & COUNTER_ADDRESS));
}

Test(counter, cache_events_and_raw_ones)
{
    cr_assert_eq(add("L1-dcache-load-misses,dTLB-stores,r01c2"), 0);
    cr_assert_eq(how(0)->type, PERF_TYPE_HW_CACHE);
    cr_assert_eq(how(0)->config, PERF_COUNT_HW_CACHE_L1D |
                                     PERF_COUNT_HW_CACHE_OP_READ << 8 |
                                     PERF_COUNT_HW_CACHE_RESULT_MISS << 16);
    cr_assert_eq(how(1)->config,
                 PERF_COUNT_HW_CACHE_DTLB | PERF_COUNT_HW_CACHE_OP_WRITE << 8);
    cr_assert_eq(how(2)->type, PERF_TYPE_RAW);
    cr_assert_eq(how(2)->config, 0x1c2);
}

Test(counter, a_word_alone_is_the_default_set)
{
    cr_assert_eq(add("lo"), 0);
    cr_assert_eq(counters.count, 3);
    cr_assert_str_eq(counters.counter[2].name, "page-faults");
    cr_assert_eq(how(2)->interval, 1009);
}

Test(counter, mistakes_change_nothing)
{
    static const char *const wrong[] = {
        "nonsense", "page-faults,,cs", "page-faults,0x", "page-faults,1,2",
        "../type/x/", "no:such", "cpu-clock,99999999999999999999",
    };

    cr_assert_eq(add("task-clock"), 0);
    for (size_t i = 0; i < ER_COUNT(wrong); i++) {
        cr_assert_eq(add(wrong[i]), -EINVAL, "%s", wrong[i]);
        cr_assert(strstr(error, "there is no counter"), "%s", error);
        cr_assert_eq(counters.count, 1);
    }
    cr_assert_eq(add("page-faults,task-clock"), -EINVAL);
    cr_assert(strstr(error, "twice"));
    cr_assert_eq(counters.count, 1);
}

Test(counter, there_are_eight_at_most)
{
    cr_assert_eq(add("r1,r2,r3,r4,r5,r6,r7,r8"), 0);
    cr_assert_eq(add("r9"), -EINVAL);
    cr_assert(strstr(error, "at most 8"));
}

Test(counter, what_cannot_be_counted_is_left_out)
{
    cr_assert_eq(add("page-faults,rffffffffffffffff"), 0);
    counters.counter[1].how.type = 0x7fffffff; /* no such kind of event */
    counter_try(&counters);
    cr_assert_eq(counters.missing, counters.count ? 1 : 2);
    cr_assert(strstr(counters.left_out[counters.missing - 1].name, "rfff"));
    cr_assert(*counters.left_out[counters.missing - 1].why);
}

/* Where the kernel counts at all: our own page faults from now on. */
Test(counter, totals_grow)
{
    u64 value, enabled, running, before;
    static char pages[64 * 4096];

    cr_assert_eq(add("page-faults"), 0);
    counter_try(&counters);
    if (!counters.count)
        cr_skip_test("perf events are not permitted here");
    counter_start_totals(&counters, getpid(), COUNTER_FROM_NOW);
    cr_assert_eq(counter_read(&counters.counter[0], &before, &enabled, &running), 0);
    for (size_t i = 0; i < sizeof(pages); i += 4096)
        ((volatile char *)pages)[i] = 1;
    cr_assert_eq(counter_read(&counters.counter[0], &value, &enabled, &running), 0);
    cr_assert_geq(value - before, 32);
    counter_end_totals(&counters);
    cr_assert_eq(counter_read(&counters.counter[0], &value, &enabled, &running),
                 -ENOENT);
}

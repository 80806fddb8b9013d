/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/counter/counter.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct counter_set counters;
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

Test(counter, how_precise_is_said_behind_the_name)
{
    cr_assert_eq(add("cpu-cycles:pp,instructions:u,r01c2:up,L1-dcache-loads:ppp"), 0);
    cr_assert_str_eq(counters.counter[0].name, "cycles:pp");
    cr_assert_eq(how(0)->precise, 2);
    cr_assert_eq(how(0)->config, PERF_COUNT_HW_CPU_CYCLES);
    cr_assert_eq(how(1)->precise, 0);
    cr_assert_eq(how(2)->precise, 1);
    cr_assert_eq(how(2)->config, 0x1c2);
    cr_assert_eq(how(3)->precise, 3);
    cr_assert_eq(add("cycles:pppp"), -EINVAL);
    cr_assert_eq(add("branches:"), -EINVAL);
    cr_assert_eq(add("branches:k"), -EINVAL);
    cr_assert_eq(add("context-switches:u"), -EINVAL, "that would count nothing");
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st;
    (void)type;
    (void)at;
    return remove(path);
}

/* A tree as the kernel has it in /sys/bus/event_source/devices. */
static void
put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    cr_assert_not_null(f, "%s", path);
    fputs(text, f);
    fclose(f);
}

static void
make_tree(void)
{
    static char top[] = "/tmp/pmu-XXXXXX";

    cr_assert_not_null(mkdtemp(top));
    cr_assert_eq(chdir(top), 0);
    cr_assert_eq(mkdir("cpu", 0700) | mkdir("cpu/events", 0700) |
                 mkdir("cpu/format", 0700) | mkdir("uncore", 0700) |
                 mkdir("uncore/events", 0700), 0);
    put("cpu/type", "4\n");
    put("cpu/events/cpu-cycles", "event=0x3c\n");
    put("cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n");
    put("cpu/events/slots.scale", "1.5\n");
    put("cpu/events/slots.unit", "GiB\n");
    put("cpu/format/event", "config:0-7,32-35\n");
    put("cpu/format/umask", "config:8-15\n");
    put("cpu/format/cmask", "config:24-31\n");
    put("cpu/format/inv", "config:23\n");
    put("cpu/format/ldlat", "config1:0-15\n");
    put("cpu/format/wrong", "config9:0-3\n");
    put("uncore/type", "17\n");
    put("uncore/events/clockticks", "config=0xff,config2=0x7\n");
    counter_devices = top;
}

static void
remove_tree(void)
{
    cr_assert_eq(chdir("/"), 0);
    cr_assert_eq(!strncmp(counter_devices, "/tmp/pmu-", 9), 1);
    (void)nftw(counter_devices, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void
list(void *all, const char *name)
{
    strcat(all, name);
    strcat(all, " ");
}

Test(counter, events_and_terms_of_a_pmu, .init = make_tree, .fini = remove_tree)
{
    char all[1000] = "";

    counter_each_pmu(list, all);
    cr_assert_str_eq(all, "cpu/cpu-cycles/ cpu/mem-loads/ uncore/clockticks/ ");
    cr_assert_eq(add("cpu/cpu-cycles/,hi,+cpu/mem-loads/,1009,mem-loads:pp"), 0);
    cr_assert_eq(how(0)->type, 4);
    cr_assert_eq(how(0)->config, 0x3c);
    cr_assert_eq(how(0)->interval, 999983);
    cr_assert_eq(how(1)->config, 0x1cd);
    cr_assert_eq(how(1)->config1, 3);
    cr_assert_eq(how(1)->interval, 1009);
    cr_assert(how(1)->flags & COUNTER_ADDRESS);
    cr_assert_eq(how(2)->config, 0x1cd, "by its bare name");
    cr_assert_eq(how(2)->precise, 2);
    cr_assert_eq(add("cpu/event=0x10e,umask=3,cmask=0x10,inv/,lo,uncore/clockticks/"),
                 0, "%s", error);
    cr_assert_eq(how(3)->config, 0x11080030eull);
    cr_assert_eq(how(3)->interval, 99999989);
    cr_assert_eq(how(4)->type, 17);
    cr_assert_eq(how(4)->config, 0xff);
    cr_assert_eq(how(4)->config2, 7);
}

Test(counter, wrong_terms_of_a_pmu, .init = make_tree, .fini = remove_tree)
{
    static const char *const wrong[] = {
        "cpu/nothing/", "cpu/event=/", "cpu/event=x/", "cpu/umask=0x100/",
        "cpu/wrong=1/", "gpu/cpu-cycles/", "cpu/event=1", "/event=1/",
        "cpu/../type/", "cpu/format=1/",
    };

    for (size_t i = 0; i < ER_COUNT(wrong); i++) {
        cr_assert_eq(add(wrong[i]), -EINVAL, "%s", wrong[i]);
        cr_assert(strstr(error, "there is no counter"), "%s", error);
    }
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

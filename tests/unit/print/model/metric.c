/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/metric.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

#include "print/model/pass/plan.h"

Test(metric, rows_are_complete)
{
    for (int m = 0; m < METRIC_COUNT; m++) {
        bool has_source = false;

        if (metric_is_counter((enum metric)m))
            continue; /* named by experiments */
        cr_assert(metrics[m].name[0] && metrics[m].title[0] && metrics[m].doc[0]);
        cr_assert_eq(strspn(metrics[m].flavours, "eia"), strlen(metrics[m].flavours));
        for (u32 i = 0; i < metric_source_count; i++)
            has_source |= metric_sources[i].metric == (enum metric)m;
        /* What model/heap.h counts does not stand in records. */
        cr_assert_eq(has_source, strncmp(metrics[m].name, "heap", 4) != 0, "%s",
                     metrics[m].name);
    }
}

/* Every source names a record and fields that share/records.def has. */
Test(metric, sources_exist)
{
    struct schema s = { 0 };

    schema_builtin(&s);
    for (u32 i = 0; i < metric_source_count; i++) {
        const struct metric_source *source = &metric_sources[i];
        const struct schema_record *record = NULL;
        const char *unless = source->unless + (*source->unless == '!');

        for (u32 f = 0; f < s.nfiles && !record; f++)
            record = schema_find_record(&s.file[f], source->record);
        cr_assert_not_null(record, "%s", source->record);
        cr_assert(!*source->value || schema_find_number(record, source->value) >= 0);
        cr_assert(!*unless || schema_find_number(record, unless) >= 0);
        cr_assert(!*source->select || schema_find_number(record, source->select) >= 0);
    }
    schema_free(&s);
}

Test(plan, adds_what_is_selected)
{
    struct schema s = { 0 };
    const struct schema_record *clock;
    const struct counters none = { .count = 0 };
    struct values v = { { 0 } };
    struct plan plan;
    u64 row[5] = { 0 };

    schema_builtin(&s);
    clock = schema_find_record(schema_find_file(&s, "profile"), "clock");
    plan_make(&plan, clock, &none);
    cr_assert_eq(plan.nterms, 4); /* total CPU, user, system, total */
    row[schema_find_field(clock, "weight")] = 7;
    plan_add(&plan, row, &v);
    row[schema_find_field(clock, "mstate")] = 1;
    plan_add(&plan, row, &v);
    plan_add(&plan, row, &v);
    cr_assert_eq(v.v[METRIC_totalcpu], 21);
    cr_assert_eq(v.v[METRIC_user], 7);
    cr_assert_eq(v.v[METRIC_system], 14);
    plan_make(&plan, schema_find_record(schema_find_file(&s, "overview"), "sample"),
              &none);
    cr_assert_eq(plan.nterms, 0);
    schema_free(&s);
}

Test(plan, counts_and_leaves_out)
{
    struct schema s = { 0 };
    const struct schema_record *io;
    struct values v = { { 0 } };
    struct plan plan;
    u64 row[8] = { 0 };

    schema_builtin(&s);
    io = schema_find_record(schema_find_file(&s, "iotrace"), "io");
    plan_make(&plan, io, &(struct counters){ .count = 0 });
    row[schema_find_field(io, "kind")] = IO_READ;
    row[schema_find_field(io, "bytes")] = 100;
    row[schema_find_field(io, "took")] = 7;
    plan_add(&plan, row, &v);
    row[schema_find_field(io, "error")] = 4;
    plan_add(&plan, row, &v);
    cr_assert_eq(v.v[METRIC_ioreadcnt], 1);
    cr_assert_eq(v.v[METRIC_ioreadbytes], 100);
    cr_assert_eq(v.v[METRIC_ioreadtime], 7);
    cr_assert_eq(v.v[METRIC_ioerrorcnt], 1);
    cr_assert_eq(v.v[METRIC_ioerrortime], 7);
    cr_assert_eq(v.v[METRIC_iowritecnt], 0);
    schema_free(&s);
}

/* The first counter of an experiment is not always the first of all. */
Test(plan, counts_by_name)
{
    struct counters counters = { .count = 2 };
    struct schema s = { 0 };
    const struct schema_record *count;
    struct values v = { { 0 } };
    struct plan plan;
    u64 row[5] = { 0 };

    schema_builtin(&s);
    counters.row[0].metric = metric_counter("page-faults", "");
    counters.row[1].metric = -1;
    cr_assert_eq(counters.row[0].metric, METRIC_hwc0);
    counters.row[0].metric = metric_counter("task-clock", "");
    cr_assert_eq(counters.row[0].metric, METRIC_hwc1);
    cr_assert_eq(metric_counter("page-faults", ""), METRIC_hwc0);
    cr_assert_str_eq(metrics[METRIC_hwc0].title, "Page Faults");
    cr_assert_eq(metrics[METRIC_hwc1].unit, METRIC_NS);
    count = schema_find_record(schema_find_file(&s, "hwcounters"), "count");
    plan_make(&plan, count, &counters);
    cr_assert_eq(plan.nterms, 1);
    row[schema_find_field(count, "value")] = 100;
    plan_add(&plan, row, &v);
    row[schema_find_field(count, "counter")] = 1;
    plan_add(&plan, row, &v);
    cr_assert_eq(v.v[METRIC_hwc1], 100);
    cr_assert_eq(v.v[METRIC_hwc0], 0);
    schema_free(&s);
}

Test(metric, there_are_eight_counters)
{
    char name[2] = "a";

    for (; name[0] < 'i'; name[0]++)
        cr_assert_geq(metric_counter(name, ""), 0);
    cr_assert_eq(metric_counter("i", ""), -ENOSPC);
    cr_assert_eq(metric_counter("a", ""), METRIC_hwc0);
}

Test(metric, probes_have_plain_titles)
{
    int mangled = metric_counter("tmpl:_Z11sort_Thingsi", "");
    int plain = metric_counter("a.out:my_function", "");
    int modified = metric_counter("branch-misses:upp", "");

    cr_assert_str_eq(metrics[mangled].title, "tmpl:sort_Things(int)");
    cr_assert_str_eq(metrics[mangled].name, "tmpl:_Z11sort_Thingsi");
    cr_assert_str_eq(metrics[plain].title, "a.out:my_function");
    cr_assert_str_eq(metrics[modified].title, "Branch Misses:upp");
}

Test(metric, sums_wrap_and_do_not_trap)
{
    struct values a = { { INT64_MAX } }, b = { { 1 } };

    values_add(&a, &b);
    cr_assert_eq(a.v[0], INT64_MIN);
    cr_assert(values_any(&a));
}

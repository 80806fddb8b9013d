/* SPDX-License-Identifier: Apache-2.0 */
#include "import/kinds.h"

#include <string.h>
#include <strings.h>

static bool
is_ns(const struct import_kind *kind)
{
    return !strcmp(kind->unit, "nanoseconds");
}

static bool
has(const struct import_kind *kind, u32 count, const char *name)
{
    for (u32 i = 0; i < count; i++)
        if (is_ns(&kind[i]) && !strcmp(kind[i].name, name))
            return true;
    return false;
}

void
kinds_settle(struct import *im, struct import_kind *kind, u32 count)
{
    bool parts = has(kind, count, "user") && has(kind, count, "system");

    for (u32 i = 0; i < count; i++) {
        struct import_kind *k = &kind[i];
        bool whole = is_ns(k) && !strcmp(k->name, "totalcpu");

        k->counter = IMPORT_COUNTERS;
        k->scale = 1;
        k->clock = 0;
        /* Leave out a value that is the sum of other values in the file. */
        if (parts && (whole || (is_ns(k) && !strcmp(k->name, "total") &&
                                !has(kind, count, "wait"))))
            continue;
        if (whole || (is_ns(k) && !strcmp(k->name, "cpu")) ||
            (parts && is_ns(k) && !strcmp(k->name, "user")))
            k->clock = 'u';
        else if (parts && is_ns(k) && !strcmp(k->name, "system"))
            k->clock = 's';
        im->has_clock |= k->clock != 0;
        if (k->clock)
            continue;
        k->counter = import_counter_unit(im, k->name, k->unit, &k->scale);
        if (k->counter == IMPORT_COUNTERS)
            import_add_note(im, "values of %s are left out: there are too many kinds",
                            k->name);
    }
}

void
kinds_add(struct import *im, const struct import_kind *kind, struct import_hit *hit,
          u64 value)
{
    if (!value || im->failed)
        return;
    hit->value = value * kind->scale;
    hit->kernel = kind->clock == 's';
    if (kind->clock)
        import_clock(im, hit);
    else if (kind->counter < IMPORT_COUNTERS)
        import_count(im, kind->counter, hit);
}

const char *
kinds_by_title(const char *title)
{
    static const char *const names[][2] = {
#define METRIC(metric, title, unit, flavours, doc) { title, #metric },
#define METRIC_SOURCE(metric, record, value, select, equals, unless)
#include "print/metrics.def"
#undef METRIC
#undef METRIC_SOURCE
    };

    for (u32 i = 0; i < ER_COUNT(names); i++)
        if (*title && !strcmp(names[i][0], title))
            return names[i][1];
    return title;
}

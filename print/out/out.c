/* SPDX-License-Identifier: Apache-2.0 */
#include "print/out/out.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "print/export/value.h"
#include "print/load/wall.h"
#include "print/model/pass/tally.h"

const struct out_format out_formats[] = {
#define OUT_FORMAT(name, word, suffix, flags, doc) \
    { word, suffix, doc, out_##name, flags },
#include "print/out/formats.def"
#undef OUT_FORMAT
};

const u32 out_nformats = ER_COUNT(out_formats);

const struct out_format *
out_find(const char *name)
{
    for (u32 i = 0; i < out_nformats; i++)
        if (!strcmp(out_formats[i].name, name))
            return &out_formats[i];
    return NULL;
}

void
out_warn(struct out *out, const char *format, ...)
{
    char *text;
    va_list ap;
    int n;

    va_start(ap, format);
    n = vasprintf(&text, format, ap);
    va_end(ap);
    if (n < 0)
        return;
    out->warning(out->context, text);
    free(text);
}

void
out_warn_negative(struct out *out, enum metric metric, int64_t sum)
{
    static const char *const units[] = { [METRIC_NS] = " ns", [METRIC_BYTES] = " bytes",
                                         [METRIC_COUNTS] = "" };

    if (sum)
        out_warn(out, "%s of %" PRId64 "%s is left out, as this format has no negative "
                 "values: the total is that much higher than er_print's",
                 metrics[metric].title, sum, units[metrics[metric].unit]);
}

/*
 * Does another metric have the same values? The total time has those of the CPU time if
 * no experiment has wall time.
 */
static bool
is_double(const struct out *out, enum metric metric)
{
    if (metric != METRIC_total)
        return false;
    for (u32 i = 0; i < out->session->nexperiments; i++)
        if (wall_is_there(out->session->experiment[i]))
            return false;
    return true;
}

u32
out_metrics(const struct out *out, enum metric *metric)
{
    const struct grid *grid = &out->session->tally->node;
    u32 count = 0;

    metric[count++] = out->metric;
    for (u32 i = 0; i < grid->width; i++) {
        enum metric m = (enum metric)grid->metric[i];
        bool any = false;

        for (u32 row = 0; row < grid->rows && !any; row++)
            any = grid_row(grid, row)[i] != 0;
        if (any && m != out->metric && !is_double(out, m))
            metric[count++] = m;
    }
    return count;
}

const char *
out_program(const struct out *out)
{
    const struct session *s = out->session;
    const char *text = NULL;

    if (s->nexperiments)
        text = log_fact(&s->experiment[0]->log, "process", "exe");
    return text ? text : "";
}

const char *
out_unit(enum metric metric)
{
    switch (metrics[metric].unit) {
    case METRIC_NS:
        return "nanoseconds";
    case METRIC_BYTES:
        return "bytes";
    default:
        return "count";
    }
}

void
out_string(const char *text, FILE *f)
{
    putc('"', f);
    value_write_json(text, strlen(text), f);
    putc('"', f);
}

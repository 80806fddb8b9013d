/* SPDX-License-Identifier: Apache-2.0 */
#include "import/lnt/lnt.h"

#include <errno.h>
#include <math.h>
#include <string.h>

bool
lnt_begin(struct lnt *l, struct import *im)
{
    *l = (struct lnt){ .im = im };
    l->hit.process = import_process(im, 0, 0, 1);
    l->hit.thread = l->hit.process ? import_thread(im, l->hit.process, 0, 1) : 0;
    if (!l->hit.thread)
        return false;
    im->process[l->hit.process - 1].name = im->file;
    im->tool = "LNT";
    return true;
}

/* The unit of er_print's metric with that name. */
static const char *
unit_of(const char *name)
{
    static const struct {
        const char *name;
        const char *unit;
    } known[] = {
#define NS "nanoseconds"
#define BYTE "bytes"
#define COUNT ""
#define METRIC(metric, title, unit, flavours, doc) { #metric, unit },
#define METRIC_SOURCE(metric, record, value, select, equals, unless)
#include "print/metrics.def"
#undef METRIC
#undef METRIC_SOURCE
#undef NS
#undef BYTE
#undef COUNT
    };

    for (u32 i = 0; i < ER_COUNT(known); i++)
        if (!strcmp(known[i].name, name))
            return known[i].unit;
    return "";
}

u32
lnt_counter(struct lnt *l, const char *name, size_t len, u64 total)
{
    struct import_kind *k = &l->kind[l->nkinds];

    if (l->nkinds == LNT_COUNTERS) {
        import_fail(l->im, "it has more than %d counters", LNT_COUNTERS);
        return LNT_COUNTERS;
    }
    k->name = import_text(l->im, name, len);
    k->unit = unit_of(k->name);
    l->total[l->nkinds] = total;
    return l->nkinds++;
}

void
lnt_settle(struct lnt *l)
{
    kinds_settle(l->im, l->kind, l->nkinds);
}

/* A percentage of `whole` as a number, rounded; at most `left`. */
static u64
part_of(u64 whole, u64 left, double percent)
{
    double value = round(percent * (double)whole / 100);

    if (!(value > 0))
        return 0;
    return value < (double)left ? (u64)value : left;
}

void
lnt_function(struct lnt *l, const char *name, size_t len)
{
    struct names_func func = { .name = names_text(l->im, name, len) };

    l->func = func.name ? names_func(l->im, &func) : 0;
    l->ninsns = 0;
    memset(l->own, 0, sizeof(l->own));
    memset(l->whole, 0, sizeof(l->whole));
    l->hit.time++;
}

void
lnt_share(struct lnt *l, u32 counter, double percent)
{
    u64 value;

    if (counter >= l->nkinds)
        return;
    value = part_of(l->total[counter], l->total[counter] - l->given[counter], percent);
    l->given[counter] += value;
    l->own[counter] += value;
    l->whole[counter] += value;
}

static void
spend(struct lnt *l, u32 place, u32 counter, u64 value)
{
    if (!value)
        return;
    l->hit.node = names_node(l->im, l->hit.process, 0, place);
    l->own[counter] -= value;
    kinds_add(l->im, &l->kind[counter], &l->hit, value);
}

void
lnt_insn(struct lnt *l, const char *text, size_t len)
{
    /* An instruction has no line: use its number in the function instead. */
    struct names_place place = { .func = l->func, .line = ++l->ninsns };

    while (len && (*text == ' ' || *text == '\t'))
        text++, len--;
    l->place = names_place(l->im, &place);
    names_place_text(l->im, l->place, names_text(l->im, text, len));
}

void
lnt_insn_share(struct lnt *l, u32 counter, double percent)
{
    if (counter < l->nkinds)
        spend(l, l->place, counter,
              part_of(l->whole[counter], l->own[counter], percent));
}

void
lnt_function_end(struct lnt *l)
{
    struct names_place place = { .func = l->func };
    u32 at = names_place(l->im, &place);

    for (u32 i = 0; i < l->nkinds && !l->im->failed; i++)
        spend(l, at, i, l->own[i]);
}

int
lnt_end(struct lnt *l)
{
    static const char name[] = "<unattributed>";

    lnt_function(l, name, strlen(name));
    for (u32 i = 0; i < l->nkinds; i++)
        l->own[i] = l->total[i] - l->given[i];
    lnt_function_end(l);
    return l->im->failed ? -ENOMEM : names_settle(l->im);
}

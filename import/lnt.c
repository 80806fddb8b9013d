/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Profiles of LNT, version 2: sections of numbers (unsigned LEB128) and of strings that
 * end with a newline. The program's counters are sums, a function's are percentages of
 * these. What instructions have is a percentage of their function's, and is left out.
 * Version 1 is a pickle of Python, which is compressed; it is not read.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "import/kinds.h"
#include "import/names.h"

enum {
    VERSION = 2,
    COUNTERS_MOST = 32,
};

enum section {
    HEADER,
    COUNTER_NAMES,
    TOP_LEVEL,
    LINE_COUNTERS,
    LINE_ADDRESSES,
    LINE_TEXT,
    TEXT_POOL,
    FUNCTIONS,
    SECTIONS,
};

struct lnt {
    struct import *im;
    struct cursor section[SECTIONS];
    struct import_kind kind[COUNTERS_MOST];
    u32 nkinds;
    u64 total[COUNTERS_MOST];
    u64 given[COUNTERS_MOST]; /* to functions */
    struct import_hit hit;
};

/* Up to the newline; false: there is none. */
static bool
read_text(struct cursor *c, const char **text, size_t *len)
{
    const unsigned char *end = memchr(c->at, '\n', cursor_left(c));

    if (!end) {
        c->bad = true;
        c->at = c->end;
        return false;
    }
    *text = (const char *)c->at;
    *len = (size_t)(end - c->at);
    c->at = end + 1;
    return true;
}

/* Where the sections are. False: the file has another format. */
static bool
find_sections(struct lnt *l, struct bytes file)
{
    struct cursor c = cursor_at(file, 0, false);
    u64 at[SECTIONS], size[SECTIONS], start;
    const char *text;
    size_t len;

    if (cursor_uleb(&c) != VERSION)
        return false;
    for (u32 i = 0; i < SECTIONS; i++) {
        at[i] = cursor_uleb(&c);
        size[i] = cursor_uleb(&c);
        if (i == TEXT_POOL && !read_text(&c, &text, &len))
            return false;
    }
    start = (u64)(c.at - file.at);
    for (u32 i = 0; i < SECTIONS; i++) {
        if (c.bad || at[i] > file.size - start || size[i] > file.size - start - at[i])
            return false;
        l->section[i] = cursor_at((struct bytes){ file.at + start + at[i], size[i] },
                                  0, false);
    }
    /* What the disassembly is, which nobody else begins with. */
    return read_text(&l->section[HEADER], &text, &len) && len < 64 &&
           !cursor_left(&l->section[HEADER]);
}

/* The unit of the metric of er_print's that is called so. */
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

static int
read_counters(struct lnt *l)
{
    struct cursor *names = &l->section[COUNTER_NAMES], *top = &l->section[TOP_LEVEL];
    u64 count = cursor_uleb(names), sums = cursor_uleb(top);

    if (count > COUNTERS_MOST)
        return import_fail(l->im, "it has more than %d counters", COUNTERS_MOST);
    while (l->nkinds < count) {
        struct import_kind *k = &l->kind[l->nkinds++];
        const char *text;
        size_t len;

        if (!read_text(names, &text, &len))
            return import_fail(l->im, "its list of counters ends too soon");
        k->name = import_text(l->im, text, len);
        k->unit = unit_of(k->name);
    }
    while (sums-- > 0 && !top->bad) {
        u64 counter = cursor_uleb(top), value = cursor_uleb(top);

        if (counter < count)
            l->total[counter] = value;
    }
    if (top->bad)
        return import_fail(l->im, "its sums end too soon");
    kinds_settle(l->im, l->kind, l->nkinds);
    return l->im->failed ? -ENOMEM : 0;
}

/* A percentage of a sum, in whole numbers; never more than is left of it. */
static u64
share_of(const struct lnt *l, u64 counter, u64 bits)
{
    u32 low = (u32)bits;
    u64 left = l->total[counter] - l->given[counter];
    double value;
    float share;

    memcpy(&share, &low, sizeof(share));
    value = round((double)share * (double)l->total[counter] / 100);
    if (!(value > 0))
        return 0;
    return value < (double)left ? (u64)value : left;
}

static void
at_function(struct lnt *l, const char *name, size_t len)
{
    struct names_func func = { .name = names_text(l->im, name, len) };
    struct names_place place = { .func = func.name ? names_func(l->im, &func) : 0 };

    l->hit.node = names_node(l->im, l->hit.process, 0, names_place(l->im, &place));
    l->hit.time++;
}

static int
read_function(struct lnt *l)
{
    struct cursor *c = &l->section[FUNCTIONS];
    const char *name;
    size_t len;
    u64 count;

    if (!read_text(c, &name, &len))
        return import_fail(l->im, "its list of functions ends too soon");
    at_function(l, name, len);
    /* Its instructions, and where they are in other sections. */
    for (u32 i = 0; i < 4; i++)
        cursor_uleb(c);
    count = cursor_uleb(c);
    while (count-- > 0 && !c->bad && !l->im->failed) {
        u64 counter = cursor_uleb(c), bits = cursor_uleb(c), value;

        if (counter >= l->nkinds || c->bad)
            continue;
        value = share_of(l, counter, bits);
        l->given[counter] += value;
        kinds_add(l->im, &l->kind[counter], &l->hit, value);
    }
    if (c->bad)
        return import_fail(l->im, "its list of functions ends too soon");
    return l->im->failed ? -ENOMEM : 0;
}

/* What no function has: LNT leaves small ones out. */
static void
add_rest(struct lnt *l)
{
    static const char name[] = "<unattributed>";

    at_function(l, name, strlen(name));
    for (u32 i = 0; i < l->nkinds && !l->im->failed; i++)
        kinds_add(l->im, &l->kind[i], &l->hit, l->total[i] - l->given[i]);
}

int
import_lnt(struct import *im, struct bytes file)
{
    struct lnt l = { .im = im };
    u64 count;
    int ret;

    if (file.size < 2 || file.at[0] != VERSION || !find_sections(&l, file))
        return -ENOEXEC;
    ret = read_counters(&l);
    if (ret < 0)
        return ret;
    l.hit.process = import_process(im, 0, 0, 1);
    l.hit.thread = l.hit.process ? import_thread(im, l.hit.process, 0, 1) : 0;
    if (!l.hit.thread)
        return -ENOMEM;
    im->process[l.hit.process - 1].name = im->file;
    im->tool = "LNT";
    count = cursor_uleb(&l.section[FUNCTIONS]);
    while (count-- > 0 && ret == 0)
        ret = read_function(&l);
    if (ret == 0)
        add_rest(&l);
    return ret == 0 ? names_settle(im) : ret;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads profiles of LNT, version 2: sections of numbers (unsigned LEB128) and of
 * strings that end with a newline. The program's counters are sums, a function's
 * counters are percentages of these, and an instruction's are percentages of its
 * function's. The sections on instructions are compressed by bzip2. Version 1 is read
 * by lnt_pickle().
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "import/lnt/lnt.h"
#include "import/unpack.h"

enum {
    VERSION = 2,
    PICKLED = 0x78, /* first byte of a zlib stream: version 1 */
};

enum section {
    HEADER,
    COUNTER_NAMES,
    TOP_LEVEL,
    LINE_COUNTERS, /* the first section that is compressed */
    LINE_ADDRESSES,
    LINE_TEXT,
    TEXT_POOL, /* the last one */
    FUNCTIONS,
    SECTIONS,
};

struct reader {
    struct lnt l;
    struct bytes section[SECTIONS];
    struct unpacked unpacked[SECTIONS];
    struct cursor names, sums, functions;
    u32 rank[LNT_COUNTERS]; /* by counter: its position in the order of names */
    bool has_insns;
    u64 insns_left; /* limits the time, as functions may share instructions */
};

/* Reads text up to a newline; false: there is none. */
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

/* Finds the sections. False: the file has another format. */
static bool
find_sections(struct reader *r, struct bytes file)
{
    struct cursor c = cursor_at(file, 0, false);
    u64 at[SECTIONS], size[SECTIONS], start;
    const char *text;
    size_t len = 0;

    if (cursor_uleb(&c) != VERSION)
        return false;
    for (u32 i = 0; i < SECTIONS; i++) {
        at[i] = cursor_uleb(&c);
        size[i] = cursor_uleb(&c);
        if (i == TEXT_POOL && !read_text(&c, &text, &len))
            return false;
    }
    /* A name here means that the texts are in another file, which is not read. */
    r->has_insns = !len;
    start = (u64)(c.at - file.at);
    for (u32 i = 0; i < SECTIONS; i++) {
        if (c.bad || at[i] > file.size - start || size[i] > file.size - start - at[i])
            return false;
        r->section[i] = (struct bytes){ file.at + start + at[i], size[i] };
    }
    c = cursor_at(r->section[HEADER], 0, false);
    /* The header is one line, which names the kind of disassembly. */
    return read_text(&c, &text, &len) && len < 64 && !cursor_left(&c);
}

/*
 * Decompresses the instructions' sections. If that fails, as without the library,
 * instructions are left out, with a note. 0 or -ENOMEM.
 */
static int
unpack_sections(struct reader *r)
{
    struct import *im = r->l.im;
    int ret = 0;

    for (u32 i = LINE_COUNTERS; i <= TEXT_POOL && r->has_insns && ret == 0; i++) {
        ret = unpack_bzip2(im, r->section[i], &r->unpacked[i]);
        if (ret == 0)
            r->section[i] = r->unpacked[i].bytes;
    }
    if (ret == -EBADMSG) {
        import_add_note(im, "instructions are left out, as %s", im->why);
        im->why[0] = '\0';
        r->has_insns = false;
        ret = 0;
    }
    r->insns_left = r->section[LINE_TEXT].size;
    return ret;
}

static int
read_counters(struct reader *r)
{
    u64 count = cursor_uleb(&r->names), sums = cursor_uleb(&r->sums);
    struct lnt *l = &r->l;

    while (count-- > 0) {
        const char *text;
        size_t len;

        if (!read_text(&r->names, &text, &len))
            return import_fail(l->im, "its list of counters ends too soon");
        if (lnt_counter(l, text, len, 0) == LNT_COUNTERS)
            return -EBADMSG;
    }
    while (sums-- > 0 && !r->sums.bad) {
        u64 counter = cursor_uleb(&r->sums), value = cursor_uleb(&r->sums);

        if (counter < l->nkinds)
            l->total[counter] = value;
    }
    if (r->sums.bad)
        return import_fail(l->im, "its sums end too soon");
    for (u32 i = 0; i < l->nkinds; i++)
        for (u32 k = 0; k < l->nkinds; k++)
            r->rank[i] += strcmp(l->kind[k].name, l->kind[i].name) < 0;
    lnt_settle(l);
    return l->im->failed ? -ENOMEM : 0;
}

/* Reads a percentage: the bits of a float, written as an unsigned integer. */
static double
read_share(struct cursor *c)
{
    u32 bits = (u32)cursor_uleb(c);
    float share;

    memcpy(&share, &bits, sizeof(share));
    return (double)share;
}

/* Where other sections describe the code of a function. */
struct code {
    u64 count; /* instructions */
    u64 counters, texts; /* offsets in their sections */
    u32 counter[LNT_COUNTERS]; /* counters of the function, sorted by name */
    u32 ncounters;
};

static void
read_insns(struct reader *r, const struct code *code)
{
    struct cursor shares = cursor_at(r->section[LINE_COUNTERS], code->counters, false);
    struct cursor texts = cursor_at(r->section[LINE_TEXT], code->texts, false);

    for (u64 i = 0; i < code->count && r->insns_left && !r->l.im->failed; i++) {
        struct cursor pool = cursor_at(r->section[TEXT_POOL], cursor_uleb(&texts),
                                       false);
        const char *text = "";
        size_t len = 0;

        r->insns_left--;
        if (texts.bad || pool.bad || !read_text(&pool, &text, &len))
            return;
        lnt_insn(&r->l, text, len);
        for (u32 k = 0; k < code->ncounters; k++)
            lnt_insn_share(&r->l, code->counter[k], read_share(&shares));
    }
}

static void
add_counter(struct reader *r, struct code *code, u32 counter)
{
    u32 at;

    if (code->ncounters == LNT_COUNTERS)
        return;
    for (at = code->ncounters++;
         at && r->rank[code->counter[at - 1]] > r->rank[counter]; at--)
        code->counter[at] = code->counter[at - 1];
    code->counter[at] = counter;
}

static int
read_function(struct reader *r)
{
    struct cursor *c = &r->functions;
    struct lnt *l = &r->l;
    struct code code = { .count = 0 };
    const char *name;
    size_t len;
    u64 count;

    if (!read_text(c, &name, &len))
        return import_fail(l->im, "its list of functions ends too soon");
    lnt_function(l, name, len);
    code.count = cursor_uleb(c);
    code.counters = cursor_uleb(c);
    cursor_uleb(c);
    code.texts = cursor_uleb(c);
    count = cursor_uleb(c);
    while (count-- > 0 && !c->bad) {
        u64 counter = cursor_uleb(c);
        double share = read_share(c);

        if (counter >= l->nkinds || c->bad)
            continue;
        lnt_share(l, (u32)counter, share);
        add_counter(r, &code, (u32)counter);
    }
    if (c->bad)
        return import_fail(l->im, "its list of functions ends too soon");
    if (r->has_insns)
        read_insns(r, &code);
    lnt_function_end(l);
    return l->im->failed ? -ENOMEM : 0;
}

static int
read_all(struct reader *r)
{
    int ret = read_counters(r);
    u64 count;

    if (ret == 0)
        ret = unpack_sections(r);
    count = cursor_uleb(&r->functions);
    while (count-- > 0 && ret == 0)
        ret = read_function(r);
    for (u32 i = 0; i < SECTIONS; i++)
        unpack_free(&r->unpacked[i]);
    return ret == 0 ? lnt_end(&r->l) : ret;
}

int
import_lnt(struct import *im, struct bytes file)
{
    struct reader r = { .has_insns = false };

    if (file.size >= 2 && file.at[0] == PICKLED && file.at[1] == 0x9c)
        return lnt_pickle(im, file);
    if (file.size < 2 || file.at[0] != VERSION || !find_sections(&r, file))
        return -ENOEXEC;
    if (!lnt_begin(&r.l, im))
        return -ENOMEM;
    r.names = cursor_at(r.section[COUNTER_NAMES], 0, false);
    r.sums = cursor_at(r.section[TOP_LEVEL], 0, false);
    r.functions = cursor_at(r.section[FUNCTIONS], 0, false);
    return read_all(&r);
}

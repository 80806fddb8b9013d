/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads version 1: a pickle of {'counters': {NAME: SUM}, 'functions': {FUNCTION:
 * {'counters': {NAME: PERCENT}, 'data': [[ADDRESS, {NAME: PERCENT}, TEXT]]}}}.
 */
#include <errno.h>
#include <string.h>

#include "import/lnt/lnt.h"
#include "import/lnt/pickle.h"
#include "import/unpack.h"

struct reader {
    struct lnt l;
    struct pickle p;
    u64 steps; /* steps left, since shared lists could make a walk nearly endless */
};

static u32
counter_of(const struct lnt *l, const struct pickle_value *name)
{
    for (u32 i = 0; i < l->nkinds && name->kind == PICKLE_TEXT; i++)
        if (strlen(l->kind[i].name) == name->len &&
            !memcmp(l->kind[i].name, name->text, name->len))
            return i;
    return LNT_COUNTERS;
}

/* Iterates over a dictionary: returns the key after the key `item`. */
static u32
next_key(struct reader *r, u32 item)
{
    u32 value = item ? pickle_next(&r->p, item) : 0;

    if (r->steps)
        r->steps--;
    return value && r->steps ? pickle_next(&r->p, value) : 0;
}

static void
each_share(struct reader *r, u32 dict, void (*take)(struct lnt *, u32, double))
{
    for (u32 i = pickle_first(&r->p, dict, PICKLE_DICT); i; i = next_key(r, i)) {
        u32 counter = counter_of(&r->l, pickle_at(&r->p, i));
        u32 value = pickle_next(&r->p, i);

        if (counter < LNT_COUNTERS && pickle_at(&r->p, value)->kind == PICKLE_NUMBER)
            take(&r->l, counter, pickle_at(&r->p, value)->number);
    }
}

static void
read_insn(struct reader *r, u32 row)
{
    u32 address = pickle_first(&r->p, row, PICKLE_LIST);
    u32 shares = address ? pickle_next(&r->p, address) : 0;
    u32 text = shares ? pickle_next(&r->p, shares) : 0;
    const struct pickle_value *words = pickle_at(&r->p, text);

    if (!text)
        return;
    if (words->kind == PICKLE_TEXT)
        lnt_insn(&r->l, words->text, words->len);
    else
        lnt_insn(&r->l, "", 0);
    each_share(r, r->p.item[shares - 1].value, lnt_insn_share);
}

static void
read_function(struct reader *r, const struct pickle_value *name, u32 func)
{
    u32 data = pickle_get(&r->p, func, "data", PICKLE_LIST);

    lnt_function(&r->l, name->text, name->len);
    each_share(r, pickle_get(&r->p, func, "counters", PICKLE_DICT), lnt_share);
    for (u32 i = pickle_first(&r->p, data, PICKLE_LIST);
         i && r->steps && !r->l.im->failed; i = pickle_next(&r->p, i)) {
        r->steps--;
        read_insn(r, r->p.item[i - 1].value);
    }
    lnt_function_end(&r->l);
}

static int
read_counters(struct reader *r, u32 dict)
{
    for (u32 i = pickle_first(&r->p, dict, PICKLE_DICT); i; i = next_key(r, i)) {
        const struct pickle_value *name = pickle_at(&r->p, i);
        const struct pickle_value *sum = pickle_at(&r->p, pickle_next(&r->p, i));

        if (name->kind != PICKLE_TEXT || sum->kind != PICKLE_NUMBER ||
            !(sum->number >= 0 && sum->number < 9e18))
            return import_fail(r->l.im, "a counter in it has no name or no number");
        if (lnt_counter(&r->l, name->text, name->len, (u64)sum->number) == LNT_COUNTERS)
            return -EBADMSG;
    }
    lnt_settle(&r->l);
    return r->l.im->failed ? -ENOMEM : 0;
}

static int
read_all(struct reader *r)
{
    u32 functions = pickle_get(&r->p, r->p.root, "functions", PICKLE_DICT);
    int ret = read_counters(r, pickle_get(&r->p, r->p.root, "counters", PICKLE_DICT));

    if (ret == 0 && !functions)
        return import_fail(r->l.im, "it is a pickle of Python, but no profile of LNT");
    for (u32 i = ret == 0 ? pickle_first(&r->p, functions, PICKLE_DICT) : 0;
         i && !r->l.im->failed; i = next_key(r, i)) {
        const struct pickle_value *name = pickle_at(&r->p, i);

        if (name->kind == PICKLE_TEXT)
            read_function(r, name, r->p.item[pickle_next(&r->p, i) - 1].value);
    }
    if (ret == 0 && !r->steps)
        return import_fail(r->l.im, "lists in it are shared too often");
    return ret == 0 ? lnt_end(&r->l) : ret;
}

int
lnt_pickle(struct import *im, struct bytes file)
{
    struct reader r = { .steps = 0 };
    struct unpacked u;
    int ret = unpack_zlib(im, file, &u);

    if (ret < 0)
        return ret;
    /*
     * The limit of steps: in a genuine file, there is at least one byte for each step.
     */
    r.steps = u.bytes.size + 1;
    ret = pickle_read(im, u.bytes, &r.p);
    if (ret == 0 && !lnt_begin(&r.l, im))
        ret = -ENOMEM;
    if (ret == 0)
        ret = read_all(&r);
    pickle_free(&r.p);
    unpack_free(&u);
    return ret;
}

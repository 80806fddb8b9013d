/* SPDX-License-Identifier: Apache-2.0 */
/* What programs report besides regions: intervals, marks, numbers and texts. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/region/regionadd.h"

/*
 * A search by name in an array of intervals or marks, whose first member is the name.
 */
struct named_search {
    const void *array; /* address of the pointer to the array */
    size_t size;
    const char *name;
};

static bool
has_name(const void *key, u32 index)
{
    const struct named_search *s = key;
    const char *base = *(const char *const *)s->array;

    return !strcmp(*(const char *const *)(const void *)(base + index * s->size),
                   s->name);
}

static struct region_interval *
interval_at(struct regions *all, const char *name)
{
    u32 hash = (u32)hash_str(0, name);
    struct named_search search = { &all->interval, sizeof(*all->interval), name };
    u32 known = hash_find(&all->interval_hash, hash, has_name, &search);
    struct region_interval *at;

    if (known != HASH_NONE)
        return &all->interval[known];
    if (array_room_zero(&all->interval, &all->interval_room, all->intervals + 1,
                        sizeof(*at)) < 0)
        return NULL;
    at = &all->interval[all->intervals];
    at->name = pool_text(&all->pool, name, strlen(name));
    if (!at->name || hash_add(&all->interval_hash, hash, all->intervals) < 0)
        return NULL;
    all->intervals++;
    return at;
}

static int
add_mark(struct regions *all, const char *name)
{
    u32 hash = (u32)hash_str(0, name);
    struct named_search search = { &all->mark, sizeof(*all->mark), name };
    u32 i = hash_find(&all->mark_hash, hash, has_name, &search);

    if (i == HASH_NONE) {
        i = all->marks;
        if (array_room_zero(&all->mark, &all->mark_room, i + 1, sizeof(*all->mark)) < 0)
            return -ENOMEM;
        all->mark[i].name = pool_text(&all->pool, name, strlen(name));
        if (!all->mark[i].name || hash_add(&all->mark_hash, hash, i) < 0)
            return -ENOMEM;
        all->marks++;
    }
    all->mark[i].count++;
    return 0;
}

static int
compare_values(const void *a, const void *b)
{
    const struct notice_row *x = *(struct notice_row *const *)a;
    const struct notice_row *y = *(struct notice_row *const *)b;

    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->what < y->what ? -1 : x->what > y->what;
}

static int
add_interval(struct region_adding *a, const struct notice_row *begin,
             const struct notice_row *end)
{
    struct region_interval *at = interval_at(a->regions, begin->text);
    double took;

    if (!at)
        return -ENOMEM;
    if (!end) {
        at->open++;
        return 0;
    }
    took = end->time > begin->time ? (double)(end->time - begin->time) * a->scan.rate
                                   : 0;
    at->count++;
    at->wall += took;
    at->longest = took > at->longest ? took : at->longest;
    at->elsewhere += begin->slot != end->slot;
    return 0;
}

/*
 * Match the ends of intervals with their beginnings, for one value. A program may use a
 * value again, even while an interval with it is open: an end then belongs to the
 * latest beginning. Open beginnings are kept as a stack at the front of `of`, in
 * entries that have been read already.
 */
static int
add_value(struct region_adding *a, struct notice_row **of, u32 count)
{
    u32 open = 0;
    int ret = 0;

    for (u32 i = 0; i < count && ret == 0; i++) {
        if (of[i]->what == NOTICE_INTERVAL)
            of[open++] = of[i];
        else if (open)
            ret = add_interval(a, of[--open], of[i]);
    }
    while (open && ret == 0)
        ret = add_interval(a, of[--open], NULL);
    return ret;
}

static int
add_intervals(struct region_adding *a, struct notice_row **of, u32 count)
{
    int ret = 0;

    if (count > 1)
        qsort(of, count, sizeof(*of), compare_values);
    for (u32 i = 0, next; i < count && ret == 0; i = next) {
        for (next = i + 1; next < count && of[next]->value == of[i]->value;)
            next++;
        ret = add_value(a, of + i, next - i);
    }
    return ret;
}

void
regions_add_numbers(struct region_numbers *to, const struct region_numbers *more)
{
    if (!more->count)
        return;
    if (!to->count || more->least < to->least)
        to->least = more->least;
    if (!to->count || more->most > to->most)
        to->most = more->most;
    to->count += more->count;
    to->sum += more->sum;
}

struct text_search {
    const struct regions *regions;
    const struct region_text *text;
};

static bool
is_same_text(const void *key, u32 index)
{
    const struct text_search *want = key;
    const struct region_text *t = &want->regions->text[index];

    return t->region == want->text->region && !strcmp(t->name, want->text->name);
}

static int
add_text(struct regions *all, struct region_text text)
{
    struct text_search want = { all, &text };
    u32 hash = (u32)hash_str(text.region, text.name);
    u32 at = hash_find(&all->text_hash, hash, is_same_text, &want);

    if (at != HASH_NONE) {
        all->text[at].count += text.count;
        return 0;
    }
    text.name = pool_text(&all->pool, text.name, strlen(text.name));
    if (!text.name ||
        array_room(&all->text, &all->text_room, all->texts + 1, sizeof(text)) < 0 ||
        hash_add(&all->text_hash, hash, all->texts) < 0)
        return -ENOMEM;
    all->text[all->texts++] = text;
    return 0;
}

static int
add_notices(struct region_adding *a)
{
    struct region_scan *s = &a->scan;
    struct notice_row **interval = calloc((size_t)s->notices + 1, sizeof(*interval));
    u32 count = 0;
    int ret = 0;

    if (!interval)
        return -ENOMEM;
    for (u32 i = 0; i < s->notices && ret == 0; i++) {
        struct notice_row *notice = &s->notice[i];

        if (notice->what == NOTICE_INTERVAL || notice->what == NOTICE_INTERVAL_END)
            interval[count++] = notice;
        else if (notice->what == NOTICE_MARK)
            ret = add_mark(a->regions, notice->text);
        a->regions->strays += notice->what == NOTICE_STRAY;
        a->regions->too_deep += notice->what == NOTICE_TOO_DEEP;
    }
    if (ret == 0)
        ret = add_intervals(a, interval, count);
    free(interval);
    return ret;
}

int
regionadd_notices(struct region_adding *a)
{
    struct region_scan *s = &a->scan;
    int ret = add_notices(a);

    for (u32 i = 0; i < s->numbers && i < s->parts; i++)
        if (a->region[i])
            regions_add_numbers(&a->regions->region[a->region[i]].numbers,
                                &s->number[i]);
    for (u32 i = 0; i < s->texts && ret == 0; i++) {
        struct region_text text = s->text[i];

        text.region = text.region < s->parts ? a->region[text.region] : 0;
        if (text.region)
            ret = add_text(a->regions, text);
    }
    a->regions->more_texts += s->more_texts;
    return ret;
}

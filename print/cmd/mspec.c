/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/mspec.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "print/model/absent.h"

static const char flavour_letters[FLAVOUR_COUNT + 1] = {
    [FLAVOUR_EXCLUSIVE] = 'e',
    [FLAVOUR_INCLUSIVE] = 'i',
    [FLAVOUR_ATTRIBUTED] = 'a',
};

static const char *const statics[] = {
    [MSPEC_NAME] = "name",
    [MSPEC_SIZE] = "size",
    [MSPEC_ADDRESS] = "address",
};

enum { ANY = METRIC_ALL, COUNTERS };

/* The text that is being parsed; `at` is where parsing continues. */
struct reader {
    const char *text;
    const char *at;
    char *error;
};

/* One item of the text. It may stand for several flavours, visibilities and metrics. */
struct item {
    const char *flavours;
    size_t nflavours;
    const char *visible;
    size_t nvisible;
    const char *name;
    size_t nname;
};

static int fail(const struct reader *r, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int
fail(const struct reader *r, const char *at, const char *format, ...)
{
    va_list ap;
    int n = snprintf(r->error, MSPEC_ERROR, "\"%.60s\", column %d: ", r->text,
                     (int)(at - r->text) + 1);

    va_start(ap, format);
    vsnprintf(r->error + n, MSPEC_ERROR - (size_t)n, format, ap);
    va_end(ap);
    return -EINVAL;
}

static bool
is_name(const struct item *it, const char *name)
{
    return strlen(name) == it->nname && !strncasecmp(name, it->name, it->nname);
}

/*
 * The kind of an item without flavours: name, size or address; MSPEC_METRIC if it is
 * another.
 */
static enum mspec_kind
static_kind(const struct item *it)
{
    for (int k = MSPEC_NAME; k <= MSPEC_ADDRESS; k++)
        if (is_name(it, statics[k]))
            return (enum mspec_kind)k;
    return MSPEC_METRIC;
}

/* The end of the name at p: the next colon. But a counter's name may contain colons. */
static const char *
end_of_name(const char *p)
{
    size_t best = strcspn(p, ":");

    for (int m = 0; m < METRIC_ALL; m++) {
        const char *name = metrics[m].name;
        size_t len = strlen(name);

        if (metric_is_there((enum metric)m) && len > best &&
            !strncasecmp(p, name, len) && (!p[len] || p[len] == ':'))
            best = len;
    }
    return p + best;
}

/* Parse one item, up to a colon or the end of the text. */
static int
cut(struct reader *r, struct item *it)
{
    const char *end = r->at + strcspn(r->at, ":");
    const char *mark = r->at + strcspn(r->at, ".%+!:");

    *it = (struct item){ .flavours = r->at };
    if (mark < end) {
        it->nflavours = (size_t)(mark - r->at);
        it->visible = mark;
        it->nvisible = strspn(mark, ".%+!");
        it->name = mark + it->nvisible;
    } else {
        it->visible = it->name = r->at;
    }
    end = end_of_name(it->name);
    it->nname = (size_t)(end - it->name);
    r->at = end;
    if (!it->nname)
        return fail(r, it->name, "a metric's name is missing");
    return 0;
}

static int
check_marks(const struct reader *r, const struct item *it)
{
    for (size_t i = 0; i < it->nflavours; i++) {
        if (tolower((unsigned char)it->flavours[i]) == 'd')
            return fail(r, it->flavours + i, "there is no data-object metric here");
        if (!strchr("eia", tolower((unsigned char)it->flavours[i])))
            return fail(r, it->flavours + i,
                        "\"%c\" is not e (exclusive), i (inclusive) or a (attributed)",
                        it->flavours[i]);
    }
    if (it->nvisible > 1 && memchr(it->visible, '!', it->nvisible))
        return fail(r, it->visible, "! goes with no other mark");
    return 0;
}

/*
 * Get the metric that the item names; ANY for all metrics, COUNTERS for all counters of
 * -h; -EINVAL: there is no such metric.
 */
static int
find_metric(const struct reader *r, const struct item *it)
{
    const char *why;

    if (is_name(it, "any"))
        return ANY;
    if (is_name(it, "hwc"))
        return COUNTERS;
    for (int m = 0; m < METRIC_ALL; m++)
        if (metric_is_there((enum metric)m) && is_name(it, metrics[m].name))
            return m;
    why = absent_why(ABSENT_METRIC, it->name, it->nname);
    if (why)
        return fail(r, it->name, "there is no metric \"%.*s\": %s", (int)it->nname,
                    it->name, why);
    return fail(r, it->name, "there is no metric \"%.*s\"; metric_list has them",
                (int)it->nname, it->name);
}

static enum flavour
flavour_of(char letter)
{
    const char *at = strchr(flavour_letters, tolower((unsigned char)letter));

    return (enum flavour)(at - flavour_letters);
}

void
mspec_add(struct mspec *spec, struct mspec_item item)
{
    for (u32 i = 0; i < spec->n; i++) {
        const struct mspec_item *old = &spec->item[i];

        if (old->kind != item.kind ||
            (old->kind == MSPEC_METRIC &&
             (old->metric != item.metric || old->flavour != item.flavour)))
            continue;
        if (old->kind != MSPEC_METRIC || old->visibility == '!' ||
            old->visibility == item.visibility || item.visibility == '!')
            return;
    }
    spec->item[spec->n++] = item;
}

/* Is the metric among those that find_metric() has found? */
static bool
is_selected(enum metric metric, int found)
{
    return metric_is_there(metric) &&
           ((int)metric == found || found == ANY ||
            (found == COUNTERS && metric_is_counter(metric)));
}

/* Add the columns of an item: for each metric, each flavour, each visibility. */
static void
spread(struct mspec *spec, const struct item *it, int metric)
{
    for (int m = 0; m < METRIC_ALL; m++)
        for (size_t f = 0; f < it->nflavours && is_selected((enum metric)m,
                                                            metric); f++)
            for (size_t v = 0; v < it->nvisible; v++) {
                char mark = it->visible[v];

                if (mark == '%' && metric_is_ratio((enum metric)m))
                    continue;
                mspec_add(spec, (struct mspec_item){
                                    .kind = MSPEC_METRIC,
                                    .metric = (enum metric)m,
                                    .flavour = flavour_of(it->flavours[f]),
                                    .visibility = mark == '+' ? '.' : mark,
                                });
            }
}

static int
parse_item(struct reader *r, struct mspec *spec)
{
    struct item it;
    int metric, err = cut(r, &it);

    if (!err)
        err = check_marks(r, &it);
    if (err)
        return err;
    if (static_kind(&it) != MSPEC_METRIC) {
        if (it.nflavours)
            return fail(r, it.flavours, "%.*s has no flavours", (int)it.nname, it.name);
        if (it.nvisible && memchr(it.visible, '%', it.nvisible))
            return fail(r, it.visible, "%.*s is no percentage", (int)it.nname, it.name);
        mspec_add(spec, (struct mspec_item){
                            .kind = static_kind(&it),
                            .visibility =
                                it.nvisible && *it.visible == '!' ? '!' : '.',
                        });
        return 0;
    }
    metric = find_metric(r, &it);
    if (metric < 0)
        return metric;
    if (!it.nflavours)
        return fail(r, it.flavours, "a flavour (e, i or a) is missing");
    if (!it.nvisible)
        return fail(r, it.name, "a mark (. %% + or !) is missing");
    if (metric < METRIC_ALL && metric_is_ratio((enum metric)metric) &&
        memchr(it.visible, '%', it.nvisible))
        return fail(r, it.visible, "%.*s is no percentage", (int)it.nname, it.name);
    spread(spec, &it, metric);
    return 0;
}

int
mspec_parse(const char *text, struct mspec *out, char *error)
{
    struct reader r = { text, text, error };
    struct mspec spec = { 0 };

    for (;;) {
        int err = parse_item(&r, &spec);

        if (err)
            return err;
        if (!*r.at)
            break;
        r.at++;
    }
    *out = spec;
    return 0;
}

static enum order_by
order_of(enum mspec_kind kind)
{
    return kind == MSPEC_NAME      ? ORDER_NAME
           : kind == MSPEC_SIZE    ? ORDER_SIZE
           : kind == MSPEC_ADDRESS ? ORDER_ADDRESS
                                   : ORDER_METRIC;
}

int
mspec_parse_sort(const char *text, struct order *out, char *error)
{
    struct reader r = { text, text + (*text == '-'), error };
    struct order order = { .reverse = *text == '-' };
    struct item it;
    int metric, err = cut(&r, &it);

    if (!err)
        err = check_marks(&r, &it);
    if (err)
        return err;
    if (*r.at)
        return fail(&r, r.at, "sorting is by one metric");
    if (it.nflavours > 1)
        return fail(&r, it.flavours + 1, "sorting is by one flavour");
    order.by = order_of(static_kind(&it));
    if (order.by == ORDER_METRIC) {
        metric = find_metric(&r, &it);
        if (metric < 0)
            return metric;
        if (metric == COUNTERS)
            metric = METRIC_hwc0; /* the first */
        if (metric == ANY)
            return fail(&r, it.name, "sorting is by one metric");
        order.metric = (enum metric)metric;
        order.flavour = it.nflavours ? flavour_of(*it.flavours) : FLAVOUR_EXCLUSIVE;
    } else if (it.nflavours) {
        return fail(&r, it.flavours, "%.*s has no flavours", (int)it.nname, it.name);
    }
    *out = order;
    return 0;
}

/*
 * Can item i be written in one word with the item before it, as e.user, e%user in
 * e.%user?
 */
static bool
continues(const struct mspec *spec, u32 i)
{
    const struct mspec_item *a = &spec->item[i - 1], *b = &spec->item[i];

    return a->kind == MSPEC_METRIC && b->kind == MSPEC_METRIC &&
           a->metric == b->metric && a->flavour == b->flavour;
}

void
mspec_format(const struct mspec *spec, char *buf, size_t size)
{
    size_t at = 0;

    buf[0] = '\0';
    for (u32 i = 0, n; i < spec->n && at < size; i = n) {
        const struct mspec_item *it = &spec->item[i];
        char marks[4] = { 0 };

        n = i;
        do {
            marks[n - i] = spec->item[n].visibility;
            n++;
        } while (n < spec->n && n - i < 3 && continues(spec, n));
        if (it->kind == MSPEC_METRIC)
            at += (size_t)snprintf(buf + at, size - at, "%s%c%s%s", i ? ":" : "",
                                   flavour_letters[it->flavour], marks,
                                   metrics[it->metric].name);
        else
            at += (size_t)snprintf(buf + at, size - at, "%s%s%s", i ? ":" : "",
                                   it->visibility == '!' ? "!" : "", statics[it->kind]);
    }
}

void
mspec_format_sort(const struct order *order, char *buf, size_t size)
{
    static const char *const by[] = {
        [ORDER_NAME] = "name",
        [ORDER_ADDRESS] = "address",
        [ORDER_SIZE] = "size",
    };
    const char *minus = order->reverse ? "-" : "";

    if (order->by == ORDER_METRIC)
        snprintf(buf, size, "%s%c.%s", minus, flavour_letters[order->flavour],
                 metrics[order->metric].name);
    else
        snprintf(buf, size, "%s%s", minus, by[order->by]);
}

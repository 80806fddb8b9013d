/* SPDX-License-Identifier: Apache-2.0 */
#include "import/gprofng/tags.h"

#include <stdlib.h>
#include <string.h>

enum {
    VALUE_MOST = 4096, /* bytes of a value that are kept */
};

static const char blanks[] = " \t\r\n";

static bool
is_blank(char c)
{
    return c && strchr(blanks, c);
}

/*
 * The character for which the entity at "&" stands; *len is the entity's length, 0 = it
 * is not a known entity.
 */
static char
entity(const char *at, size_t left, size_t *len)
{
    static const struct {
        const char *text;
        char is;
    } known[] = { { "&lt;", '<' }, { "&gt;", '>' }, { "&amp;", '&' },
                  { "&quot;", '"' }, { "&apos;", '\'' } };

    for (size_t i = 0; i < ER_COUNT(known); i++) {
        *len = strlen(known[i].text);
        if (*len <= left && !memcmp(at, known[i].text, *len))
            return known[i].is;
    }
    *len = 0;
    return 0;
}

static const char *
keep(const struct tags *t, const char *from, const char *to)
{
    char text[VALUE_MOST];
    size_t out = 0;

    while (from < to && out < sizeof(text)) {
        size_t len = 0;
        char c = *from == '&' ? entity(from, (size_t)(to - from), &len) : 0;

        text[out++] = len ? c : *from;
        from += len ? len : 1;
    }
    return import_text(t->im, text, out);
}

/* Reads one attribute, up to the end of its value; false: there are no more. */
static bool
read_attr(struct tags *t, struct tag *tag)
{
    const char *name, *to, *value;
    char quote;

    while (t->at < t->end && is_blank(*t->at))
        t->at++;
    name = t->at;
    while (t->at < t->end && !is_blank(*t->at) && !strchr("=/>", *t->at))
        t->at++;
    to = t->at;
    if (to == name || t->end - to < 2 || *to != '=' || (to[1] != '"' && to[1] != '\''))
        return false;
    quote = to[1];
    value = to + 2;
    t->at = memchr(value, quote, (size_t)(t->end - value));
    if (!t->at) {
        t->at = t->end;
        return false;
    }
    if (tag->nattrs < TAG_ATTRS) {
        tag->attr[tag->nattrs] = keep(t, name, to);
        tag->value[tag->nattrs++] = keep(t, value, t->at);
    }
    t->at++;
    return true;
}

bool
tags_next(struct tags *t, struct tag *tag)
{
    const char *name;

    t->at = memchr(t->at, '<', (size_t)(t->end - t->at));
    if (!t->at) {
        t->at = t->end;
        return false;
    }
    name = ++t->at;
    tag->nattrs = 0;
    while (t->at < t->end && !is_blank(*t->at) && *t->at != '>' &&
           (*t->at != '/' || t->at == name))
        t->at++;
    tag->name = keep(t, name, t->at);
    while (read_attr(t, tag))
        ;
    name = memchr(t->at, '>', (size_t)(t->end - t->at));
    t->at = name ? name + 1 : t->end;
    name = memchr(t->at, '<', (size_t)(t->end - t->at));
    tag->text = keep(t, t->at, name ? name : t->end);
    return !t->im->failed;
}

const char *
tags_attr(const struct tag *tag, const char *name)
{
    for (u32 i = 0; i < tag->nattrs; i++)
        if (!strcmp(tag->attr[i], name))
            return tag->value[i];
    return "";
}

u64
tags_number(const struct tag *tag, const char *name)
{
    return strtoull(tags_attr(tag, name), NULL, 0);
}

u64
tags_ns(const struct tag *tag, const char *name)
{
    u64 ns = 0, unit = 100000000;
    char *end;
    const char *text = tags_attr(tag, name);
    u64 seconds = strtoull(text, &end, 10);

    if (*end == '.')
        for (end++; *end >= '0' && *end <= '9'; end++) {
            ns += (u64)(*end - '0') * unit;
            unit /= 10;
        }
    return seconds % (UINT64_MAX / 1000000000) * 1000000000 + ns;
}

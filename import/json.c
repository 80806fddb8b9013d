/* SPDX-License-Identifier: Apache-2.0 */
#include "import/json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"

enum {
    NUMBER_MOST = 64,      /* bytes of a number; a longer one becomes 0 */
    STRING_MOST = 1 << 16, /* bytes of a string that are kept */
};

#define NOBODY UINT32_MAX

static u32
add_value(struct json *j, char kind, u64 at)
{
    if (array_room(&j->value, &j->room, j->count + 1, sizeof(*j->value)) < 0)
        return NOBODY;
    j->value[j->count] = (struct json_value){ .kind = kind, .at = at };
    return j->count++;
}

/*
 * The end of the string whose first byte is at `at`; the text's size if it does not
 * end.
 */
static u64
end_of_string(struct bytes text, u64 at)
{
    while (at < text.size && text.at[at] != '"')
        at += text.at[at] == '\\' ? 2 : 1;
    return at < text.size ? at : text.size;
}

static u64
end_of_word(struct bytes text, u64 at)
{
    while (at < text.size && !strchr(" \t\r\n,:]}[{\"", text.at[at]))
        at++;
    return at;
}

/*
 * Is it a number? All other words of JSON, true, false and null, begin with letters;
 * this takes as numbers whatever begins like one.
 */
static bool
is_number(unsigned char first)
{
    return first == '-' || (first >= '0' && first <= '9');
}

/*
 * Adds a string, a number or a word; moves *at to its end. 0; -ENOEXEC: it is
 * malformed; -ENOMEM.
 */
static int
add_scalar(struct json *j, u64 *at)
{
    unsigned char first = j->text.at[*at];
    bool string = first == '"';
    u64 from = *at + string;
    u64 end = string ? end_of_string(j->text, from) : end_of_word(j->text, from);
    u32 value;

    if (end - from >= UINT32_MAX || (string && end == j->text.size) ||
        (!string && end == from))
        return -ENOEXEC;
    value = add_value(j, string ? '"' : is_number(first) ? '0' : 'w', from);
    if (value == NOBODY)
        return -ENOMEM;
    j->value[value].len = (u32)(end - from);
    j->value[value].next = value + 1;
    *at = end + string;
    return 0;
}

/*
 * Reads all values. Colons and commas are not checked: the members of an object are
 * names and values in turn. While a value is open, its `next` is the value that
 * contains it.
 */
static int
parse(struct json *j)
{
    u32 open = NOBODY;
    u64 at = 0;

    for (;;) {
        char c;

        while (at < j->text.size && strchr(" \t\r\n,:", j->text.at[at]) &&
               j->text.at[at])
            at++;
        if (at == j->text.size)
            return -ENOEXEC;
        c = (char)j->text.at[at];
        if (c == '{' || c == '[') {
            u32 value = add_value(j, c, at++);

            if (value == NOBODY)
                return -ENOMEM;
            j->value[value].next = open;
            open = value;
            continue;
        }
        if (c == '}' || c == ']') {
            u32 parent;

            if (open == NOBODY || j->value[open].kind != (c == '}' ? '{' : '['))
                return -ENOEXEC;
            parent = j->value[open].next;
            j->value[open].next = j->count;
            open = parent;
            at++;
        } else {
            int ret = open == NOBODY ? -ENOEXEC : add_scalar(j, &at);

            if (ret < 0)
                return ret;
        }
        if (open == NOBODY)
            return 0;
    }
}

int
json_parse(struct json *j, struct import *im, struct bytes text)
{
    int ret;

    *j = (struct json){ .im = im, .text = text };
    ret = parse(j);
    if (ret < 0)
        json_free(j);
    return ret;
}

void
json_free(struct json *j)
{
    free(j->value);
    *j = (struct json){ .text = { NULL, 0 } };
}

u32
json_first(const struct json *j, u32 array)
{
    const struct json_value *v = &j->value[array];

    return (v->kind == '[' || v->kind == '{') && array + 1 < v->next ? array + 1 : 0;
}

u32
json_next(const struct json *j, u32 array, u32 element)
{
    u32 next = j->value[element].next;

    return next < j->value[array].next ? next : 0;
}

u32
json_count(const struct json *j, u32 array)
{
    u32 count = 0;

    for (u32 i = json_first(j, array); i; i = json_next(j, array, i))
        count++;
    return count;
}

u32
json_member(const struct json *j, u32 object, const char *name)
{
    size_t len = strlen(name);

    if (j->value[object].kind != '{')
        return 0;
    for (u32 i = json_first(j, object); i;) {
        u32 value = json_next(j, object, i);

        if (!value)
            return 0;
        if (j->value[i].kind == '"' && j->value[i].len == len &&
            !memcmp(j->text.at + j->value[i].at, name, len))
            return value;
        i = json_next(j, object, value);
    }
    return 0;
}

double
json_number(const struct json *j, u32 value)
{
    const struct json_value *v = &j->value[value];
    char text[NUMBER_MOST + 1];
    double number;

    if (v->kind != '0' || v->len > NUMBER_MOST)
        return 0;
    memcpy(text, j->text.at + v->at, v->len);
    text[v->len] = '\0';
    number = strtod(text, NULL);
    return isfinite(number) ? number : 0;
}

u32
json_index(const struct json *j, u32 value, u32 other)
{
    double number = json_number(j, value);

    if (!value || j->value[value].kind != '0' || number < 0 || number >= UINT32_MAX)
        return other;
    return (u32)number;
}

static char *
put_utf8(char *out, u32 c)
{
    if (c < 0x80) {
        *out++ = (char)c;
    } else if (c < 0x800) {
        *out++ = (char)(0xc0 | c >> 6);
        *out++ = (char)(0x80 | (c & 63));
    } else {
        if (c < 0x10000) {
            *out++ = (char)(0xe0 | c >> 12);
        } else {
            *out++ = (char)(0xf0 | c >> 18);
            *out++ = (char)(0x80 | (c >> 12 & 63));
        }
        *out++ = (char)(0x80 | (c >> 6 & 63));
        *out++ = (char)(0x80 | (c & 63));
    }
    return out;
}

/* The number of four hexadecimal digits. */
static u32
code_at(const char *at)
{
    char digits[5] = "";

    memcpy(digits, at, 4);
    return (u32)strtoul(digits, NULL, 16) & 0xffff;
}

/*
 * Decodes "uXXXX"; returns how many bytes it has. A character above U+FFFF is written
 * as two escapes, with surrogates (RFC 8259, 7); one alone becomes U+FFFD.
 */
static u32
unescape_code(const char *at, u32 left, char **out)
{
    u32 c = code_at(at + 1), used = 5, low = 0;

    if (c >> 10 == 0x36 && left >= 11 && at[5] == '\\' && at[6] == 'u')
        low = code_at(at + 7);
    if (low >> 10 == 0x37) {
        c = 0x10000 + ((c & 0x3ff) << 10 | (low & 0x3ff));
        used = 11;
    }
    if (c >> 11 == 0x1b)
        c = 0xfffd;
    *out = put_utf8(*out, c ? c : ' ');
    return used;
}

/* Decodes the escape after a backslash; returns how many bytes the escape has. */
static u32
unescape(const char *at, u32 left, char **out)
{
    static const char from[] = "nrtbf", to[] = "\n\r\t\b\f";
    const char *known = *at ? strchr(from, *at) : NULL;

    if (*at == 'u' && left >= 5)
        return unescape_code(at, left, out);
    *(*out)++ = known ? to[known - from] : *at;
    return 1;
}

const char *
json_string(const struct json *j, u32 value)
{
    const struct json_value *v = &j->value[value];
    u32 len = v->len < STRING_MOST ? v->len : STRING_MOST;
    const char *from = (const char *)j->text.at + v->at, *text;
    char *buf, *out;

    if (!value || v->kind != '"')
        return "";
    if (!memchr(from, '\\', len))
        return import_text(j->im, from, len);
    buf = out = malloc((size_t)len + 4);
    if (!buf) {
        j->im->failed = true;
        return "";
    }
    for (u32 i = 0; i < len;) {
        if (from[i] != '\\' || i + 1 == len) {
            *out++ = from[i++];
            continue;
        }
        i++;
        i += unescape(from + i, len - i, &out);
    }
    text = import_text(j->im, buf, (size_t)(out - buf));
    free(buf);
    return text;
}

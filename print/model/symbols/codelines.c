/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/codelines.h"

#include <string.h>

enum {
    LINE_MAX = 1 << 30,
    NO_LINE = -128, /* difference of lines in co_linetable of Python 3.10: no line */
};

void
codelines_open(struct codelines *out, const struct recorded_code *code)
{
    *out = (struct codelines){ .code = code, .now = code->line };
}

static u32
line_of(int64_t line)
{
    return line > 0 && line < LINE_MAX ? (u32)line : 0;
}

static bool
read_bytes(struct codelines *l, u32 bytes, const unsigned char **p)
{
    if (l->code->size - l->at < bytes)
        return false;
    *p = l->code->lines + l->at;
    l->at += bytes;
    return true;
}

/*
 * Read a run of Python's lnotab: pairs of bytes, the distances to the next run in bytes
 * of code and in lines. A large distance takes several pairs; a run ends only at a pair
 * with bytes of code.
 */
static bool
next_lnotab(struct codelines *l)
{
    const unsigned char *p;
    u64 bytes = l->end * 2;

    if (l->at > l->code->size)
        return false;
    l->start = l->end;
    do {
        l->line = line_of(l->now);
        if (!read_bytes(l, 2, &p)) {
            l->at = l->code->size + 1;
            l->end = UINT32_MAX;
            return true;
        }
        bytes += p[0];
        l->now += (signed char)p[1];
    } while (bytes / 2 == l->start);
    l->end = bytes / 2;
    return true;
}

/*
 * Read a run of co_linetable of Python 3.10: a pair of bytes, the length of the run,
 * and the difference between its line and that of the run before.
 */
static bool
next_linetable(struct codelines *l)
{
    const unsigned char *p;

    if (!read_bytes(l, 2, &p))
        return false;
    l->start = l->end;
    l->end += p[0] / 2;
    if ((signed char)p[1] != NO_LINE)
        l->now += (signed char)p[1];
    l->line = (signed char)p[1] == NO_LINE ? 0 : line_of(l->now);
    return true;
}

/*
 * Read a number: six bits in each byte, the lowest first; bit 6 says that more bytes
 * follow. False: the table ends.
 */
static bool
varint(struct codelines *l, u32 *value)
{
    const unsigned char *p;
    u32 shift = 0;

    *value = 0;
    do {
        if (!read_bytes(l, 1, &p))
            return false;
        if (shift < 30)
            *value |= (u32)(*p & 63) << shift;
        shift += 6;
    } while (*p & 64);
    return true;
}

static bool
signed_varint(struct codelines *l, int64_t *value)
{
    u32 raw;

    if (!varint(l, &raw))
        return false;
    *value = raw & 1 ? -(int64_t)(raw >> 1) : raw >> 1;
    return true;
}

/*
 * Read an entry of co_linetable of Python 3.11 and later. It begins with a byte that
 * has its high bit set: it says which form follows, and how many units of code the
 * entry is for.
 */
static bool
next_location(struct codelines *l)
{
    enum { ONE_LINE = 10, NO_COLUMNS = 13, LONG = 14, NONE = 15 };
    const unsigned char *p;
    int64_t delta = 0;
    u32 code, columns;

    if (!read_bytes(l, 1, &p))
        return false;
    code = *p >> 3 & 15;
    l->start = l->end;
    l->end += (*p & 7) + 1u;
    if ((code == NO_COLUMNS || code == LONG) && !signed_varint(l, &delta))
        return false;
    for (u32 i = 0; code == LONG && i < 3; i++)
        if (!varint(l, &columns))
            return false;
    if (code >= ONE_LINE && code < NO_COLUMNS)
        delta = code - ONE_LINE;
    if (code < NO_COLUMNS && !read_bytes(l, code < ONE_LINE ? 1 : 2, &p))
        return false;
    l->now += delta;
    l->line = code == NONE ? 0 : line_of(l->now);
    return true;
}

bool
codelines_next(struct codelines *l)
{
    switch (l->code->table) {
    case CODE_LNOTAB:
        return next_lnotab(l);
    case CODE_LINETABLE:
        return next_linetable(l);
    case CODE_LOCATIONS:
        return next_location(l);
    default:
        return false;
    }
}

u32
codelines_of(const struct recorded_code *code, u32 index)
{
    struct codelines l;

    codelines_open(&l, code);
    while (codelines_next(&l))
        if (index >= l.start && index < l.end)
            return l.line ? l.line : code->line;
    return code->line;
}

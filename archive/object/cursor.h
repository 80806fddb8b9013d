/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads bytes that may be malformed: a cursor never leaves its range. A read beyond the
 * end returns zeros, leaves the cursor at the end and sets `bad`, so a parser may check
 * `bad` once after several reads. Any context.
 */
#ifndef ERTOOLS_ARCHIVE_OBJECT_CURSOR_H
#define ERTOOLS_ARCHIVE_OBJECT_CURSOR_H

#include <stdbool.h>
#include <string.h>

#include "share/types.h"

struct bytes {
    const unsigned char *at;
    size_t size;
};

struct cursor {
    const unsigned char *at;
    const unsigned char *end;
    bool big; /* big-endian */
    bool bad; /* a read went beyond the end */
};

/* A cursor at `offset` of `b`; `bad` is set if that is beyond the end. */
static inline struct cursor
cursor_at(struct bytes b, u64 offset, bool big)
{
    /* `at` may be NULL, and adding to NULL is undefined. */
    struct cursor c = {b.at, b.size ? b.at + b.size : b.at, big, false};

    if (offset > b.size) {
        c.bad = true;
        c.at = c.end;
    } else if (offset) {
        c.at += offset;
    }
    return c;
}

static inline size_t
cursor_left(const struct cursor *c)
{
    return (size_t)(c->end - c->at);
}

static inline bool
cursor_has(struct cursor *c, u64 n)
{
    if (ER_LIKELY(n <= cursor_left(c)))
        return true;
    c->bad = true;
    c->at = c->end;
    return false;
}

static inline void
cursor_skip(struct cursor *c, u64 n)
{
    if (cursor_has(c, n))
        c->at += n;
}

static inline u32
cursor_u8(struct cursor *c)
{
    return cursor_has(c, 1) ? *c->at++ : 0;
}

static inline u32
cursor_u16(struct cursor *c)
{
    uint16_t v;

    if (!cursor_has(c, 2))
        return 0;
    memcpy(&v, c->at, 2);
    c->at += 2;
    return c->big ? __builtin_bswap16(v) : v;
}

static inline u32
cursor_u24(struct cursor *c)
{
    u32 a = cursor_u8(c), b = cursor_u8(c), d = cursor_u8(c);

    return c->big ? a << 16 | b << 8 | d : d << 16 | b << 8 | a;
}

static inline u32
cursor_u32(struct cursor *c)
{
    u32 v;

    if (!cursor_has(c, 4))
        return 0;
    memcpy(&v, c->at, 4);
    c->at += 4;
    return c->big ? __builtin_bswap32(v) : v;
}

static inline u64
cursor_u64(struct cursor *c)
{
    u64 v;

    if (!cursor_has(c, 8))
        return 0;
    memcpy(&v, c->at, 8);
    c->at += 8;
    return c->big ? __builtin_bswap64(v) : v;
}

/* Reads an unsigned number of 1, 2, 3, 4 or 8 bytes; any other size sets `bad`. */
static inline u64
cursor_uint(struct cursor *c, u32 size)
{
    switch (size) {
    case 1:
        return cursor_u8(c);
    case 2:
        return cursor_u16(c);
    case 3:
        return cursor_u24(c);
    case 4:
        return cursor_u32(c);
    case 8:
        return cursor_u64(c);
    }
    c->bad = true;
    return 0;
}

/* Reads an unsigned LEB128 number; bits beyond the 64th are lost. */
static inline u64
cursor_uleb(struct cursor *c)
{
    u64 value = 0;
    u32 shift = 0, byte;

    if (ER_LIKELY(c->at < c->end && *c->at < 0x80))
        return *c->at++;
    do {
        byte = cursor_u8(c);
        if (shift < 64)
            value |= (u64)(byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80);
    return value;
}

static inline int64_t
cursor_sleb(struct cursor *c)
{
    u64 value = 0;
    u32 shift = 0, byte;

    do {
        byte = cursor_u8(c);
        if (shift < 64)
            value |= (u64)(byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80);
    if (shift < 64 && (byte & 0x40))
        value |= ~(u64)0 << shift;
    return (int64_t)value;
}

/*
 * Reads a string that ends within the range; if none does, returns "" and sets `bad`.
 */
static inline const char *
cursor_string(struct cursor *c)
{
    const char *s = (const char *)c->at;
    const unsigned char *zero = memchr(c->at, 0, cursor_left(c));

    if (!zero) {
        c->bad = true;
        c->at = c->end;
        return "";
    }
    c->at = zero + 1;
    return s;
}

/*
 * The string at `offset` of a string section; "" if it does not end within the section.
 */
static inline const char *
bytes_string(struct bytes b, u64 offset)
{
    if (offset >= b.size || !memchr(b.at + offset, 0, b.size - offset))
        return "";
    return (const char *)b.at + offset;
}

#endif

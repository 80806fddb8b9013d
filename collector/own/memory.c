/* SPDX-License-Identifier: Apache-2.0 */
/* libc's functions on memory. For any context. */
#include <string.h>

#include "share/types.h"

/* Words that may lie anywhere and alias anything. */
struct word {
    u64 value;
} __attribute__((packed, may_alias));

struct half {
    u32 value;
} __attribute__((packed, may_alias));

enum { LONG = 64 }; /* number of bytes from which a `rep` instruction is faster */

static inline u64
load(const unsigned char *p)
{
    return ((const struct word *)(const void *)p)->value;
}

static inline void
store(unsigned char *p, u64 value)
{
    ((struct word *)(void *)p)->value = value;
}

/* Copy fewer than 8 bytes, which may overlap: all are read before one is written. */
static inline void
copy_few(unsigned char *to, const unsigned char *from, size_t len)
{
    if (len >= 4) {
        const struct half *first = (const void *)from;
        const struct half *last = (const void *)(from + len - 4);
        u32 a = first->value, b = last->value;

        ((struct half *)(void *)to)->value = a;
        ((struct half *)(void *)(to + len - 4))->value = b;
    } else if (len) {
        unsigned char a = from[0], b = from[len / 2], c = from[len - 1];

        to[0] = a;
        to[len / 2] = b;
        to[len - 1] = c;
    }
}

/*
 * Copies upwards, since memmove() calls it also for overlapping blocks, if `to` is
 * below `from`.
 */
void *
memcpy(void *restrict to, const void *restrict from, size_t len)
{
    unsigned char *d = to;
    const unsigned char *s = from;
    u64 last;

    if (len >= LONG) {
        __asm__ volatile("rep movsb" : "+D"(d), "+S"(s), "+c"(len) : : "memory");
        return to;
    }
    if (len < 8) {
        copy_few(d, s, len);
        return to;
    }
    last = load(s + len - 8);
    for (size_t i = 0; i + 8 < len; i += 8)
        store(d + i, load(s + i));
    store(d + len - 8, last);
    return to;
}

void *
memmove(void *to, const void *from, size_t len)
{
    unsigned char *d = to;
    const unsigned char *s = from;

    if ((uintptr_t)d - (uintptr_t)s >= len)
        return memcpy(to, from, len);
    while (len >= 8) {
        len -= 8;
        store(d + len, load(s + len));
    }
    copy_few(d, s, len);
    return to;
}

void *
memset(void *to, int byte, size_t len)
{
    unsigned char *d = to;
    u64 word = 0x0101010101010101u * (unsigned char)byte;

    if (len >= LONG) {
        __asm__ volatile("rep stosb" : "+D"(d), "+c"(len) : "a"(byte) : "memory");
        return to;
    }
    if (len < 8) {
        for (size_t i = 0; i < len; i++)
            d[i] = (unsigned char)byte;
        return to;
    }
    for (size_t i = 0; i + 8 < len; i += 8)
        store(d + i, word);
    store(d + len - 8, word);
    return to;
}

int
memcmp(const void *one, const void *other, size_t len)
{
    const unsigned char *a = one, *b = other;
    size_t i = 0;

    while (i + 8 <= len && load(a + i) == load(b + i))
        i += 8;
    for (; i < len; i++)
        if (a[i] != b[i])
            return a[i] - b[i];
    return 0;
}

void *
memchr(const void *in, int byte, size_t len)
{
    const unsigned char *p = in;

    for (size_t i = 0; i < len; i++)
        if (p[i] == (unsigned char)byte)
            return (void *)(uintptr_t)(p + i);
    return NULL;
}

void *
memmem(const void *in, size_t len, const void *what, size_t what_len)
{
    const unsigned char *p = in;

    for (size_t i = 0; what_len <= len && i <= len - what_len; i++)
        if (memcmp(p + i, what, what_len) == 0)
            return (void *)(uintptr_t)(p + i);
    return NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes text with many numbers, for formats that have millions of them: several times
 * as fast as fprintf(). Between outtext_start() and outtext_flush(), nothing else may
 * write to the stream. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_OUT_OUTTEXT_H
#define ERTOOLS_PRINT_OUT_OUTTEXT_H

#include <stdio.h>
#include <string.h>

#include "share/types.h"

enum {
    OUTTEXT_BYTES = 1 << 15,
    OUTTEXT_NUMBER = 20, /* digits of a u64 */
};

struct outtext {
    FILE *f;
    size_t len;
    char data[OUTTEXT_BYTES];
};

static inline void
outtext_start(struct outtext *t, FILE *f)
{
    t->f = f;
    t->len = 0;
}

static inline void
outtext_flush(struct outtext *t)
{
    fwrite(t->data, 1, t->len, t->f);
    t->len = 0;
}

static inline char *
outtext_room(struct outtext *t, size_t bytes)
{
    if (t->len + bytes > OUTTEXT_BYTES)
        outtext_flush(t);
    return t->data + t->len;
}

static inline void
outtext_char(struct outtext *t, char c)
{
    *outtext_room(t, 1) = c;
    t->len++;
}

/* Append text of any length. */
static inline void
outtext_put(struct outtext *t, const char *text, size_t len)
{
    if (len > OUTTEXT_BYTES) {
        outtext_flush(t);
        fwrite(text, 1, len, t->f);
        return;
    }
    memcpy(outtext_room(t, len), text, len);
    t->len += len;
}

static inline void
outtext_text(struct outtext *t, const char *text)
{
    outtext_put(t, text, strlen(text));
}

static inline void
outtext_number(struct outtext *t, u64 value)
{
    char digits[OUTTEXT_NUMBER], *at = digits + sizeof(digits);

    do {
        *--at = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    outtext_put(t, at, (size_t)(digits + sizeof(digits) - at));
}

/*
 * Append a time in milliseconds, with as many digits as it needs: 1500000 ns are "1.5".
 */
static inline void
outtext_ms(struct outtext *t, u64 ns)
{
    u32 rest = (u32)(ns % 1000000);
    char *at;

    outtext_number(t, ns / 1000000);
    if (!rest)
        return;
    at = outtext_room(t, 7);
    *at++ = '.';
    t->len++;
    for (u32 unit = 100000; rest; unit /= 10) {
        *at++ = (char)('0' + rest / unit);
        rest %= unit;
        t->len++;
    }
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes one deflate block with the fixed codes. Matches are found by chains of places
 * that begin with the same three bytes.
 */
#include "print/out/gzip.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "share/types.h"

enum {
    WINDOW = 32768,
    HASH_BITS = 15,
    MATCH_MIN = 3,
    MATCH_MAX = 258,
    CHAIN_MAX = 48,  /* places to compare with for a match */
    GOOD_MATCH = 64, /* long enough to stop looking */
    END_OF_BLOCK = 256,
};

static const unsigned short length_base[] = {
    3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
    31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
};
static const unsigned char length_extra[] = {
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5,
    0,
};
static const unsigned short distance_base[] = {
    1,    2,    3,    4,    5,    7,    9,    13,   17,   25,   33,   49,   65,
    97,   129,  193,  257,  385,  513,  769,  1025, 1537, 2049, 3073, 4097, 6145,
    8193, 12289, 16385, 24577,
};
static const unsigned char distance_extra[] = {
    0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
    6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
};

struct deflate {
    const unsigned char *data;
    size_t len;
    FILE *f;
    u64 bits;
    unsigned nbits;
    size_t *head; /* by hash of three bytes: the last place with the hash, + 1 */
    size_t *prev; /* by place in the window: the previous place with its hash, + 1 */
};

static void
put_bits(struct deflate *d, u32 value, unsigned n)
{
    d->bits |= (u64)value << d->nbits;
    for (d->nbits += n; d->nbits >= 8; d->nbits -= 8, d->bits >>= 8)
        putc((int)(d->bits & 0xff), d->f);
}

/* Huffman codes are written from their highest bit on, so the bits are reversed. */
static void
put_code(struct deflate *d, u32 code, unsigned n)
{
    u32 turned = 0;

    for (unsigned i = 0; i < n; i++)
        turned |= (code >> i & 1) << (n - 1 - i);
    put_bits(d, turned, n);
}

static void
put_symbol(struct deflate *d, u32 symbol)
{
    if (symbol < 144)
        put_code(d, 0x30 + symbol, 8);
    else if (symbol < 256)
        put_code(d, 0x190 + symbol - 144, 9);
    else if (symbol < 280)
        put_code(d, symbol - 256, 7);
    else
        put_code(d, 0xc0 + symbol - 280, 8);
}

static void
put_match(struct deflate *d, u32 length, u32 distance)
{
    u32 i = ER_COUNT(length_base) - 1;

    while (length_base[i] > length)
        i--;
    put_symbol(d, 257 + i);
    put_bits(d, length - length_base[i], length_extra[i]);
    i = ER_COUNT(distance_base) - 1;
    while (distance_base[i] > distance)
        i--;
    put_code(d, i, 5);
    put_bits(d, distance - distance_base[i], distance_extra[i]);
}

static u32
hash_at(const struct deflate *d, size_t at)
{
    const unsigned char *p = d->data + at;

    return ((u32)p[0] << 16 | (u32)p[1] << 8 | p[2]) * 2654435761u >> (32 - HASH_BITS);
}

static void
remember(struct deflate *d, size_t at)
{
    size_t *head;

    if (d->len - at < MATCH_MIN)
        return;
    head = &d->head[hash_at(d, at)];
    d->prev[at % WINDOW] = *head;
    *head = at + 1;
}

/*
 * Find the longest match for the bytes at a place. Returns its length, 0 = there is
 * none; *distance is how far back it begins.
 */
static u32
find_match(const struct deflate *d, size_t at, u32 *distance)
{
    u32 best = 0, most = d->len - at < MATCH_MAX ? (u32)(d->len - at) : MATCH_MAX;
    size_t from;

    if (most < MATCH_MIN)
        return 0;
    from = d->head[hash_at(d, at)];
    for (int left = CHAIN_MAX; from && left && at - (from - 1) <= WINDOW; left--) {
        const unsigned char *a = d->data + from - 1, *b = d->data + at;
        size_t next = d->prev[(from - 1) % WINDOW];
        u32 n = 0;

        while (n < most && a[n] == b[n])
            n++;
        if (n > best) {
            best = n;
            *distance = (u32)(at - (from - 1));
        }
        if (best >= GOOD_MATCH || next >= from)
            break;
        from = next;
    }
    return best >= MATCH_MIN ? best : 0;
}

static void
deflate(struct deflate *d)
{
    put_bits(d, 1, 1); /* the last block */
    put_bits(d, 1, 2); /* fixed codes */
    for (size_t at = 0; at < d->len;) {
        u32 distance = 0, length = find_match(d, at, &distance);

        if (length)
            put_match(d, length, distance);
        else
            put_symbol(d, d->data[at]);
        for (length = length ? length : 1; length; length--)
            remember(d, at++);
    }
    put_symbol(d, END_OF_BLOCK);
    if (d->nbits)
        put_bits(d, 0, 8 - d->nbits);
}

static u32
crc32(const unsigned char *data, size_t len)
{
    u32 table[256], crc = ~0u;

    for (u32 i = 0; i < 256; i++) {
        table[i] = i;
        for (int k = 0; k < 8; k++)
            table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
    }
    for (size_t i = 0; i < len; i++)
        crc = table[(crc ^ data[i]) & 0xff] ^ crc >> 8;
    return ~crc;
}

int
gzip_write(const void *data, size_t len, FILE *f)
{
    /* Header: deflate, no name, no time, unknown system. */
    static const unsigned char head[] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255 };
    struct deflate d = { .data = data, .len = len, .f = f };

    d.head = calloc((size_t)1 << HASH_BITS, sizeof(*d.head));
    d.prev = calloc(WINDOW, sizeof(*d.prev));
    if (!d.head || !d.prev) {
        free(d.head);
        free(d.prev);
        return -ENOMEM;
    }
    fwrite(head, 1, sizeof(head), f);
    deflate(&d);
    put_bits(&d, crc32(data, len), 32);
    put_bits(&d, (u32)len, 32);
    free(d.head);
    free(d.prev);
    return 0;
}

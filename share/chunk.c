/* SPDX-License-Identifier: Apache-2.0 */
#include "share/chunk.h"

#include <errno.h>

static u32
crc32c_byte(u32 crc, unsigned char byte)
{
    crc ^= byte;
    for (int i = 0; i < 8; i++)
        crc = crc >> 1 ^ (0x82f63b78 & (0 - (crc & 1)));
    return crc;
}

#ifdef __x86_64__
/*
 * CPUID leaf 1, ecx bit 20 (Intel SDM vol. 2A). Not cached, since this is called
 * rarely.
 */
static int
have_crc32(void)
{
    u32 a = 1, b, c = 0, d;

    __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    return c >> 20 & 1;
}

__attribute__((target("sse4.2"))) static u32
crc32c_fast(u32 crc, const unsigned char *p, size_t len)
{
    u64 wide = crc;

    for (; len >= 8; len -= 8, p += 8) {
        u64 word;

        memcpy(&word, p, 8);
        wide = __builtin_ia32_crc32di(wide, word);
    }
    crc = (u32)wide;
    while (len--)
        crc = __builtin_ia32_crc32qi(crc, *p++);
    return crc;
}
#else
static int
have_crc32(void)
{
    return 0;
}

static u32
crc32c_fast(u32 crc, const unsigned char *p, size_t len)
{
    while (len--)
        crc = crc32c_byte(crc, *p++);
    return crc;
}
#endif

u32
crc32c(u32 crc, const void *data, size_t len)
{
    const unsigned char *p = data;

    crc = ~crc;
    if (len >= 64 && have_crc32())
        return ~crc32c_fast(crc, p, len);
    while (len--)
        crc = crc32c_byte(crc, *p++);
    return ~crc;
}

u32
chunk_header_crc(const struct er_chunk *chunk)
{
    struct er_chunk constant = *chunk;

    constant.flags = 0;
    constant.committed = 0;
    constant.dropped = 0;
    return crc32c(0, &constant, offsetof(struct er_chunk, header_crc));
}

static u32
align64(u32 n)
{
    return (n + 63) & ~63u;
}

u32
chunk_span(const struct er_chunk *chunk)
{
    uint16_t flags = __atomic_load_n(&chunk->flags, __ATOMIC_ACQUIRE);

    if (flags & CHUNK_REST)
        return align64(chunk->committed);
    return chunk->size;
}

/* Can a chunk at this offset have this size? */
static int
span_ok(u64 at, u32 span)
{
    return span >= sizeof(struct er_chunk) && span % 64 == 0 &&
           at % ER_SEGMENT + span <= ER_SEGMENT;
}

static int
header_ok(const struct er_chunk *chunk, u32 file, u32 committed)
{
    return chunk->version == ER_CHUNK_VERSION && chunk->file == file &&
           committed >= sizeof(*chunk) && committed <= chunk->size &&
           chunk->header_crc == chunk_header_crc(chunk);
}

/*
 * No chunk begins at this offset: return where to continue. That is the next header in
 * this segment that looks valid; else the next segment. A thread may have reserved
 * space without writing its header (yet); that must not hide the chunks after it.
 */
static u64
next_header(const struct chunk_cursor *cursor, u64 at)
{
    u64 end = (at / ER_SEGMENT + 1) * ER_SEGMENT;

    for (at += 64; at < end && at + sizeof(struct er_chunk) <= cursor->size; at += 64) {
        const struct er_chunk *chunk = (const void *)(cursor->data + at);
        u32 magic = __atomic_load_n(&chunk->magic, __ATOMIC_ACQUIRE);

        if (magic == ER_CHUNK_MAGIC && span_ok(at, chunk->size) &&
            header_ok(chunk, cursor->file, chunk->committed))
            return at;
    }
    return end;
}

/* Look at one place: 1: a chunk with records; 0: none here, continue; < 0: damaged. */
static int
step(struct chunk_cursor *cursor, const struct er_chunk **out, u32 *committed)
{
    u64 at = cursor->next;
    const struct er_chunk *chunk = (const void *)(cursor->data + at);
    u32 magic = __atomic_load_n(&chunk->magic, __ATOMIC_ACQUIRE);
    u32 done, span;

    if (magic == 0) {
        cursor->next = next_header(cursor, at);
        cursor->blank_from = at;
        cursor->blank_to = cursor->next < cursor->size ? cursor->next : cursor->size;
        return 0;
    }
    span = chunk_span(chunk);
    if (magic != ER_CHUNK_MAGIC || !span_ok(at, span)) {
        cursor->next = next_header(cursor, at);
        return -EBADMSG;
    }
    cursor->next = at + span;
    if (__atomic_load_n(&chunk->flags, __ATOMIC_ACQUIRE) & CHUNK_FREE)
        return 0;
    done = __atomic_load_n(&chunk->committed, __ATOMIC_ACQUIRE);
    if (!header_ok(chunk, cursor->file, done))
        return -EBADMSG;
    if (at + done > cursor->size)
        done = (u32)(cursor->size - at);
    *committed = done;
    *out = chunk;
    return 1;
}

int
chunk_next(struct chunk_cursor *cursor, const struct er_chunk **chunk, u32 *committed,
           u64 *where)
{
    while (cursor->next + sizeof(struct er_chunk) <= cursor->size) {
        u64 at = cursor->next;
        int got = step(cursor, chunk, committed);

        if (got != 0)
            *where = at;
        if (got != 0)
            return got;
    }
    return 0;
}

int
chunk_data_ok(const struct er_chunk *chunk, u32 committed)
{
    if (!(__atomic_load_n(&chunk->flags, __ATOMIC_ACQUIRE) & CHUNK_SEALED))
        return 1;
    if (committed != chunk->committed)
        return 0;
    return chunk->data_crc ==
           crc32c(0, (const char *)chunk + sizeof(*chunk), committed - sizeof(*chunk));
}

/* The offset in the chunk from which on there are only zeros. */
static u32
zeros_from(const struct er_chunk *chunk, u32 committed)
{
    const unsigned char *bytes = (const unsigned char *)chunk;

    while (committed > sizeof(*chunk) && !bytes[committed - 1])
        committed--;
    return committed;
}

u32
chunk_believed(const struct er_chunk *chunk, u32 committed, u64 where)
{
    int sealed = __atomic_load_n(&chunk->flags, __ATOMIC_ACQUIRE) & CHUNK_SEALED;
    u32 zeros, lost;

    if (committed < chunk->committed || (sealed && chunk_data_ok(chunk, committed)))
        return committed;
    zeros = zeros_from(chunk, committed);
    lost = (u32)((where + zeros + ER_BLOCK - 1) / ER_BLOCK * ER_BLOCK - where);
    /* The last record may end in zeros, but no record begins with a zero byte. */
    if (lost < committed && (sealed || committed - zeros > ER_RECORD_MAX))
        return lost;
    return sealed ? 0 : committed;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chunks: the units of data files. A chunk has records of one file by one thread, and
 * can be decoded without any other chunk. Any context: no allocation, no locks, no libc
 * beyond mem*.
 *
 * A file is a row of segments of ER_SEGMENT bytes. Chunks fill each segment from its
 * start and never cross into the next one. A magic of zero means that the space is not
 * in use, or that its owner has not written the header yet; later headers in the
 * segment may be valid.
 */
#ifndef ERTOOLS_SHARE_CHUNK_H
#define ERTOOLS_SHARE_CHUNK_H

#include "share/record.h"
#include "share/types.h"

enum {
    ER_SEGMENT = 1 << 20,    /* bytes by which files grow */
    ER_CHUNK_MIN = 4096,     /* bytes of a thread's first chunk of a file */
    ER_BLOCK = 512,          /* bytes that a disk writes atomically */
    ER_CHUNK_REST = 512,     /* bytes: smallest remainder that another chunk may use */
    ER_CHUNK_MAGIC = 0x4b435245, /* "ERCK" */
    ER_CHUNK_VERSION = 1,
};

enum er_chunk_flag {
    CHUNK_SEALED = 1, /* complete; data_crc is valid */
    CHUNK_REST = 2,   /* sealed, and another chunk begins after its records */
    CHUNK_NESTED = 4, /* written by a handler that interrupted its owner */
    CHUNK_FREE = 8,   /* no records; only size and thread_id, a link, are valid */
};

/*
 * A chunk's header; little-endian. After the chunk was started, only committed,
 * dropped, flags and data_crc change; committed is written last, with release order.
 */
struct er_chunk {
    u32 magic;
    uint8_t version;
    uint8_t file; /* enum er_file */
    uint16_t flags;
    u32 size;      /* bytes, header included */
    u32 committed; /* bytes, header included */
    u32 thread_id; /* row in the file threads; 0 = the launcher */
    u32 chunk_seq; /* number among the chunks of this thread and file, from 0 */
    u32 owner_gen; /* number of earlier owners of this space */
    u32 dropped;   /* records lost since this thread's last chunk: no room */
    u64 tsc0;      /* clock ticks at the start: base of the records' times */
    u64 mono0;     /* CLOCK_MONOTONIC ns, read together with tsc0 */
    u64 prev_addr; /* base of the first ADDR */
    u32 header_crc;
    u32 data_crc; /* crc of the bytes from sizeof(struct er_chunk) to committed */
};

_Static_assert(sizeof(struct er_chunk) == 64, "the header is 64 bytes");

/*
 * CRC-32C (Castagnoli, reflected, as in RFC 3720) of len bytes; crc: the result for the
 * bytes before them, 0 = there are none.
 */
u32 crc32c(u32 crc, const void *data, size_t len);

/* The crc of the members of the header that do not change. */
u32 chunk_header_crc(const struct er_chunk *chunk);

/* The end of the space that is reserved for a chunk, relative to its start. */
u32 chunk_span(const struct er_chunk *chunk);

/*
 * A reader's walk over the chunks of a mapped file, which may grow in the meantime. Set
 * data, size and file; all else 0.
 */
struct chunk_cursor {
    const unsigned char *data;
    u64 size; /* bytes that may be read */
    u32 file; /* enum er_file expected */
    u64 next; /* offset of the next chunk */
    u64 blank_from, blank_to; /* the last unused space that was passed */
};

/*
 * Find the next chunk with records. Returns 1, and sets *chunk (the header in data) and
 * *committed (checked against the chunk, the segment and size); 0 at the end; -EBADMSG
 * for a damaged chunk at *where (wrong crc, magic or sizes). After damage, the cursor
 * is past the chunk or, if its size cannot be trusted, at the next header.
 */
int chunk_next(struct chunk_cursor *cursor, const struct er_chunk **chunk,
               u32 *committed, u64 *where);

/*
 * How many bytes of a chunk, with its header, hold valid records. where: the chunk's
 * offset; committed: from chunk_next(). The result is less than chunk->committed if the
 * file was cut off, or if there are only zeros from a multiple of 512 on, as after a
 * power failure: then the last record may be incomplete. 0: the checksum is wrong for
 * another reason.
 */
u32 chunk_believed(const struct er_chunk *chunk, u32 committed, u64 where);

/*
 * 1: the chunk is sealed and its data_crc is right, or it is not sealed; 0: its records
 * are damaged.
 */
int chunk_data_ok(const struct er_chunk *chunk, u32 committed);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "share/chunk.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

enum {
    FILES_BYTES = 2 * ER_SEGMENT,
    DATA = 100,
};

static unsigned char file[FILES_BYTES] __attribute__((aligned(64)));

/* A whole chunk of size bytes at offset at. */
static struct er_chunk *
put(u32 at, u32 size, u32 thread)
{
    struct er_chunk *chunk = (void *)(file + at);

    memset(chunk + 1, (int)thread, DATA);
    *chunk = (struct er_chunk){ .magic = ER_CHUNK_MAGIC,
                                .version = ER_CHUNK_VERSION,
                                .file = FILE_profile,
                                .size = size,
                                .committed = sizeof(*chunk) + DATA,
                                .thread_id = thread };
    chunk->header_crc = chunk_header_crc(chunk);
    return chunk;
}

/* The threads of all chunks in the order of the file, "!" for a damaged one. */
static const char *
walk(u64 size)
{
    static char seen[64];
    struct chunk_cursor cursor = { .data = file, .size = size, .file = FILE_profile };
    const struct er_chunk *chunk;
    u32 committed, n = 0;
    u64 where;
    int ret;

    while ((ret = chunk_next(&cursor, &chunk, &committed, &where)) != 0 && n < 63)
        seen[n++] = ret < 0 ? '!' : (char)('0' + chunk->thread_id);
    seen[n] = 0;
    return seen;
}

Test(chunk, chunks_follow_each_other)
{
    put(0, 4096, 1);
    put(4096, 8192, 2);
    put(ER_SEGMENT, 4096, 3);
    cr_assert_str_eq(walk(FILES_BYTES), "123");
    cr_assert_str_eq(walk(ER_SEGMENT), "12");
    cr_assert_str_eq(walk(4096), "1");
}

Test(chunk, one_may_be_full_and_end_with_its_segment)
{
    struct er_chunk *chunk = put(ER_SEGMENT - 4096, 4096, 1);

    put(0, ER_SEGMENT - 4096, 2);
    chunk->committed = chunk->size;
    put(ER_SEGMENT, ER_SEGMENT, 3);
    cr_assert_str_eq(walk(FILES_BYTES), "213");
    /* No more than full, and not beyond. */
    chunk->committed++;
    cr_assert_str_eq(walk(FILES_BYTES), "2!3");
    put(ER_SEGMENT - 4096, 4096 + 64, 1);
    cr_assert_str_eq(walk(FILES_BYTES), "2!3");
}

Test(chunk, a_claim_without_a_header_hides_nothing)
{
    /* Its owner was killed, or has not got to write it yet. */
    put(0, 4096, 1);
    put(4096 + 8192, 4096, 2);
    put(ER_SEGMENT + 65536, 4096, 3);
    cr_assert_str_eq(walk(FILES_BYTES), "123");
}

Test(chunk, a_header_in_the_making_is_not_taken_for_one)
{
    struct er_chunk *half = put(4096, 4096, 2);

    put(0, 4096, 1);
    half->magic = 0;
    put(8192, 4096, 3)->header_crc ^= 1;
    put(8192 + 4096, 4096, 4);
    cr_assert_str_eq(walk(ER_SEGMENT), "14");
}

Test(chunk, a_chunk_whose_size_is_wrong_fails_alone)
{
    put(0, 4096, 1);
    put(4096, 4096, 2)->size = 77;
    put(8192, 4096, 3);
    cr_assert_str_eq(walk(ER_SEGMENT), "1!3");
    put(4096, 4096, 2)->size = 2 * ER_SEGMENT;
    cr_assert_str_eq(walk(ER_SEGMENT), "1!3");
}

Test(chunk, a_chunk_of_another_file_fails_alone)
{
    put(0, 4096, 1);
    put(4096, 4096, 2)->file = FILE_overview;
    put(8192, 4096, 3);
    cr_assert_str_eq(walk(ER_SEGMENT), "1!3");
}

Test(chunk, free_space_is_passed_over)
{
    put(0, 4096, 1);
    put(4096, 4096, 2)->flags = CHUNK_FREE;
    put(8192, 4096, 3)->flags = CHUNK_SEALED | CHUNK_REST;
    put(8192 + 192, 4096 - 192, 4);
    cr_assert_str_eq(walk(ER_SEGMENT), "134");
}

Test(chunk, records_are_judged_when_sealed)
{
    struct er_chunk *chunk = put(0, 4096, 1);

    cr_assert(chunk_data_ok(chunk, chunk->committed), "not sealed: nothing to say");
    chunk->flags = CHUNK_SEALED;
    cr_assert_not(chunk_data_ok(chunk, chunk->committed));
    chunk->data_crc = crc32c(0, chunk + 1, DATA);
    cr_assert(chunk_data_ok(chunk, chunk->committed));
}

/* One of 2048 committed bytes at 4096, sealed or not. */
static struct er_chunk *
put_long(u32 flags)
{
    struct er_chunk *chunk = put(4096, 4096, 1);

    memset(chunk + 1, 1, 2048 - sizeof(*chunk));
    chunk->committed = 2048;
    chunk->flags = (uint16_t)flags;
    chunk->data_crc = crc32c(0, chunk + 1, 2048 - sizeof(*chunk));
    return chunk;
}

Test(chunk, what_is_left_of_one_is_believed)
{
    for (u32 flags = 0; flags <= CHUNK_SEALED; flags += CHUNK_SEALED) {
        struct er_chunk *chunk = put_long(flags);

        cr_assert_eq(chunk_believed(chunk, 2048, 4096), 2048);
        cr_assert_eq(chunk_believed(chunk, 777, 4096), 777, "the file was cut there");
        memset((char *)chunk + 1024, 0, 1024);
        cr_assert_eq(chunk_believed(chunk, 2048, 4096), 1024, "zeros from there on");
        memset((char *)chunk + 1000, 0, 24);
        cr_assert_eq(chunk_believed(chunk, 2048, 4096), 1024, "whole blocks are lost");
        memset(chunk + 1, 0, 1024 - sizeof(*chunk));
        cr_assert_eq(chunk_believed(chunk, 2048, 4096), 512);
    }
}

Test(chunk, zeros_of_the_last_record_are_its_own)
{
    struct er_chunk *chunk = put_long(0);

    memset((char *)chunk + 2030, 0, 18);
    cr_assert_eq(chunk_believed(chunk, 2048, 4096), 2048);
    chunk->flags = CHUNK_SEALED;
    cr_assert_eq(chunk_believed(chunk, 2048, 4096), 0, "the checksum is wrong");
    chunk->data_crc = crc32c(0, chunk + 1, 2048 - sizeof(*chunk));
    cr_assert_eq(chunk_believed(chunk, 2048, 4096), 2048);
}

Test(chunk, both_ways_to_the_crc_agree)
{
    /* RFC 3720, B.4: 32 bytes of zeros, of ones, and counting up. */
    unsigned char bytes[256];
    u32 whole, parts;

    memset(bytes, 0, 32);
    cr_assert_eq(crc32c(0, bytes, 32), 0x8a9136aau);
    memset(bytes, 0xff, 32);
    cr_assert_eq(crc32c(0, bytes, 32), 0x62a8ab43u);
    for (int i = 0; i < 256; i++)
        bytes[i] = (unsigned char)i;
    cr_assert_eq(crc32c(0, bytes, 32), 0x46dd794eu);
    whole = crc32c(0, bytes, 256); /* the instruction, where there is one */
    parts = 0;
    for (int i = 0; i < 256; i += 32)
        parts = crc32c(parts, bytes + i, 32);
    cr_assert_eq(whole, parts);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/space.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    FILE_SEGMENTS = 40,
    THREADS = 4,
    LIVES = 300,
    RECORDS = 40,
};

static struct ctl ctl;
static unsigned char *all; /* the whole file, mapped by itself */

static void
start(void)
{
    u64 bytes = (u64)FILE_SEGMENTS * ER_SEGMENT;
    int fd = memfd_create("profile", 0);
    unsigned char *window;

    cr_assert(fd >= 0 && ftruncate(fd, (off_t)bytes) == 0);
    all = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    window = mmap(NULL, (u64)SPACE_WINDOW * ER_SEGMENT, PROT_READ | PROT_WRITE,
                  MAP_SHARED, fd, 0);
    close(fd);
    memset(&ctl, 0, sizeof(ctl));
    memset(space_files, 0, sizeof(space_files));
    space_ctl = &ctl;
    ctl.file[FILE_profile].reserved = bytes;
    space_start(FILE_profile, window);
}

TestSuite(space, .init = start);

/* A record of len bytes, each of them `thread`; 1, or 0 if there was no room. */
static int
put(struct chunk_writer *w, u32 thread, u32 len)
{
    unsigned char *p = writer_begin(w, FILE_profile, thread, 1, len);

    if (!p)
        return 0;
    memset(p, (int)thread, len);
    writer_commit(w, p + len);
    return 1;
}

/* Bytes of records of each thread; fails if a chunk is not what its owner wrote. */
static void
count(u64 bytes[THREADS + 1])
{
    struct chunk_cursor cursor = { .data = all, .file = FILE_profile };
    const struct er_chunk *chunk;
    u32 committed;
    u64 where = 0;
    int ret;

    memset(bytes, 0, (THREADS + 1) * sizeof(*bytes));
    cursor.size = (u64)FILE_SEGMENTS * ER_SEGMENT;
    while ((ret = chunk_next(&cursor, &chunk, &committed, &where)) == 1) {
        const unsigned char *p = (const unsigned char *)(chunk + 1);

        cr_assert(chunk->thread_id >= 1 && chunk->thread_id <= THREADS);
        cr_assert(chunk_data_ok(chunk, committed));
        for (u32 i = 0; i < committed - sizeof(*chunk); i++)
            cr_assert_eq(p[i], chunk->thread_id);
        bytes[chunk->thread_id] += committed - sizeof(*chunk);
    }
    cr_assert_eq(ret, 0, "damaged at %llu", (unsigned long long)where);
}

Test(space, a_long_record_does_not_run_over_the_end_of_a_segment)
{
    struct chunk_writer one = { 0 }, two = { 0 };
    u64 bytes[THREADS + 1];

    ctl.file[FILE_profile].next = ER_SEGMENT - ER_CHUNK_REST;
    cr_assert(put(&one, 1, 1200));
    cr_assert(put(&two, 2, 10));
    count(bytes);
    cr_assert_eq(bytes[1], 1200u);
    cr_assert_eq(bytes[2], 10u);
    cr_assert_eq(one.chunk->committed <= one.chunk->size, 1);
}

Test(space, a_long_record_does_not_run_over_the_end_of_a_remainder)
{
    struct chunk_writer one = { 0 }, two = { 0 }, three = { 0 };
    u64 bytes[THREADS + 1];

    /* Leaves a little more than ER_CHUNK_REST; the next chunk follows at once. */
    cr_assert(put(&one, 1, ER_CHUNK_MIN - ER_CHUNK_REST - 192));
    cr_assert(put(&three, 3, 10));
    writer_seal(&one, FILE_profile);
    cr_assert_neq(ctl.file[FILE_profile].rest, 0u);
    cr_assert(put(&two, 2, 1200));
    count(bytes);
    cr_assert_eq(bytes[2], 1200u);
    cr_assert_eq(bytes[3], 10u, "the neighbour's chunk is as it was");
}

Test(space, a_remainder_serves_another_thread)
{
    struct chunk_writer one = { 0 }, two = { 0 };
    u64 bytes[THREADS + 1], before;

    cr_assert(put(&one, 1, 100));
    writer_seal(&one, FILE_profile);
    before = ctl.file[FILE_profile].next;
    cr_assert(put(&two, 2, 100));
    cr_assert_eq(ctl.file[FILE_profile].next, before);
    cr_assert_eq(two.chunk->owner_gen, 1u);
    count(bytes);
    cr_assert_eq(bytes[1] + bytes[2], 200u);
}

Test(space, what_is_not_reserved_is_not_taken)
{
    struct chunk_writer one = { 0 };

    ctl.file[FILE_profile].reserved = ER_SEGMENT;
    ctl.file[FILE_profile].next = ER_SEGMENT - 256;
    cr_assert_not(put(&one, 1, 10));
    cr_assert_not(put(&one, 1, 10));
    cr_assert_eq(one.lost, 2u);
    cr_assert_eq(ctl.file[FILE_profile].next, (u64)ER_SEGMENT - 256);
    cr_assert_neq(ctl.want & WANT_SPACE, 0u);
    ctl.file[FILE_profile].reserved += ER_SEGMENT;
    cr_assert(put(&one, 1, 10));
    cr_assert_eq(one.chunk->dropped, 2u);
}

Test(space, what_cannot_be_mapped_is_not_taken)
{
    const u64 end = (u64)SPACE_SEGMENTS * ER_SEGMENT;
    struct chunk_writer one = { 0 };

    ctl.file[FILE_profile].reserved = end + 2 * ER_SEGMENT;
    ctl.file[FILE_profile].next = end;
    cr_assert_not(put(&one, 1, 10));
    cr_assert_eq(ctl.file[FILE_profile].next, end, "or the file would grow for ever");
}

Test(space, further_windows_show_the_same_file)
{
    struct chunk_writer one = { 0 };
    u64 bytes[THREADS + 1];
    u32 records = 0;

    while (ctl.file[FILE_profile].next < 35ull * ER_SEGMENT) {
        cr_assert(put(&one, 1, 2048));
        records++;
    }
    cr_assert(space_files[FILE_profile].mapped > 2 * SPACE_WINDOW);
    count(bytes);
    cr_assert_eq(bytes[1], records * 2048ull);
}

static void *
live(void *arg)
{
    u32 thread = *(u32 *)arg;

    for (int i = 0; i < LIVES; i++) {
        struct chunk_writer w = { 0 };

        for (int k = 0; k < RECORDS; k++)
            cr_assert(put(&w, thread, 17));
        writer_seal(&w, FILE_profile);
    }
    return NULL;
}

Test(space, threads_come_and_go)
{
    pthread_t thread[THREADS];
    u32 ids[THREADS];
    u64 bytes[THREADS + 1];

    for (u32 i = 0; i < THREADS; i++) {
        ids[i] = i + 1;
        pthread_create(&thread[i], NULL, live, &ids[i]);
    }
    for (u32 i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    count(bytes);
    for (u32 i = 1; i <= THREADS; i++)
        cr_assert_eq(bytes[i], (u64)LIVES * RECORDS * 17);
}

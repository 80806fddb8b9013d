/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/space.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collector/sig/clock.h"

/* A data file of so many segments, and a control page: what the launcher provides. */
static int data;
static struct ctl ctl;

static void
reserve(u64 segments)
{
    cr_assert_eq(ftruncate(data, (off_t)(segments * ER_SEGMENT)), 0);
    __atomic_store_n(&ctl.file[FILE_profile].reserved, segments * ER_SEGMENT,
                     __ATOMIC_RELEASE);
}

static void
start(u64 segments)
{
    unsigned char *base;

    data = memfd_create("profile", 0);
    reserve(segments);
    base = mmap(NULL, (size_t)SPACE_WINDOW * ER_SEGMENT, PROT_READ | PROT_WRITE,
                MAP_SHARED, data, 0);
    cr_assert_neq(base, MAP_FAILED);
    space_start(FILE_profile, base);
    space_ctl = &ctl;
}

static int
put(struct chunk_writer *w, u32 thread, u64 time, u32 node)
{
    struct rec_clock r = { time, node, thread & 3, 0, 997000 };
    unsigned char *p = writer_begin(w, FILE_profile, thread, time, ER_RECORD_MAX);

    if (p)
        writer_commit(w, rec_put_clock(&w->codec, p, &r));
    return p != NULL;
}

struct found {
    u64 records, chunks, sealed, bad, reused, lost, wrong;
    u64 of_thread[64];
};

static void
decode(struct found *f, const struct er_chunk *chunk, u32 committed)
{
    const unsigned char *p = (const unsigned char *)(chunk + 1);
    const unsigned char *end = (const unsigned char *)chunk + committed;
    struct codec c;
    u64 time, v, last = 0;
    u32 kind, node;

    codec_start(&c, chunk->tsc0, chunk->prev_addr);
    while (p < end) {
        if (get_head(&c, &p, end, &kind, &time) < 0 || kind != KIND_clock ||
            get_node(&c, &p, end, &node) < 0 || get_varint(&p, end, &v) < 0 ||
            get_varint(&p, end, &v) < 0 || get_varint(&p, end, &v) < 0) {
            f->bad++;
            return;
        }
        f->wrong += time < last || node % 64 != chunk->thread_id;
        last = time;
        f->records++;
        f->of_thread[chunk->thread_id % 64]++;
    }
}

static struct found
look(void)
{
    struct found f = { 0 };
    struct chunk_cursor cursor = { .file = FILE_profile };
    const struct er_chunk *chunk;
    u64 where;
    u32 committed;
    int ret;

    cursor.size = ctl.file[FILE_profile].reserved;
    cursor.data = mmap(NULL, cursor.size, PROT_READ, MAP_SHARED, data, 0);
    while ((ret = chunk_next(&cursor, &chunk, &committed, &where)) != 0) {
        if (ret < 0) {
            f.bad++;
            continue;
        }
        f.chunks++;
        f.sealed += (chunk->flags & CHUNK_SEALED) != 0;
        f.reused += chunk->owner_gen > 0;
        f.lost += chunk->dropped;
        f.bad += !chunk_data_ok(chunk, committed);
        decode(&f, chunk, committed);
    }
    return f;
}

Test(space, records_come_back)
{
    struct chunk_writer w = { 0 };
    struct found f;

    start(2);
    for (u32 i = 0; i < 1000; i++)
        cr_assert(put(&w, 1, 100 + i * 3000000ull, 1 + 64 * (i % 40)));
    f = look();
    cr_expect_eq(f.records, 1000, "unsealed, all are there");
    writer_seal(&w, FILE_profile);
    f = look();
    cr_expect_eq(f.records, 1000);
    cr_expect_eq(f.sealed, f.chunks);
    cr_expect_eq(f.bad, 0);
    cr_expect_eq(f.wrong, 0);
}

Test(space, chunks_double_up_to_the_largest)
{
    struct chunk_writer w = { 0 };
    u32 largest = 0, last = 0;

    start(4);
    for (u32 i = 0; i < 60000; i++) {
        cr_assert(put(&w, 1, 100 + i * 3000000ull, 1 + 64 * (i % 1000)));
        if (i == 0)
            cr_expect_eq(w.size, ER_CHUNK_MIN);
        cr_expect(w.size <= er_files[FILE_profile].chunk_max);
        cr_expect((w.used & ~0u) <= w.size);
        if (w.size != last && last)
            cr_expect(w.size <= last * 2);
        last = w.size;
        largest = w.size > largest ? w.size : largest;
    }
    cr_expect_eq(largest, er_files[FILE_profile].chunk_max);
    cr_expect_eq(look().records, 60000);
}

Test(space, a_remainder_has_a_next_owner)
{
    start(1);
    for (u32 i = 0; i < 100; i++) {
        struct chunk_writer w = { 0 };

        for (u32 k = 0; k < 5; k++)
            cr_assert(put(&w, 1 + i % 60, 100 + k, 1 + i % 60 + 64 * k));
        writer_seal(&w, FILE_profile);
    }
    cr_expect_eq(look().records, 500);
    cr_expect_gt(look().reused, 90);
    cr_expect_eq(look().bad, 0);
    cr_expect_lt(ctl.file[FILE_profile].next, 5 * ER_CHUNK_MIN, "they share the space");
}

Test(space, without_room_records_are_dropped_and_counted)
{
    struct chunk_writer w = { 0 };
    u64 got = 0, dropped = 0;
    struct found f;

    start(1);
    for (u32 i = 0; i < 400000; i++) {
        if (put(&w, 1, 100 + i * 3000000ull, 1 + 64 * (i % 1000)))
            got++;
        else
            dropped++;
    }
    cr_expect_gt(dropped, 0);
    cr_expect(ctl.want & WANT_SPACE, "the launcher is asked");
    cr_expect_eq(w.lost, dropped);
    reserve(4);
    cr_assert(put(&w, 1, ~0ull >> 8, 1), "it goes on when there is room");
    f = look();
    cr_expect_eq(f.records, got + 1);
    cr_expect_eq(f.lost, dropped, "the next chunk says how many were lost");
    cr_expect_eq(f.bad, 0);
}

Test(space, windows_follow_each_other)
{
    struct chunk_writer w = { 0 };
    u32 segments = SPACE_WINDOW * 2 + 4;
    u64 got = 0;

    start(segments);
    close(dup(data));
    while (put(&w, 1, 100 + got * 3000000ull, (u32)(1 + 64 * (got * 7919 % 100000))))
        got++;
    cr_expect_geq(ctl.file[FILE_profile].next, (u64)segments * ER_SEGMENT - 65536);
    cr_expect_geq(space_files[FILE_profile].mapped, segments);
    writer_seal(&w, FILE_profile);
    cr_expect_eq(look().records, got);
    cr_expect_eq(look().bad, 0);
    cr_expect_null(space_at(FILE_profile, (u64)SPACE_SEGMENTS * ER_SEGMENT));
}

enum {
    THREADS = 12,
    LIVES = 200,
};

static u64 put_by[64];

/* Short-lived writers, one after the other, beside those of other threads. */
static void *
many_lives(void *arg)
{
    u32 id = (u32)(uintptr_t)arg;

    for (u32 life = 0; life < LIVES; life++) {
        struct chunk_writer w = { 0 };
        u32 n = 1 + (id * 31 + life * 17) % 400;

        for (u32 i = 0; i < n; i++)
            put_by[id] += (u64)put(&w, id, 100 + i * 1000ull, id + 64 * (i % 90));
        writer_seal(&w, FILE_profile);
    }
    return NULL;
}

Test(space, threads_do_not_meet)
{
    pthread_t id[THREADS];
    struct found f;

    start(SPACE_WINDOW);
    for (u32 i = 0; i < THREADS; i++)
        pthread_create(&id[i], NULL, many_lives, (void *)(uintptr_t)(i + 1));
    for (u32 i = 0; i < THREADS; i++)
        pthread_join(id[i], NULL);
    f = look();
    cr_expect_eq(f.bad, 0);
    cr_expect_eq(f.wrong, 0);
    cr_expect_eq(f.sealed, f.chunks);
    for (u32 i = 1; i <= THREADS; i++)
        cr_expect_eq(f.of_thread[i], put_by[i], "thread %u", i);
    cr_expect_gt(f.reused, 0);
}

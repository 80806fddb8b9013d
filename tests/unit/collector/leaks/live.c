/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/leaks/live.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "share/chunk.h"

/* A file of chunks of 4 KiB. */
static unsigned char file[4 * 4096];
static struct codec codec;
static unsigned char *at;
static u32 chunks;
static struct live live;

static void
begin(u64 tick)
{
    struct er_chunk *chunk = (void *)(file + chunks++ * 4096);

    *chunk = (struct er_chunk){ .magic = ER_CHUNK_MAGIC,
                                .version = ER_CHUNK_VERSION,
                                .file = FILE_heaptrace,
                                .size = 4096,
                                .tsc0 = tick,
                                .thread_id = chunks,
                                .prev_addr = 0 };
    chunk->header_crc = chunk_header_crc(chunk);
    codec_start(&codec, tick >> SHIFT_heaptrace, 0);
    at = (unsigned char *)(chunk + 1);
}

static void
end(void)
{
    struct er_chunk *chunk = (void *)(file + (chunks - 1) * 4096);

    chunk->committed = (u32)(at - (unsigned char *)chunk);
}

static void
allocated(u64 time, u64 addr, u64 size)
{
    struct rec_alloc r = { .time = time, .addr = addr, .size = size, .node = 3 };

    at = rec_put_alloc(&codec, at, &r);
}

static void
freed(u64 time, u64 addr)
{
    struct rec_free r = { .time = time, .addr = addr };

    at = rec_put_free(&codec, at, &r);
}

static int
read_all(void)
{
    FILE *f = tmpfile();
    int ret;

    cr_assert_eq(fwrite(file, 4096, chunks, f), chunks);
    fflush(f);
    ret = live_read(&live, fileno(f), chunks * 4096);
    fclose(f);
    return ret;
}

static void
done(void)
{
    live_free(&live);
}

TestSuite(live, .fini = done);

Test(live, the_latest_event_of_an_address_counts_in_whatever_chunk)
{
    begin(1600);
    allocated(200, 0x1000, 10);
    freed(300, 0x1000);
    freed(500, 0x2000);
    end();
    begin(1600);
    allocated(400, 0x1000, 30);
    allocated(450, 0x2000, 7);
    allocated(460, 0, 99); /* there was no memory */
    end();
    cr_assert_eq(read_all(), 0);
    cr_expect_eq(live.count, 1);
    cr_expect_eq(live.bytes, 30);
}

Test(live, a_block_that_moves_ends_and_begins)
{
    struct rec_realloc r = { .time = 150, .took = 5, .old = 0x1000, .addr = 0x3000,
                             .size = 50, .node = 4 };
    struct graph g;

    begin(1600);
    allocated(110, 0x1000, 10);
    at = rec_put_realloc(&codec, at, &r);
    allocated(160, 0x1000, 20);
    end();
    cr_assert_eq(read_all(), 0);
    cr_expect_eq(live.count, 2);
    cr_expect_eq(live.bytes, 70);
    cr_assert_eq(live_graph(&live, &g), 0);
    cr_expect_eq(g.block[0].addr, 0x1000);
    cr_expect_eq(g.block[1].size, 50);
    graph_free(&g);
}

Test(live, mappings_are_passed_by)
{
    struct rec_map map = { .time = 120, .addr = 0x7000, .size = 4096, .kind = 1,
                           .node = 5 };
    struct rec_unmap unmap = { .time = 130, .addr = 0x7000, .size = 4096 };
    struct rec_remap remap = { .time = 140, .took = 2, .old = 0x7000, .old_size = 5,
                               .addr = 0x9000, .size = 8192, .node = 6 };

    begin(1600);
    at = rec_put_map(&codec, at, &map);
    at = rec_put_unmap(&codec, at, &unmap);
    at = rec_put_remap(&codec, at, &remap);
    allocated(150, 0x1000, 12);
    end();
    cr_assert_eq(read_all(), 0);
    cr_expect_eq(live.count, 1);
    cr_expect_eq(live.bytes, 12);
}

Test(live, damage_is_told)
{
    begin(1600);
    allocated(110, 0x1000, 10);
    end();
    memset(at - 2, 0xff, 2);
    cr_expect_eq(read_all(), -EBADMSG);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/record/records.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/load/experiment.h"
#include "tests/gen/scene.h"

/* What a scan delivered, summed. */
struct seen {
    u64 clocks, weight, nodes, others;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void
on_batch(void *context, const struct batch *batch)
{
    struct seen *seen = context;
    const struct schema_record *r = batch->record;
    int weight = schema_find_field(r, "weight"), node = schema_find_field(r, "node");

    pthread_mutex_lock(&lock);
    for (u32 i = 0; i < batch->count; i++) {
        const u64 *row = batch->row + (u64)i * r->nfields;

        if (weight < 0) {
            seen->others++;
            continue;
        }
        seen->clocks++;
        seen->weight += row[weight];
        seen->nodes += row[node];
    }
    pthread_mutex_unlock(&lock);
}

static struct seen
scan(struct experiment *e, u32 workers, struct record_count *count)
{
    struct seen seen = { 0 };
    struct record_sink sink = { on_batch, &seen, false };
    struct record_source source;

    cr_assert_eq(experiment_source(e, FILE_profile, &source), 0);
    cr_assert_eq(records_scan(&source, &sink, workers, count), 0);
    return seen;
}

static struct experiment *
open_it(const char *path)
{
    struct experiment *e;
    char *why;

    cr_assert_eq(experiment_open(&e, path, &why), 0);
    return e;
}

/* An experiment of n clock records of 3 threads: weights 1 to n, nodes cycling. */
static char *
many(const char *dir, u32 n, bool escapes)
{
    char *path = scene_path(dir, "many.er");
    struct gen *gen = gen_start(path, 3);

    for (u32 i = 1; i <= n; i++) {
        struct rec_clock r = { .node = i * 7 % 1000, .cpu = i % 5, .weight = i };

        gen_clock(gen, 1 + i % 3, GEN_START + i * 1000, &r);
        if (escapes && i % 100 == 0)
            gen_escape(gen, 1 + i % 3, FILE_profile, GEN_START + i * 1000, 99, i % 60);
    }
    gen_end(gen, GEN_START + n * 1000, 1, 1);
    gen_finish(gen);
    return path;
}

Test(records, all_arrive_whatever_the_workers)
{
    enum { N = 50000 };
    char *dir = scene_dir(), *path = many(dir, N, false);
    struct experiment *e = open_it(path);
    u64 nodes = 0;

    for (u32 i = 1; i <= N; i++)
        nodes += i * 7 % 1000;
    for (u32 workers = 1; workers <= 4; workers++) {
        struct record_count count;
        struct seen seen = scan(e, workers, &count);

        cr_assert_eq(seen.clocks, N);
        cr_assert_eq(seen.weight, (u64)N * (N + 1) / 2);
        cr_assert_eq(seen.nodes, nodes);
        cr_assert_eq(count.records, N);
        cr_assert_eq(count.bad_chunks, 0);
    }
    cr_assert_eq(e->problems.count, 0);
    experiment_close(e);
    free(path);
    scene_remove(dir);
}

Test(records, unknown_kinds_are_skipped)
{
    char *dir = scene_dir(), *path = many(dir, 5000, true);
    struct experiment *e = open_it(path);
    struct seen seen = scan(e, 1, NULL);

    cr_assert_eq(seen.clocks, 5000);
    cr_assert_eq(seen.weight, 5000 * 5001 / 2);
    cr_assert_eq(e->problems.count, 0);
    experiment_close(e);
    free(path);
    scene_remove(dir);
}

/* A copy of the experiment's profile that may be changed. */
struct copy {
    struct record_source source;
    unsigned char *data;
};

static struct copy
copy_of(struct experiment *e)
{
    struct copy copy;

    experiment_source(e, FILE_profile, &copy.source);
    copy.data = malloc(copy.source.size);
    memcpy(copy.data, copy.source.data, copy.source.size);
    copy.source.data = copy.data;
    return copy;
}

Test(records, damaged_chunks_are_named_and_the_rest_arrives)
{
    char *dir = scene_dir(), *path = many(dir, 20000, false);
    struct experiment *e = open_it(path);
    struct copy copy = copy_of(e);
    struct seen seen = { 0 };
    struct record_sink sink = { on_batch, &seen, false };
    struct record_count count;
    u64 whole;

    cr_assert_eq(records_scan(&copy.source, &sink, 1, &count), 0);
    whole = count.chunks;
    copy.data[ER_CHUNK_MIN + 20] ^= 1;             /* second chunk: header */
    copy.data[sizeof(struct er_chunk) + 50] ^= 4; /* first chunk: records */
    cr_assert_eq(records_scan(&copy.source, &sink, 2, &count), 0);
    cr_assert_eq(count.bad_chunks, 2);
    cr_assert_eq(count.chunks, whole - 1);
    cr_assert_eq(e->problems.count, 2);
    cr_assert_not_null(strstr(e->problems.text[0], "many.er/profile"));
    cr_assert_not_null(strstr(e->problems.text[0], "offset 4096"));
    cr_assert_not_null(strstr(e->problems.text[1], "offset 0"));
    cr_assert_not_null(strstr(e->problems.text[1], "checksum"));
    free(copy.data);
    experiment_close(e);
    free(path);
    scene_remove(dir);
}

Test(records, unsealed_chunk_is_read_up_to_its_damage)
{
    char *dir = scene_dir(), *path = many(dir, 100, false);
    struct experiment *e = open_it(path);
    struct copy copy = copy_of(e);
    struct er_chunk *chunk = (void *)copy.data;
    struct seen seen = { 0 };
    struct record_sink sink = { on_batch, &seen, false };
    struct record_count count;

    chunk->flags &= (uint16_t)~CHUNK_SEALED;
    chunk->committed = sizeof(*chunk) + 40;
    copy.data[sizeof(*chunk) + 30] = 5; /* a kind that nobody described */
    cr_assert_eq(records_scan(&copy.source, &sink, 1, &count), 0);
    cr_assert_eq(count.bad_chunks, 1);
    cr_assert_eq(count.unsealed, 1);
    cr_assert(seen.clocks > 60 && seen.clocks < 100);
    cr_assert_eq(e->problems.count, 1);
    free(copy.data);
    experiment_close(e);
    free(path);
    scene_remove(dir);
}

/* Repair a chunk's checks, so that the decoder itself meets what was changed. */
static void
reseal(struct er_chunk *chunk)
{
    if (chunk->committed < sizeof(*chunk) || chunk->committed > chunk->size)
        return;
    chunk->header_crc = chunk_header_crc(chunk);
    chunk->data_crc = crc32c(0, chunk + 1, chunk->committed - sizeof(*chunk));
}

Test(records, no_mutation_does_harm)
{
    char *dir = scene_dir(), *path = many(dir, 3000, true);
    struct experiment *e = open_it(path);
    struct copy copy = copy_of(e);
    unsigned char *whole = malloc(copy.source.size);
    struct seen seen;
    struct record_sink sink = { on_batch, &seen, false };
    u32 random = 12345;

    memcpy(whole, copy.data, copy.source.size);
    for (u32 run = 0; run < 3000; run++) {
        memcpy(copy.data, whole, copy.source.size);
        for (u32 k = 0; k <= run % 4; k++) {
            random = random * 1664525 + 1013904223;
            copy.data[(random >> 8) % 12288] = (unsigned char)(random >> 3);
        }
        reseal((void *)copy.data);
        reseal((void *)(copy.data + ER_CHUNK_MIN));
        cr_assert_eq(records_scan(&copy.source, &sink, 1, NULL), 0);
    }
    free(whole);
    free(copy.data);
    experiment_close(e);
    free(path);
    scene_remove(dir);
}

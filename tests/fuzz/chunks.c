/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: the decoder of chunks. The input becomes the records of a chunk whose
 * checks are right; its first byte chooses the file. tests/fuzz/run builds it.
 *
 * With SEEDS=DIR in the environment a chunk of each file is written to DIR first.
 */
#include <stdint.h>
#include <stdlib.h>

#include "print/load/samples.h"
#include "tests/fuzz/every.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile u64 sum;

static void
on_batch(void *context, const struct batch *batch)
{
    (void)context;
    for (u32 i = 0; i < batch->count * batch->record->nfields; i++)
        sum += batch->row[i];
}

static void
scan(const struct record_source *source)
{
    struct record_sink sink = { on_batch, NULL, false };
    struct samples samples;

    records_scan(source, &sink, 1, NULL);
    if (source->schema->number == FILE_overview && samples_read(&samples, source) == 0)
        samples_free(&samples);
}

/* A chunk around the bytes, as its writer would have sealed it. */
static struct er_chunk *
chunk_of(const uint8_t *data, size_t size, u32 file)
{
    struct er_chunk *chunk = aligned_alloc(64, ER_CHUNK_MIN);

    *chunk = (struct er_chunk){
        .magic = ER_CHUNK_MAGIC,
        .version = ER_CHUNK_VERSION,
        .file = (uint8_t)file,
        .flags = CHUNK_SEALED,
        .size = ER_CHUNK_MIN,
        .committed = (u32)(sizeof(*chunk) + size),
    };
    memcpy(chunk + 1, data, size);
    chunk->header_crc = chunk_header_crc(chunk);
    chunk->data_crc = crc32c(0, data, size);
    return chunk;
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *seeds = getenv("SEEDS");

    (void)argc;
    (void)argv;
    for (enum er_file i = 0; seeds && i < FILE_COUNT; i++) {
        unsigned char data[ER_CHUNK_MIN];
        char path[4200];
        FILE *f;

        if (er_files[i].layout != LAYOUT_CHUNKS)
            continue;
        every_chunk(i, data);
        snprintf(path, sizeof(path), "%s/%s", seeds, er_files[i].name);
        f = fopen(path, "wb");
        if (!f)
            continue;
        data[sizeof(struct er_chunk) - 1] = (unsigned char)i;
        fwrite(data + sizeof(struct er_chunk) - 1, 1, 2000, f);
        fclose(f);
    }
    return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct problems problems = { .lock = PTHREAD_MUTEX_INITIALIZER };
    struct record_source source = { .path = "fuzz", .problems = &problems };
    struct schema schema = { 0 };
    struct er_chunk *chunk;
    u32 file;

    if (!size || size - 1 > ER_CHUNK_MIN - sizeof(*chunk))
        return 0;
    file = data[0] % FILE_COUNT;
    if (er_files[file].layout != LAYOUT_CHUNKS)
        return 0;
    chunk = chunk_of(data + 1, size - 1, file);
    schema_builtin(&schema);
    source.data = (const unsigned char *)chunk;
    source.size = chunk->committed; /* nothing behind the records may be touched */
    source.schema = &schema.file[file];
    scan(&source);
    schema_free(&schema);
    problems_free(&problems);
    free(chunk);
    return 0;
}

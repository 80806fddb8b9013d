/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An experiment with records of every kind in every file, for fuzz targets: it comes
 * from records.def and files.def, so that a new row is in by itself. Ordinary process
 * context; whatever fails ends the program.
 */
#ifndef ERTOOLS_TESTS_FUZZ_EVERY_H
#define ERTOOLS_TESTS_FUZZ_EVERY_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/gen/gen.h"

enum {
    EVERY_BIAS = 0x550000000000,
    EVERY_RECORDS = 24, /* of each kind */
};

/* The nth value of a field. */
#define EVERY_TIME(field, n) field = GEN_START + 1000 * (n)
#define EVERY_VARINT(field, n) field = 1 + (n) % 9
#define EVERY_REP(field, n) field = (n) % 5
#define EVERY_DELTA(field, n) field = 100 * (n)
#define EVERY_NODE(field, n) field = 1 + (n) % 6
#define EVERY_ADDR(field, n) field = 0x10000 + 64 * ((n) % 7)
#define EVERY_STR(field, n) field = (struct er_str){ "a name", (n) % 7 }
#define EVERY_U16(field, n) field = (n) % 3
#define EVERY_U32(field, n) field = (n) % 3
#define EVERY_U48(field, n) field = EVERY_BIAS + GEN_CODE + 8 * (n)
#define EVERY_U64(field, n) field = 1000 * (n)
#define EVERY_CHAR16(field, n) field.c[0] = (char)('a' + (n) % 20)

#define ER_RECORD(record, file, number, doc)                                     \
    static unsigned char *every_##record(struct codec *c, unsigned char *p, u32 n) \
    {                                                                            \
        struct rec_##record r = { 0 };
#define ER_FIELD(record, field, ctype, encoding, unit, doc) \
        EVERY_##encoding(r.field, n);
#define ER_END(record)                  \
        return rec_put_##record(c, p, &r); \
    }
#include "share/records.def"
#undef ER_RECORD
#undef ER_FIELD
#undef ER_END

static unsigned char *(*const every_put[REC_COUNT])(struct codec *, unsigned char *,
                                                    u32) = {
#define ER_RECORD(record, file, number, doc) every_##record,
#define ER_FIELD(record, field, ctype, encoding, unit, doc)
#define ER_END(record)
#include "share/records.def"
#undef ER_RECORD
#undef ER_FIELD
#undef ER_END
};

/* Make the checks of all chunks in the bytes of a file right. */
static inline void
every_mend(unsigned char *data, size_t size)
{
    for (size_t at = 0; at + sizeof(struct er_chunk) <= size;) {
        struct er_chunk chunk;
        u32 span;

        memcpy(&chunk, data + at, sizeof(chunk));
        if (chunk.magic != ER_CHUNK_MAGIC)
            return;
        span = chunk_span(&chunk);
        if (chunk.committed >= sizeof(chunk) && chunk.committed <= size - at)
            chunk.data_crc = crc32c(0, data + at + sizeof(chunk),
                                    chunk.committed - sizeof(chunk));
        chunk.header_crc = chunk_header_crc(&chunk);
        memcpy(data + at, &chunk, sizeof(chunk));
        if (span < sizeof(chunk))
            return;
        at += span;
    }
}

/* A file of one chunk with records of all kinds that it can have. */
static inline void
every_chunk(enum er_file file, unsigned char data[static ER_CHUNK_MIN])
{
    struct er_chunk chunk = {
        .magic = ER_CHUNK_MAGIC,
        .version = ER_CHUNK_VERSION,
        .file = (uint8_t)file,
        .flags = CHUNK_SEALED,
        .size = ER_CHUNK_MIN,
        .thread_id = 1,
        .tsc0 = GEN_START,
        .mono0 = GEN_START,
    };
    unsigned char *p = data + sizeof(chunk), *last = data + ER_CHUNK_MIN;
    struct codec codec;

    memset(data, 0, ER_CHUNK_MIN);
    codec_start(&codec, chunk.tsc0 >> er_files[file].time_shift, 0);
    for (u32 n = 0; n < EVERY_RECORDS; n++)
        for (u32 i = 0; i < REC_COUNT; i++)
            if (er_records[i].file == file && last - p > 4 * ER_RECORD_MAX)
                p = every_put[i](&codec, p, n);
    chunk.committed = (u32)(p - data);
    memcpy(data, &chunk, sizeof(chunk));
    every_mend(data, ER_CHUNK_MIN);
}

/* Write the experiment `path`, in the working directory. */
static inline void
every_write(const char *path)
{
    unsigned char data[ER_CHUNK_MIN];
    struct gen *gen = gen_start(path, 1);
    struct rec_thread row = { .birth = GEN_START, .source = SOURCE_TIMER };

    gen_object(gen, 1, "/gen/app", "aa01", EVERY_BIAS, EVERY_BIAS + GEN_CODE,
               EVERY_BIAS + GEN_CODE + 20 * GEN_FUNC_BYTES, "main");
    gen_archive(gen, "/gen/app", "aa01", "f", "/gen/app.c", 20, 5);
    for (u32 i = 0; i < 6; i++)
        gen_node(gen, i / 2, 1, EVERY_BIAS + GEN_CODE + 72 * i + 8, 0);
    for (row.id = 1; row.id <= 2; row.id++)
        gen_thread(gen, &row);
    for (u32 i = 0; i < 5; i++) {
        char line[160];

        snprintf(line, sizeof(line),
                 "<counter index=\"%u\" name=\"count%u\" interval=\"1000\" "
                 "addresses=\"on\" mode=\"user\" type=\"1\" config=\"0x%u\"/>\n",
                 i, i, i);
        gen_log(gen, line);
    }
    gen_end(gen, GEN_START + 1000000, 30000, 10000);
    gen_finish(gen);
    for (enum er_file i = 0; i < FILE_COUNT; i++) {
        char name[64];
        FILE *f;

        if (er_files[i].layout != LAYOUT_CHUNKS)
            continue;
        every_chunk(i, data);
        snprintf(name, sizeof(name), "%s/%s", path, er_files[i].name);
        f = fopen(name, "wb");
        if (!f || fwrite(data, sizeof(data), 1, f) != 1 || fclose(f))
            abort();
    }
}

#endif

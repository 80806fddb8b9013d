/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: er_print on an experiment of which one file is the input: a file of one
 * of tests/experiments, of one of tests/fuzz/experiments, or of one that has records of
 * every kind. The first byte chooses the file, the second (above bit 0) the view of
 * views.h; with bit 0, the checks of its chunks are made right, so that the records
 * behind them are looked at. tests/fuzz/run builds it.
 *
 * With SEEDS=DIR in the environment the files are written to DIR first, as inputs.
 */
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#include "print/base/array.h"
#include "tests/fuzz/every.h"
#include "tests/fuzz/mutate.h"
#include "tests/fuzz/scratch.h"
#include "tests/fuzz/views.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);

enum {
    FILES_MAX = 255,
    FILE_MAX = 1 << 20,
    HEAD = 2,            /* bytes that choose */
    SEED_MAX = 3 * 4096, /* of a file: more of the same is no other input */
    SEED_VIEWS = 8,      /* of each file */
};

struct file {
    char *path; /* below dir */
    unsigned char *data;
    size_t size;
};

static struct file files[FILES_MAX];
static u32 nfiles;

static int
add_file(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    struct file *file = &files[nfiles];
    FILE *f;

    (void)ftw;
    if (type != FTW_F || nfiles == FILES_MAX || st->st_size > FILE_MAX)
        return 0;
    file->path = strdup(path + 2);
    file->size = (size_t)st->st_size;
    file->data = malloc(file->size + 1);
    f = fopen(path, "rb");
    if (!f || fread(file->data, 1, file->size, f) != file->size)
        abort();
    fclose(f);
    nfiles++;
    return 0;
}

static int
compare(const void *a, const void *b)
{
    return strcmp(((const struct file *)a)->path, ((const struct file *)b)->path);
}

static void
write_seed(const char *to, u32 file, u32 view)
{
    const struct file *from = &files[file];
    char path[4200];
    FILE *f;

    snprintf(path, sizeof(path), "%s/%u-%u", to, file, view);
    f = fopen(path, "wb");
    if (!f)
        return;
    fputc((int)file, f);
    fputc((int)(view << 1 | 1), f);
    fwrite(from->data, 1, from->size < SEED_MAX ? from->size : SEED_MAX, f);
    fclose(f);
}

/* All files, each view at some of them. */
static void
write_seeds(const char *to)
{
    for (u32 i = 0; i < nfiles; i++)
        for (u32 k = 0; k < SEED_VIEWS && files[i].size; k++)
            write_seed(to, i, (i * SEED_VIEWS + k) % views_count());
}

/* In its own directory, with all experiments. */
int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *top = getenv("TOP_SRC"), *seeds = getenv("SEEDS");
    char command[8400];

    (void)argc;
    (void)argv;
    top = top ? top : ".";
    scratch_start();
    snprintf(command, sizeof(command),
             "cp -r %s/tests/experiments/*.er %s/tests/fuzz/experiments/*.er .", top,
             top);
    if (system(command))
        abort();
    every_write("every.er");
    nftw(".", add_file, 8, FTW_PHYS);
    qsort(files, nfiles, sizeof(files[0]), compare);
    if (seeds)
        write_seeds(seeds);
    return 0;
}

/* Is it one of those that are cut in chunks? */
static bool
has_chunks(const uint8_t *data, size_t size)
{
    u32 magic = 0;

    if (size >= HEAD + sizeof(struct er_chunk))
        memcpy(&magic, data + HEAD, sizeof(magic));
    return magic == ER_CHUNK_MAGIC;
}

/*
 * Now and then another view of the same file; of chunks, mostly the records in one of
 * them; else anything.
 */
size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    u32 way = mutate_random(&seed) % 8;

    if (size < HEAD)
        return LLVMFuzzerMutate(data, size, max);
    if (way == 0) {
        data[1] = (uint8_t)((mutate_random(&seed) % views_count()) << 1 | 1);
        return size;
    }
    if (way < 5 && has_chunks(data, size)) {
        data[1] |= 1;
        return HEAD + mutate_chunk(data + HEAD, size - HEAD, max - HEAD, &seed);
    }
    return HEAD + LLVMFuzzerMutate(data + HEAD, size - HEAD, max - HEAD);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static unsigned char bytes[FILE_MAX];
    const struct file *file;
    char experiment[64];

    if (size < HEAD || size - HEAD > sizeof(bytes))
        return 0;
    file = &files[data[0] % nfiles];
    memcpy(bytes, data + HEAD, size - HEAD);
    if (data[1] & 1)
        every_mend(bytes, size - HEAD);
    snprintf(experiment, sizeof(experiment), "%.*s", (int)strcspn(file->path, "/"),
             file->path);
    print_all_put(file->path, bytes, size - HEAD);
    views_show(experiment, (data[1] >> 1) % views_count());
    print_all_put(file->path, file->data, file->size);
    return 0;
}

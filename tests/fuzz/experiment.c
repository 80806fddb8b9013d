/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: er_print with all its commands on an experiment of which one file is the
 * input: a file of one of tests/experiments, or of one that has records of every kind.
 * The first byte chooses the file; an odd second one has the checks of its chunks made
 * right, so that the records behind them are looked at. tests/fuzz/run builds it.
 *
 * With SEEDS=DIR in the environment the files are written to DIR first, as inputs.
 */
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#include "print/load/array.h"
#include "tests/fuzz/every.h"
#include "tests/fuzz/print_all.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FILES_MAX = 255, FILE_MAX = 1 << 20 };

struct file {
    char *path; /* below dir */
    unsigned char *data;
    size_t size;
};

static char dir[] = "/dev/shm/ertools-fuzz.XXXXXX";
static struct file files[FILES_MAX];
static u32 nfiles;

static void
clean(void)
{
    char command[64];

    snprintf(command, sizeof(command), "rm -rf %s", dir);
    if (system(command))
        abort();
}

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
write_seeds(const char *to)
{
    for (u32 i = 0; i < nfiles; i++) {
        char path[4200];
        FILE *f;

        snprintf(path, sizeof(path), "%s/seed%u", to, i);
        f = files[i].size ? fopen(path, "wb") : NULL;
        if (!f)
            continue;
        fputc((int)i, f);
        fputc(1, f);
        fwrite(files[i].data, 1, files[i].size, f);
        fclose(f);
    }
}

/* In its own directory, with all experiments. */
int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *top = getenv("TOP_SRC"), *seeds = getenv("SEEDS");
    char command[4200];

    (void)argc;
    (void)argv;
    if (!mkdtemp(dir))
        abort();
    atexit(clean);
    snprintf(command, sizeof(command), "cp -r %s/tests/experiments/*.er %s",
             top ? top : ".", dir);
    if (system(command) || chdir(dir))
        abort();
    every_write("every.er");
    nftw(".", add_file, 8, FTW_PHYS);
    qsort(files, nfiles, sizeof(files[0]), compare);
    if (seeds)
        write_seeds(seeds);
    return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static unsigned char bytes[FILE_MAX];
    const struct file *file;
    char experiment[64];

    if (size < 2 || size - 2 > sizeof(bytes))
        return 0;
    file = &files[data[0] % nfiles];
    memcpy(bytes, data + 2, size - 2);
    if (data[1] & 1)
        every_mend(bytes, size - 2);
    snprintf(experiment, sizeof(experiment), "%.*s", (int)strcspn(file->path, "/"),
             file->path);
    print_all_put(file->path, bytes, size - 2);
    print_all(experiment);
    print_all_put(file->path, file->data, file->size);
    return 0;
}

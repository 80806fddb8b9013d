/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each reader on files that are cut off anywhere, and with any bit of their first bytes
 * turned: it says one sentence, or reads what is there, in bounded memory.
 */
#include "import/import.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#include "archive/object/objfile.h"

enum {
    BYTES = 4096,    /* of a file whose bits are turned */
    MEMORY = 150,    /* bytes for each byte of a file, */
    MEMORY_LEAST = 4 << 20, /* and for any */
};

static const struct reader {
    const char *name;
    int (*read)(struct import *im, struct bytes file);
} readers[] = {
#define IMPORT_FORMAT(name, doc) { #name, import_##name },
#include "import/formats.def"
#undef IMPORT_FORMAT
};

static size_t
memory_used(void)
{
    struct mallinfo2 info = mallinfo2();

    return info.uordblks + info.hblkhd;
}

/* By all readers; how many took it. */
static u32
read_all(const unsigned char *data, size_t size, const char *what, size_t at)
{
    /* On the heap, so that a checker sees what lies behind. */
    unsigned char *copy = malloc(size + !size);
    u32 taken = 0;

    memcpy(copy, data, size);
    for (u32 i = 0; i < ER_COUNT(readers); i++) {
        struct bytes file = { copy, size };
        size_t before = memory_used(), after;
        struct import im;
        int ret;

        import_open(&im, "damaged");
        ret = readers[i].read(&im, file);
        after = memory_used();
        cr_assert(ret == 0 || ret == -ENOEXEC || ret == -EBADMSG, "%s: %s, %zu: %d",
                  readers[i].name, what, at, ret);
        cr_assert(ret != -EBADMSG || (*im.why && !strchr(im.why, '\n')),
                  "%s: %s, %zu: no sentence", readers[i].name, what, at);
        cr_assert(after < before + MEMORY * size + MEMORY_LEAST,
                  "%s: %s, %zu: %zu bytes of memory", readers[i].name, what, at,
                  after - before);
        taken += ret == 0;
        import_close(&im);
    }
    free(copy);
    return taken;
}

static void
damage(const char *path)
{
    unsigned char data[4 * BYTES];
    FILE *f = fopen(path, "rb");
    size_t size;

    cr_assert(f, "%s", path);
    size = fread(data, 1, sizeof(data), f);
    fclose(f);
    cr_assert(size > 0 && size < sizeof(data), "%s: %zu bytes", path, size);
    cr_assert_eq(read_all(data, size, path, 0), 1, "%s is read as one format", path);
    for (size_t i = 0; i < size; i++)
        read_all(data, i, "cut off", i);
    for (size_t i = 0; i < 8 * (size < BYTES ? size : BYTES); i++) {
        data[i / 8] ^= (unsigned char)(1 << i % 8);
        read_all(data, size, "bit", i);
        data[i / 8] ^= (unsigned char)(1 << i % 8);
    }
}

Test(damage, seeds)
{
    const char *name = TOP_SRC "/tests/fuzz/corpus/import";
    DIR *dir = opendir(name);
    const struct dirent *entry;
    u32 files = 0;

    cr_assert(dir);
    while ((entry = readdir(dir))) {
        char path[1024];

        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), "%s/%s", name, entry->d_name);
        damage(path);
        files++;
    }
    closedir(dir);
    cr_assert_geq(files, 6);
}

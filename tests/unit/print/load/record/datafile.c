/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/record/datafile.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/gen/scene.h"

Test(datafile, a_growing_one_may_be_cut)
{
    char *dir = scene_dir();
    int at = open(dir, O_RDONLY | O_DIRECTORY);
    int fd = openat(at, "f", O_RDWR | O_CREAT, 0600);
    struct datafile file = { 0 };

    cr_assert_eq(datafile_open(&file, at, "f", false), 0);
    cr_assert_null(file.data);
    cr_assert_eq(write(fd, "abc", 3), 3);
    cr_assert_eq(datafile_open(&file, at, "f", true), 0);
    cr_assert_eq(ftruncate(fd, 0), 0);
    cr_assert_eq(file.size, 3);
    cr_assert_eq(memcmp(file.data, "abc", 3), 0);
    datafile_close(&file);
    cr_assert_eq(datafile_open(&file, at, "g", false), -ENOENT);
    close(fd);
    close(at);
    scene_remove(dir);
}

/* Nobody shall take a terabyte of memory for a file that has a kilobyte. */
Test(datafile, holes_take_no_memory)
{
    char *dir = scene_dir();
    int at = open(dir, O_RDONLY | O_DIRECTORY);
    int fd = openat(at, "f", O_RDWR | O_CREAT, 0600);
    struct datafile file = { 0 };

    cr_assert_eq(pwrite(fd, "abc", 3, 0), 3);
    cr_assert_eq(pwrite(fd, "def", 3, 100 << 20), 3);
    cr_assert_eq(datafile_open(&file, at, "f", true), 0);
    cr_assert_eq(file.size, (100 << 20) + 3);
    cr_assert_eq(memcmp(file.data, "abc", 4), 0);
    cr_assert_eq(memcmp(file.data + (100 << 20), "def", 3), 0);
    datafile_close(&file);
    if (pwrite(fd, "ghi", 3, (off_t)1 << 36) == 3) {
        cr_assert_eq(datafile_open(&file, at, "f", true), -EFBIG);
        cr_assert_eq(datafile_open(&file, at, "f", false), -EFBIG);
        cr_assert_null(file.data);
    }
    close(fd);
    close(at);
    scene_remove(dir);
}

static u32
mappings(void)
{
    FILE *f = fopen("/proc/self/maps", "r");
    u32 lines = 0;

    for (int c; (c = fgetc(f)) != EOF;)
        lines += c == '\n';
    fclose(f);
    return lines;
}

/* A system gives 65530 mappings: thousands of experiments have to do with them. */
Test(datafile, many_take_few_mappings)
{
    enum { COUNT = 66000, MAPPED = 20000 };
    struct datafile *file = calloc(COUNT, sizeof(*file));
    char *dir = scene_dir();
    int at = open(dir, O_RDONLY | O_DIRECTORY);
    int fd = openat(at, "f", O_RDWR | O_CREAT, 0600);
    u32 before;

    cr_assert_eq(write(fd, "abc", 3), 3);
    before = mappings();
    for (u32 i = 0; i < COUNT; i++)
        cr_assert_eq(datafile_open(&file[i], at, "f", i % 2), 0);
    cr_assert_lt(mappings(), before + 20, "small ones have none of their own");
    for (u32 i = 0; i < COUNT; i++) {
        cr_assert_eq(memcmp(file[i].data, "abc", 3), 0);
        datafile_close(&file[i]);
    }
    /* Holes take no memory, so that long ones can be many. */
    cr_assert_eq(ftruncate(fd, 0), 0);
    cr_assert_eq(ftruncate(fd, 200000), 0);
    for (u32 i = 0; i < COUNT; i++)
        cr_assert_eq(datafile_open(&file[i], at, "f", false), 0, "%u", i);
    cr_assert_lt(mappings(), before + 2 * MAPPED);
    for (u32 i = 0; i < COUNT; i++) {
        cr_assert_eq(file[i].data[0], 0);
        cr_assert_eq(file[i].data[199999], 0);
        datafile_close(&file[i]);
    }
    cr_assert_lt(mappings(), before + 20);
    cr_assert_eq(datafile_open(&file[0], at, "f", false), 0);
    cr_assert(file[0].is_mapped, "there is room again");
    datafile_close(&file[0]);
    free(file);
    close(fd);
    close(at);
    scene_remove(dir);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/datafile.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
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

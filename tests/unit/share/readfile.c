/* SPDX-License-Identifier: Apache-2.0 */
#include "share/readfile.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LONG = 200000 };

static int
file_of(const char *text, size_t size)
{
    int fd = memfd_create("readfile", MFD_CLOEXEC);

    cr_assert_eq(write(fd, text, size), (ssize_t)size);
    return fd;
}

Test(readfile, a_plain_file_from_its_beginning)
{
    int fd = file_of("one\ntwo\n", 8);
    char *text;
    size_t size;

    cr_assert_eq(readfile_plain(fd, 8, &text, &size), 0);
    cr_assert_eq(size, 8);
    cr_assert_str_eq(text, "one\ntwo\n");
    free(text);
    cr_assert_eq(readfile_plain(fd, 7, &text, &size), -EFBIG);
    close(fd);
}

Test(readfile, an_empty_file_is_an_empty_text)
{
    int fd = file_of("", 0);
    char *text;
    size_t size = 1;

    cr_assert_eq(readfile_plain(fd, 0, &text, &size), 0);
    cr_assert_eq(size, 0);
    cr_assert_str_eq(text, "");
    free(text);
    close(fd);
}

Test(readfile, what_is_not_plain_is_refused)
{
    int fd = open("/", O_RDONLY | O_CLOEXEC), ends[2];
    char *text;
    size_t size;

    cr_assert_eq(pipe(ends), 0);
    cr_assert_eq(readfile_plain(fd, 100, &text, &size), -EINVAL);
    cr_assert_eq(readfile_plain(ends[0], 100, &text, &size), -EINVAL);
    cr_assert_eq(readfile_stream(fd, 100, &text, &size), -EISDIR);
    cr_assert_eq(readfile_plain(-1, 100, &text, &size), -EBADF);
}

Test(readfile, a_stream_until_its_end)
{
    static char bytes[LONG];
    char *text;
    size_t size;
    int fd;

    memset(bytes, 'x', sizeof(bytes));
    fd = file_of(bytes, sizeof(bytes));
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(lseek(fd, 0, SEEK_SET), 0);
        cr_assert_eq(readfile_stream(fd, LONG - (u64)i, &text, &size),
                     i ? -EFBIG : 0);
    }
    cr_assert_eq(size, sizeof(bytes));
    cr_assert_eq(strlen(text), sizeof(bytes));
    cr_assert_eq(memcmp(text, bytes, sizeof(bytes)), 0);
    free(text);
    close(fd);
}

Test(readfile, a_file_of_proc_tells_no_size)
{
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    char *text;
    size_t size;

    cr_assert_eq(readfile_stream(fd, 1 << 30, &text, &size), 0);
    cr_assert_gt(size, 100);
    cr_assert_eq(text[size - 1], '\n');
    free(text);
    close(fd);
}

Test(readfile, the_beginning_of_a_file_by_path)
{
    char text[6];

    cr_assert_eq(readfile_head("/proc/version", text, sizeof(text)), 5);
    cr_assert_str_eq(text, "Linux");
    cr_assert_eq(readfile_head("/no/such/file", text, sizeof(text)), 0);
    cr_assert_str_eq(text, "");
}

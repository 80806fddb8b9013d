/* SPDX-License-Identifier: Apache-2.0 */
#include "share/outfile.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch[64];

static void
make_dir(void)
{
    strcpy(scratch, "/tmp/ertools-outfile.XXXXXX");
    cr_assert_not_null(mkdtemp(scratch));
    cr_assert_eq(chdir(scratch), 0);
}

static void
remove_dir(void)
{
    char command[128] = "rm -rf ";

    cr_assert_eq(system(strcat(command, scratch)), 0);
}

TestSuite(outfile, .init = make_dir, .fini = remove_dir);

static void
put(const char *path, int flags, const char *text)
{
    int fd = outfile_open(path, flags);

    cr_assert_geq(fd, 0, "%s: %s", path, strerror(-fd));
    cr_assert(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
}

static void
holds(const char *path, const char *text)
{
    char got[64] = "";
    FILE *f = fopen(path, "r");

    cr_assert_not_null(f, "%s", path);
    cr_assert_eq(fread(got, 1, sizeof(got) - 1, f), strlen(text), "%s: %s", path, got);
    cr_assert_str_eq(got, text);
    fclose(f);
}

Test(outfile, made_cut_and_appended_to)
{
    char absolute[128];

    put("a", O_TRUNC, "one");
    holds("a", "one");
    put("a", O_TRUNC, "2");
    put("./a", O_APPEND, "3");
    snprintf(absolute, sizeof(absolute), "%s/a", scratch);
    put(absolute, O_RDWR | O_APPEND, "4");
    holds("a", "234");
}

Test(outfile, own_links_are_followed)
{
    cr_assert_eq(mkdir("sub", 0700), 0);
    cr_assert_eq(symlink("../b", "sub/link"), 0);
    cr_assert_eq(symlink("sub/link", "chain"), 0);
    put("chain", O_TRUNC, "new"); /* through a link to a name that is not there yet */
    holds("b", "new");
    cr_assert_eq(symlink("sub", "dir"), 0);
    put("dir/link", O_APPEND, "er");
    holds("b", "newer");
}

Test(outfile, refused)
{
    cr_assert_eq(symlink("round", "round"), 0);
    cr_expect_eq(outfile_open("round", O_TRUNC), -ELOOP);
    cr_expect_eq(outfile_open("", O_TRUNC), -ENOENT);
    cr_expect_eq(outfile_open("none/a", O_TRUNC), -ENOENT);
    cr_expect_eq(outfile_open(".", O_TRUNC), -EISDIR);
    cr_expect_eq(outfile_open("none/", O_TRUNC), -ENOENT);
    cr_expect_eq(outfile_open("/", O_TRUNC), -EISDIR);
}

Test(outfile, streams)
{
    int fds[2];
    char path[64], got[8] = "";

    cr_assert_eq(pipe(fds), 0);
    snprintf(path, sizeof(path), "/dev/fd/%d", fds[1]);
    put(path, O_TRUNC, "piped");
    cr_expect_eq(read(fds[0], got, 5), 5);
    cr_expect_str_eq(got, "piped");
    put("/dev/null", O_TRUNC, "gone");
}

/* Only root can make what belongs to others. */
Test(outfile, of_others_in_a_directory_of_all)
{
    struct stat st;

    if (geteuid() != 0)
        return;
    cr_assert_eq(mkdir("all", 0700), 0);
    cr_assert_eq(chmod("all", 01777), 0);
    put("mine", O_TRUNC, "precious");
    cr_assert_eq(symlink("../mine", "all/link"), 0);
    cr_assert_eq(symlink("../nowhere", "all/none"), 0);
    cr_assert_eq(mkfifo("all/fifo", 0666), 0);
    put("all/file", O_TRUNC, "");
    cr_assert_eq(symlink("all/link", "to_planted"), 0);
    for (int i = 0; i < 4; i++) {
        const char *names[] = { "all/link", "all/none", "all/fifo", "all/file" };

        cr_assert_eq(lchown(names[i], 65534, 65534), 0);
        cr_expect_eq(outfile_open(names[i], O_TRUNC), -EPERM, "%s", names[i]);
    }
    cr_expect_eq(outfile_open("to_planted", O_TRUNC), -EPERM);
    cr_expect_lt(stat("nowhere", &st), 0);
    holds("mine", "precious");
    /* Without the sticky bit the directory's rights alone decide. */
    cr_assert_eq(chmod("all", 0755), 0);
    put("all/link", O_TRUNC, "less so");
    holds("mine", "less so");
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "manage/tree.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "share/experiment.h"

static char top[] = "/tmp/er_unit_tree_XXXXXX";
static int dir = -1; /* of top */

static void
write_file(const char *path, const char *text, mode_t mode)
{
    int fd = openat(dir, path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    size_t len = strlen(text);

    cr_assert_geq(fd, 0, "%s", path);
    cr_assert_eq(write(fd, text, len), (ssize_t)len);
    cr_assert_eq(fchmod(fd, mode), 0);
    close(fd);
}

static void
has_file(const char *path, const char *text)
{
    char buf[64] = "";
    int fd = openat(dir, path, O_RDONLY | O_NOFOLLOW);
    ssize_t n = read(fd, buf, sizeof(buf) - 1);

    cr_assert_eq(n, (ssize_t)strlen(text), "%s", path);
    cr_assert_str_eq(buf, text);
    close(fd);
}

static bool
exists(const char *path)
{
    struct stat st;

    return fstatat(dir, path, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

/* How many entries the top has. */
static int
entries(void)
{
    DIR *d = opendir(top);
    int n = -2;

    while (readdir(d))
        n++;
    closedir(d);
    return n;
}

/* An experiment: files, directories, a link that leads out of it, a hidden file. */
static void
setup(void)
{
    cr_assert_not_null(mkdtemp(top));
    dir = open(top, O_RDONLY | O_DIRECTORY);
    cr_assert_eq(mkdirat(dir, "a.er", 0750), 0);
    write_file("a.er/" EXPERIMENT_LOG, "log", 0640);
    write_file("a.er/.control", "hidden", 0600);
    cr_assert_eq(mkdirat(dir, "a.er/sub", 0700), 0);
    cr_assert_eq(mkdirat(dir, "a.er/sub/deep", 0700), 0);
    write_file("a.er/sub/deep/data", "1234567", 0400);
    write_file("outside", "untouched", 0600);
    cr_assert_eq(symlinkat("../outside", dir, "a.er/link"), 0);
}

static void
teardown(void)
{
    char command[64];

    snprintf(command, sizeof(command), "rm -rf %s", top);
    cr_assert_eq(system(command), 0);
    close(dir);
}

TestSuite(tree, .init = setup, .fini = teardown);

static void
open_place(struct place *place, const char *name)
{
    char path[128];

    snprintf(path, sizeof(path), "%s/%s", top, name);
    cr_assert_eq(place_open(place, path), 0);
}

static void
is_a_copy(const char *name)
{
    char path[64];
    struct stat st;
    char link[32] = "";

    snprintf(path, sizeof(path), "%s/" EXPERIMENT_LOG, name);
    has_file(path, "log");
    cr_assert_eq(fstatat(dir, path, &st, 0), 0);
    cr_assert_eq(st.st_mode & 0777, 0640);
    snprintf(path, sizeof(path), "%s/sub/deep/data", name);
    has_file(path, "1234567");
    snprintf(path, sizeof(path), "%s/link", name);
    cr_assert_gt(readlinkat(dir, path, link, sizeof(link) - 1), 0);
    cr_assert_str_eq(link, "../outside");
    snprintf(path, sizeof(path), "%s/.control", name);
    cr_assert_not(exists(path));
    cr_assert_eq(fstatat(dir, name, &st, 0), 0);
    cr_assert_eq(st.st_mode & 0777, 0750);
}

Test(tree, copies_all)
{
    struct place from;

    open_place(&from, "a.er");
    cr_assert_eq(tree_copy(&from, dir, "b.er"), 0);
    is_a_copy("b.er");
    cr_assert_eq(entries(), 3, "nothing hidden is left");
    cr_assert_eq(tree_copy(&from, dir, "b.er"), -EEXIST);
    place_close(&from);
}

static int
refuse(int copy, void *context)
{
    *(bool *)context = faccessat(copy, "sub/deep/data", F_OK, 0) == 0;
    return -ENOSPC;
}

Test(tree, appears_whole_or_not_at_all)
{
    struct place from;
    bool was_there = false;

    open_place(&from, "a.er");
    cr_assert_eq(tree_copy_and(&from, dir, "b.er", refuse, &was_there), -ENOSPC);
    cr_assert(was_there);
    cr_assert_eq(entries(), 2);
    tree_signal = SIGINT;
    cr_assert_eq(tree_copy(&from, dir, "b.er"), -EINTR);
    tree_signal = 0;
    cr_assert_eq(entries(), 2);
    place_close(&from);
}

Test(tree, removes_what_is_inside_alone)
{
    struct place place;

    open_place(&place, "a.er");
    cr_assert_eq(tree_remove(&place), 0);
    place_close(&place);
    cr_assert_eq(entries(), 1);
    has_file("outside", "untouched");
}

Test(tree, removes_what_is_deep)
{
    struct place place;
    char path[4096] = "a.er";

    while (strlen(path) < 2000) {
        strcat(path, "/directory");
        cr_assert_eq(mkdirat(dir, path, 0700), 0);
        strcat(path, "/x");
        write_file(path, "x", 0600);
        path[strlen(path) - 2] = '\0';
    }
    open_place(&place, "a.er");
    cr_assert_eq(tree_copy(&place, dir, "b.er"), -ELOOP, "too deep to be one of ours");
    cr_assert_eq(entries(), 2);
    cr_assert_eq(tree_remove(&place), 0);
    place_close(&place);
    cr_assert_eq(entries(), 1);
}

Test(tree, removes_no_other_one)
{
    struct place place;

    open_place(&place, "a.er");
    cr_assert_eq(renameat(dir, "a.er", dir, "moved.er"), 0);
    cr_assert_eq(mkdirat(dir, "a.er", 0700), 0);
    cr_assert_eq(tree_remove(&place), -EBUSY);
    cr_assert(exists("a.er"));
    cr_assert(exists("moved.er/sub/deep/data"));
    place_close(&place);
}

Test(tree, renames_onto_nothing)
{
    cr_assert_eq(tree_rename(dir, "a.er", dir, "outside"), -EEXIST);
    cr_assert_eq(tree_rename(dir, "a.er", dir, "c.er"), 0);
    cr_assert(exists("c.er/sub") && !exists("a.er"));
    cr_assert_eq(tree_rename(dir, "a.er", dir, "d.er"), -ENOENT);
}

/* What a program has left that was killed goes with the next copy. */
Test(tree, clears_away_leavings)
{
    struct place from;

    cr_assert_eq(mkdirat(dir, ".er_tmp-1-0", 0700), 0);
    write_file(".er_tmp-1-0/data", "x", 0600);
    open_place(&from, "a.er");
    cr_assert_eq(tree_copy(&from, dir, "b.er"), 0);
    place_close(&from);
    cr_assert_not(exists(".er_tmp-1-0"));
    cr_assert_eq(entries(), 3);
}

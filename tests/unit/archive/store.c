/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/store.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch[64];
static int top, a, b;

static void
setup(void)
{
    strcpy(scratch, "/tmp/ertools-store.XXXXXX");
    cr_assert_not_null(mkdtemp(scratch));
    top = open(scratch, O_RDONLY | O_DIRECTORY);
    a = store_dir(top, "a");
    b = store_dir(top, "b");
    cr_assert_geq(a, 0);
    cr_assert_geq(b, 0);
}

static void
cleanup(void)
{
    char command[80];

    snprintf(command, sizeof(command), "rm -rf %s", scratch);
    cr_assert_eq(system(command), 0);
}

TestSuite(store, .init = setup, .fini = cleanup);

static void
put(int dir, const char *name, const char *text)
{
    struct store_file f;

    cr_assert_eq(store_begin(&f, dir), 0);
    cr_assert_eq(write(f.fd, text, strlen(text)), (ssize_t)strlen(text));
    cr_assert_eq(store_commit(&f, name), 0);
}

static const char *
get(int dir, const char *name)
{
    static char text[64];
    int fd = openat(dir, name, O_RDONLY);

    memset(text, 0, sizeof(text));
    if (fd < 0)
        return NULL;
    cr_assert_geq(read(fd, text, sizeof(text) - 1), 0);
    close(fd);
    return text;
}

static u32
entries(int dir)
{
    char command[100];
    u32 n = 0;
    FILE *list;

    snprintf(command, sizeof(command), "ls -A /proc/%d/fd/%d/", (int)getpid(), dir);
    list = popen(command, "r");
    cr_assert_not_null(list);
    for (int c; (c = getc(list)) != EOF;)
        n += c == '\n';
    pclose(list);
    return n;
}

Test(store, a_file_appears_whole_or_not_at_all)
{
    struct store_file f;

    cr_assert_eq(store_begin(&f, a), 0);
    cr_assert_null(get(a, "x"));
    cr_assert_eq(write(f.fd, "half", 4), 4);
    store_abandon(&f);
    cr_assert_eq(entries(a), 0);
    put(a, "x", "one");
    put(a, "x", "two");
    cr_assert_str_eq(get(a, "x"), "two");
    cr_assert_eq(entries(a), 1);
}

Test(store, links_between_directories)
{
    struct stat st;

    put(a, "x", "one");
    cr_assert_eq(store_link(a, "x", b, "x"), 0);
    cr_assert_eq(store_link(a, "x", b, "x"), 0, "the same file again");
    put(b, "x", "other");
    cr_assert_eq(store_link(a, "x", b, "x"), 0);
    cr_assert_str_eq(get(b, "x"), "one");
    cr_assert_eq(entries(b), 1);
    cr_assert_eq(fstatat(b, "x", &st, 0), 0);
    cr_assert_eq(st.st_nlink, 2);
    cr_assert_eq(store_link(a, "none", b, "none"), -ENOENT);
}

Test(store, copies_where_links_cannot_be)
{
    int shm = open("/dev/shm", O_RDONLY | O_DIRECTORY), dir;
    char name[64];

    if (shm < 0)
        cr_skip("there is no /dev/shm");
    snprintf(name, sizeof(name), "ertools-store-%d", (int)getpid());
    dir = store_dir(shm, name);
    cr_assert_geq(dir, 0);
    put(a, "x", "far");
    cr_assert_eq(store_link(a, "x", dir, "x"), 0);
    cr_assert_str_eq(get(dir, "x"), "far");
    cr_assert_eq(entries(dir), 1);
    unlinkat(dir, "x", 0);
    unlinkat(shm, name, AT_REMOVEDIR);
}

Test(store, cleans_after_the_dead_only)
{
    struct store_file living;
    int dead = openat(a, ".tmp-1-1", O_WRONLY | O_CREAT, 0600);

    close(dead);
    put(a, "x", "kept");
    cr_assert_eq(store_begin(&living, a), 0);
    store_clean(a);
    cr_assert_eq(faccessat(a, ".tmp-1-1", F_OK, 0), -1);
    cr_assert_str_eq(get(a, "x"), "kept");
    cr_assert_eq(store_commit(&living, "y"), 0, "the living one's file is still there");
    cr_assert_not_null(get(a, "y"));
}

Test(store, evicts_what_was_used_longest_ago)
{
    struct timespec old[2] = {{1000, 0}, {1000, 0}};

    put(a, "new", "1");
    put(a, "old", "2");
    cr_assert_eq(utimensat(a, "old", old, 0), 0);
    store_evict(a, 4096);
    cr_assert_null(get(a, "old"));
    cr_assert_not_null(get(a, "new"));
    put(a, "other", "3");
    cr_assert_eq(utimensat(a, "new", old, 0), 0);
    store_used(a, "new");
    store_evict(a, (u64)1 << 30);
    cr_assert_eq(entries(a), 2);
    store_evict(a, 0);
    cr_assert_eq(entries(a), 0);
}

Test(store, follows_no_links)
{
    cr_assert_eq(symlinkat("/tmp", top, "c"), 0);
    cr_assert_lt(store_dir(top, "c"), 0);
}

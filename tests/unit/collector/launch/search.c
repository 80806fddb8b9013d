/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/search.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch[64];

static void
put(const char *name, mode_t mode)
{
    FILE *f = fopen(name, "w");

    cr_assert_not_null(f);
    fclose(f);
    cr_assert_eq(chmod(name, mode), 0);
}

/* one/ has a file that may not run and a directory; two/ has programs. */
static void
make_tree(void)
{
    strcpy(scratch, "/tmp/ertools-search.XXXXXX");
    cr_assert_not_null(mkdtemp(scratch));
    cr_assert_eq(chdir(scratch), 0);
    cr_assert_eq(mkdir("one", 0700) | mkdir("two", 0700) | mkdir("one/dir", 0700), 0);
    put("one/prog", 0600);
    put("one/plain", 0600);
    put("two/prog", 0700);
    put("two/dir", 0700);
    put("here", 0700);
}

static void
remove_tree(void)
{
    char command[128] = "rm -rf ";

    cr_assert_eq(system(strcat(command, scratch)), 0);
}

TestSuite(search, .init = make_tree, .fini = remove_tree);

Test(search, first_that_can_run)
{
    char path[PATH_MAX] = "";

    cr_assert_eq(search_program("prog", "one:two", path), 0);
    cr_assert_str_eq(path, "two/prog");
    cr_assert_eq(search_program("dir", "one:two", path), 0);
    cr_assert_str_eq(path, "two/dir");
}

Test(search, what_is_there_but_cannot_run)
{
    char path[PATH_MAX] = "kept";

    cr_assert_eq(search_program("plain", "one:two", path), -EACCES);
    cr_assert_eq(search_program("dir", "one", path), -ENOENT);
    cr_assert_eq(search_program("one/dir", "two", path), -EISDIR);
    cr_assert_eq(search_program("./one/plain", "two", path), -EACCES);
    cr_assert_eq(search_program("none", "one:two", path), -ENOENT);
    cr_assert_eq(search_program("./none", "one:two", path), -ENOENT);
    cr_assert_eq(search_program("", "one:two", path), -ENOENT);
    cr_assert_str_eq(path, "kept");
}

Test(search, an_empty_element_is_the_working_directory)
{
    char path[PATH_MAX];

    cr_assert_eq(search_program("here", "one::two", path), 0);
    cr_assert_str_eq(path, "./here");
    cr_assert_eq(search_program("here", "one:", path), 0);
    cr_assert_eq(search_program("here", "", path), 0);
    cr_assert_eq(search_program("here", "one", path), -ENOENT);
}

Test(search, names_that_are_too_long)
{
    char name[PATH_MAX + 10], path[PATH_MAX];

    memset(name, 'x', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    cr_assert_eq(search_program(name, "one", path), -ENOENT);
    name[0] = '/';
    cr_assert_eq(search_program(name, "one", path), -ENAMETOOLONG);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/history.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char home[] = "/tmp/ertools-history.XXXXXX";
static char path[200];
static int count;
static char first[100], latest[100];

static int
add(const char *line)
{
    if (!count++)
        snprintf(first, sizeof(first), "%s", line);
    snprintf(latest, sizeof(latest), "%s", line);
    return 0;
}

static void
setup(void)
{
    cr_assert(mkdtemp(home));
    setenv("XDG_STATE_HOME", home, 1);
    snprintf(path, sizeof(path), "%s/ertools/er_print_history", home);
}

static void
teardown(void)
{
    unlink(path);
    *strrchr(path, '/') = '\0';
    rmdir(path);
    rmdir(home);
}

TestSuite(history, .init = setup, .fini = teardown);

Test(history, is_kept)
{
    struct stat st;

    history_read(add);
    cr_assert_eq(count, 0);
    history_keep("functions");
    history_keep("functions");
    history_keep(" secret");
    history_keep("lines");
    history_read(add);
    cr_assert_eq(count, 2);
    cr_assert_str_eq(first, "functions");
    cr_assert_str_eq(latest, "lines");
    history_keep("lines");
    count = 0;
    history_read(add);
    cr_assert_eq(count, 2, "the last line of another run is not repeated");
    cr_assert_eq(stat(path, &st), 0);
    cr_assert_eq(st.st_mode & 0777, 0600);
}

Test(history, does_not_grow_for_ever)
{
    char line[32];
    FILE *f;

    history_keep("x");
    f = fopen(path, "w");
    for (int i = 0; i < 2 * HISTORY_MAX + 5; i++)
        fprintf(f, "line %d\n", i);
    fclose(f);
    history_read(add);
    cr_assert_eq(count, HISTORY_MAX);
    snprintf(line, sizeof(line), "line %d", HISTORY_MAX + 5);
    cr_assert_str_eq(first, line);
    count = 0;
    history_keep("one more");
    history_read(add);
    cr_assert_eq(count, HISTORY_MAX);
    snprintf(line, sizeof(line), "line %d", HISTORY_MAX + 6);
    cr_assert_str_eq(first, line);
    cr_assert_str_eq(latest, "one more");
}

Test(history, without_a_place)
{
    setenv("XDG_STATE_HOME", "relative", 1);
    unsetenv("HOME");
    history_keep("functions");
    history_read(add);
    cr_assert_eq(count, 0);
    /* What stands in the way is left alone. */
    setenv("XDG_STATE_HOME", "/dev/null", 1);
    history_keep("lines");
    history_read(add);
    cr_assert_eq(count, 0);
}

Test(history, is_not_kept_in_the_home_of_another_user)
{
    struct stat st;

    if (geteuid() != 0)
        cr_skip_test("only root can give a directory away");
    cr_assert_eq(chown(home, 65534, 65534), 0);
    history_keep("functions");
    cr_assert_lt(stat(path, &st), 0);
}

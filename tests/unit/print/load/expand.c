/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "print/load/experiment.h"
#include "tests/gen/scene.h"

static char *dir;

static void
setup(void)
{
    dir = scene_dir();
}

static void
teardown(void)
{
    scene_remove(dir);
}

TestSuite(expand, .init = setup, .fini = teardown);

static void
make_dir(const char *name)
{
    char *path = scene_path(dir, name);

    cr_assert_eq(mkdir(path, 0700), 0);
    free(path);
}

static void
make_group(const char *text)
{
    char *path = scene_path(dir, "g.erg");
    FILE *f = fopen(path, "w");

    fputs(text, f);
    fclose(f);
    free(path);
}

/* The paths that a name stands for, without the directory, joined by blanks. */
static char *
expand(const char *name)
{
    static char text[1000];
    char *path = scene_path(dir, name), **paths, *why;
    u32 count;
    int ret = experiment_expand(path, &paths, &count, &why);

    free(path);
    if (ret < 0) {
        snprintf(text, sizeof(text), "error: %s", why);
        free(why);
        return text;
    }
    text[0] = 0;
    for (u32 i = 0; i < count; i++) {
        strcat(strcat(text, i ? " " : ""), paths[i] + strlen(dir) + 1);
        free(paths[i]);
    }
    free(paths);
    return text;
}

Test(expand, sub_experiments_follow_their_founder_by_number)
{
    make_dir("a.er");
    make_dir("a.er/_f10.er");
    make_dir("a.er/_f2.er");
    make_dir("a.er/_f2_x1.er");
    make_dir("a.er/M_r1.er");
    make_dir("a.er/archives");
    make_dir("a.er/other.er");
    cr_assert_str_eq(expand("a.er"),
                     "a.er a.er/M_r1.er a.er/_f2.er a.er/_f2_x1.er a.er/_f10.er");
    cr_assert_str_eq(expand("none.er"), "none.er");
}

Test(expand, group)
{
    make_dir("a.er");
    make_dir("a.er/_f1.er");
    make_group("#analyzer experiment group\n\n# a comment\n  a.er\r\nb.er");
    cr_assert_str_eq(expand("g.erg"), "a.er a.er/_f1.er b.er");
}

Test(expand, what_is_no_group)
{
    cr_assert_not_null(strstr(expand("g.erg"), "cannot be read"));
    make_group("a.er\n");
    cr_assert_not_null(strstr(expand("g.erg"), "is not an experiment group"));
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/session/name.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch[64];
static int dir;

static void
make_dir(void)
{
    strcpy(scratch, "/tmp/ertools-name.XXXXXX");
    cr_assert_not_null(mkdtemp(scratch));
    dir = open(scratch, O_RDONLY | O_DIRECTORY);
    cr_assert_geq(dir, 0);
}

static void
remove_dir(void)
{
    char command[128] = "rm -rf ";

    cr_assert_eq(system(strcat(command, scratch)), 0);
}

TestSuite(name, .init = make_dir, .fini = remove_dir);

Test(name, numbered_forms)
{
    size_t len = 99;
    u64 n = 99;

    cr_assert(name_numbered("test.1.er", &len, &n));
    cr_assert(len == 4 && n == 1);
    cr_assert(name_numbered("a.b.123.er", &len, &n));
    cr_assert(len == 3 && n == 123);
    cr_assert_not(name_numbered("test.er", &len, &n));
    cr_assert_not(name_numbered(".1.er", &len, &n));
    cr_assert_not(name_numbered("test1.er", &len, &n));
    cr_assert_not(name_numbered("test.1x.er", &len, &n));
    cr_assert_not(name_numbered("test.1.erg", &len, &n));
    cr_assert_not(name_numbered("t.1234567890123456789.er", &len, &n));
    cr_assert(len == 3 && n == 123, "kept when there is none");
}

Test(name, one_above_the_highest)
{
    char name[NAME_MAX_BYTES];

    cr_assert_eq(name_choose(dir, NULL, name), 0);
    cr_assert_str_eq(name, "test.1.er");
    cr_assert_eq(mkdirat(dir, "test.7.er", 0700), 0);
    cr_assert_eq(mkdirat(dir, "other.9.er", 0700), 0);
    cr_assert_eq(name_choose(dir, NULL, name), 0);
    cr_assert_str_eq(name, "test.8.er");
}

Test(name, wanted)
{
    char name[NAME_MAX_BYTES];

    cr_assert_eq(mkdirat(dir, "a.er", 0700), 0);
    cr_assert_eq(mkdirat(dir, "b.3.er", 0700), 0);
    cr_assert_eq(name_choose(dir, "a.er", name), -EEXIST);
    cr_assert_eq(name_choose(dir, "c.er", name), 0);
    cr_assert_str_eq(name, "c.er");
    cr_assert_eq(name_choose(dir, "b.3.er", name), 0);
    cr_assert_str_eq(name, "b.4.er");
    cr_assert_eq(name_choose(dir, "b.2.er", name), 0);
    cr_assert_str_eq(name, "b.2.er");
}

Test(name, a_dangling_link_is_not_followed)
{
    struct expdir e;
    char name[NAME_MAX_BYTES];

    cr_assert_eq(symlinkat("elsewhere", dir, "a.er"), 0);
    cr_assert_eq(name_create(dir, "a.er", name, &e), -EEXIST);
    cr_assert_neq(faccessat(dir, "elsewhere", F_OK, 0), 0);
}

Test(name, create_makes_what_it_says)
{
    char name[NAME_MAX_BYTES];
    struct expdir e;
    struct stat st;

    cr_assert_eq(name_create(dir, NULL, name, &e), 0);
    cr_assert_str_eq(name, "test.1.er");
    cr_assert_eq(fstat(e.dir, &st), 0);
    cr_assert_eq(st.st_mode & 07777, 0700);
    experiment_discard(&e, dir, name);
    cr_assert_neq(faccessat(dir, name, F_OK, 0), 0, "nothing is left");
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/object/objkey.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

Test(objkey, is_the_build_id_where_there_is_one)
{
    struct objfile_id id = {.name = "/lib/x", .buildid = "ABcd0123"};
    char key[OBJFILE_KEY_MAX];

    cr_assert_eq(objfile_key(key, &id), 0);
    cr_assert_str_eq(key, "abcd0123");
    id.buildid = "../evil";
    cr_assert_eq(objfile_key(key, &id), 0);
    cr_assert(objkey_valid(key), "%s", key);
    cr_assert_eq(strncmp(key, "f-", 2), 0);
}

Test(objkey, tells_files_apart)
{
    struct objfile_id id = {.name = "/lib/x", .inode = "12", .fsize = "3"};
    char a[OBJFILE_KEY_MAX], b[OBJFILE_KEY_MAX];

    cr_assert_eq(objfile_key(a, &id), 0);
    cr_assert_eq(objfile_key(b, &id), 0);
    cr_assert_str_eq(a, b);
    id.inode = "1"; /* the same letters, cut differently */
    id.fsize = "23";
    cr_assert_eq(objfile_key(b, &id), 0);
    cr_assert_str_neq(a, b);
    id = (struct objfile_id){0};
    cr_assert_eq(objfile_key(b, &id), -EINVAL);
}

Test(objkey, cache_must_be_the_users_own)
{
    char dir[] = "/tmp/ertools-key.XXXXXX", ours[64];
    int fd;

    cr_assert_not_null(mkdtemp(dir));
    setenv("XDG_CACHE_HOME", dir, 1);
    cr_assert_eq(objfile_cache_dir(false), -ENOENT);
    fd = objfile_cache_dir(true);
    cr_assert_geq(fd, 0);
    close(fd);
    snprintf(ours, sizeof(ours), "%s/ertools", dir);
    cr_assert_eq(chmod(ours, 0770), 0);
    cr_assert_eq(objfile_cache_dir(true), -EPERM);
    snprintf(ours, sizeof(ours), "rm -rf %s", dir);
    cr_assert_eq(system(ours), 0);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/archived.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/gen/scene.h"

Test(archived, states_and_warnings_by_key)
{
    struct problems problems = { .lock = PTHREAD_MUTEX_INITIALIZER };
    char *dir = scene_dir(), *path = scene_path(dir, "a.er"), file[500];
    struct archived a;
    FILE *f;
    int fd;

    scene_write(dir, "a.er", 1);
    fd = open(path, O_RDONLY | O_DIRECTORY);
    cr_assert_eq(archived_read(&a, fd, "index", &problems), -ENOENT);
    snprintf(file, sizeof(file), "%s/archives/index.xml", path);
    f = fopen(file, "w");
    fputs("<?xml version=\"1.0\"?>\n<archive version=\"1\">\n"
          "<object key=\"aa01\" name=\"x\" state=\"present\"/>\n"
          "<object key=\"aa02\" state=\"changed\" "
          "warning=\"it &lt;changed&gt;\"/>\n", f);
    fclose(f);
    cr_assert_eq(archived_read(&a, fd, "index", &problems), 0);
    cr_assert_eq(a.count, 2);
    cr_assert_str_eq(archived_find(&a, "aa01")->warning, "");
    cr_assert_str_eq(archived_find(&a, "aa02")->warning, "it <changed>");
    cr_assert_str_eq(archived_find(&a, "aa02")->state, "changed");
    cr_assert_null(archived_find(&a, "aa03"));
    archived_free(&a);
    cr_assert_eq(problems.count, 0);
    close(fd);
    free(path);
    scene_remove(dir);
}

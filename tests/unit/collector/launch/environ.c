/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/environ.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct er_params params = { .clock_ns = 997000, .launcher = 5 };

static char *
value(char **env, const char *name)
{
    size_t len = strlen(name);
    char *found = NULL;

    for (; *env; env++)
        if (!strncmp(*env, name, len) && (*env)[len] == '=') {
            cr_assert_null(found, "%s twice", name);
            found = *env + len + 1;
        }
    return found;
}

Test(environ, sets_what_the_library_needs)
{
    char *old[] = { (char[]){ "A=1" }, (char[]){ "SP_COLLECTOR_PARAMS=old" }, NULL };
    char **env = environ_make(old, "/l/libcollector.so", "/x/test.1.er", &params);
    struct er_params parsed;

    cr_assert_str_eq(value(env, "A"), "1");
    cr_assert_str_eq(value(env, "LD_PRELOAD"), "/l/libcollector.so");
    cr_assert_str_eq(value(env, "SP_COLLECTOR_PRELOAD"), "/l/libcollector.so");
    cr_assert_str_eq(value(env, "SP_COLLECTOR_EXPNAME"), "/x/test.1.er");
    cr_assert_eq(params_parse(value(env, "SP_COLLECTOR_PARAMS"), &parsed), 0);
    cr_assert(parsed.clock_ns == 997000 && parsed.launcher == 5);
}

Test(environ, what_was_preloaded_stays_behind)
{
    char *old[] = { (char[]){ "LD_PRELOAD=/a.so /b.so" }, NULL };
    char **env = environ_make(old, "/l.so", "/x", &params);

    cr_assert_str_eq(value(env, "LD_PRELOAD"), "/l.so:/a.so /b.so");
    cr_assert_str_eq(value(env, "SP_COLLECTOR_PRELOAD"), "/l.so");
}

Test(environ, an_outer_collect_is_replaced)
{
    char *old[] = { (char[]){ "LD_PRELOAD=/l.so:/a.so" },
                    (char[]){ "SP_COLLECTOR_PRELOAD=/l.so" },
                    (char[]){ "SP_COLLECTOR_EXPNAME=/outer" }, NULL };
    char **env = environ_make(old, "/l.so", "/x", &params);

    cr_assert_str_eq(value(env, "LD_PRELOAD"), "/l.so:/a.so");
    cr_assert_str_eq(value(env, "SP_COLLECTOR_EXPNAME"), "/x");
}

Test(environ, without_a_library_nothing_is_ours)
{
    char *old[] = { (char[]){ "LD_PRELOAD=/l.so" },
                    (char[]){ "SP_COLLECTOR_PRELOAD=/l.so" }, (char[]){ "B=2" }, NULL };
    char **env = environ_make(old, NULL, "/x", &params);

    cr_assert_null(value(env, "LD_PRELOAD"));
    cr_assert_null(value(env, "SP_COLLECTOR_PRELOAD"));
    cr_assert_null(value(env, "SP_COLLECTOR_EXPNAME"));
    cr_assert_str_eq(value(env, "B"), "2");
}

Test(environ, paths_that_cannot_be_preloaded)
{
    cr_assert(environ_can_preload("/usr/lib/ertools/libcollector.so"));
    cr_assert_not(environ_can_preload("/my lib/libcollector.so"));
    cr_assert_not(environ_can_preload("/a:b/libcollector.so"));
}

Test(environ, a_link_stands_for_such_a_path)
{
    char top[] = "/tmp/ertools-link.XXXXXX", link[PATH_MAX] = "", again[PATH_MAX];
    char target[64] = "", command[128] = "rm -rf ";

    cr_assert_not_null(mkdtemp(top));
    cr_assert_eq(environ_link(top, "/my lib/libcollector.so", link), 0);
    cr_assert(environ_can_preload(link));
    cr_assert_gt(readlink(link, target, sizeof(target) - 1), 0);
    cr_assert_str_eq(target, "/my lib/libcollector.so");
    cr_assert_eq(environ_link(top, "/my lib/libcollector.so", again), 0);
    cr_assert_str_eq(link, again, "the same one again");
    cr_assert_eq(environ_link(top, "/other lib/libcollector.so", again), 0);
    cr_assert_str_neq(link, again);
    *strrchr(link, '/') = '\0';
    cr_assert_eq(chmod(link, 0777), 0);
    cr_assert_eq(environ_link(top, "/x y/libcollector.so", again), -EPERM,
                 "a directory that others can write to is not trusted");
    cr_assert_eq(system(strcat(command, top)), 0);
}

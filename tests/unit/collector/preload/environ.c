/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/environ.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Restore a copy of the list; the result joined by blanks. */
static const char *
restored(const char *const *list)
{
    static char joined[4096];
    char *envp[32];
    int n = 0;

    for (; list[n]; n++)
        envp[n] = strdup(list[n]);
    envp[n] = NULL;
    environ_restore(envp);
    joined[0] = 0;
    for (n = 0; envp[n]; n++) {
        strcat(joined, n ? " " : "");
        strcat(joined, envp[n]);
    }
    return joined;
}

#define RESTORED(...) restored((const char *const[]){ __VA_ARGS__, NULL })

Test(environ, finds_whole_names)
{
    char ab[] = "AB=1", a[] = "A=2", c[] = "C";
    char *envp[] = { ab, a, c, NULL };

    cr_expect_str_eq(environ_get(envp, "A"), "2");
    cr_expect_str_eq(environ_get(envp, "AB"), "1");
    cr_expect_null(environ_get(envp, "C"));
    cr_expect_null(environ_get(envp, "B"));
    cr_expect_null(environ_get(NULL, "A"));
}

Test(environ, takes_ours_out)
{
    cr_expect_str_eq(RESTORED("A=1", "SP_COLLECTOR_PARAMS=x", "B=2",
                              "SP_COLLECTOR_EXPNAME=/x.er",
                              "SP_COLLECTOR_PRELOAD=/l.so", "LD_PRELOAD=/l.so", "C=3"),
                     "A=1 B=2 C=3");
}

Test(environ, keeps_what_the_user_preloads)
{
    cr_expect_str_eq(RESTORED("SP_COLLECTOR_PRELOAD=/l.so",
                              "LD_PRELOAD=/l.so:/mine.so:b"),
                     "LD_PRELOAD=/mine.so:b");
    cr_expect_str_eq(RESTORED("SP_COLLECTOR_PRELOAD=/l.so", "LD_PRELOAD=/other.so"),
                     "LD_PRELOAD=/other.so");
    cr_expect_str_eq(RESTORED("LD_PRELOAD=/other.so", "X="), "LD_PRELOAD=/other.so X=");
}

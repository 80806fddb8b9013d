/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/elsewhere.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/personality.h>
#include <unistd.h>

enum {
    ASK = -1, /* personality(2) with 0xffffffff only returns the present value */
};

/* This variable is set only for the exec; the new image removes it at its start. */
static const char moved[] = "ERTOOLS_ELSEWHERE";

static int is_moved;

/* Execute this program again, with a path that gives the same name in ps. */
static void
execute_again(char **argv)
{
    char path[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", path, sizeof(path));

    if (len <= 0 || (size_t)len >= sizeof(path))
        return;
    path[len] = '\0';
    execv(path, argv);
}

void
elsewhere_start(char **argv)
{
    int now = personality((unsigned long)ASK & 0xffffffff);

    is_moved = getenv(moved) != NULL;
    if (is_moved)
        (void)unsetenv(moved);
    if (is_moved || now < 0 || !(now & ADDR_NO_RANDOMIZE) || setenv(moved, "1", 1))
        return;
    (void)personality((unsigned long)now & ~(unsigned long)ADDR_NO_RANDOMIZE);
    execute_again(argv);
    (void)personality((unsigned long)now);
    (void)unsetenv(moved);
}

void
elsewhere_restore(void)
{
    int now = is_moved ? personality((unsigned long)ASK & 0xffffffff) : -1;

    if (now >= 0)
        (void)personality((unsigned long)now | ADDR_NO_RANDOMIZE);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/jit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "share/types.h"

/*
 * The variables to set. is_list: append the value to the user's list of arguments; else
 * set the variable only if the user has not set it.
 */
static const struct {
    const char *name;
    const char *value;
    int is_list;
} variables[] = {
    { "NODE_OPTIONS", "--perf-basic-prof --interpreted-frames-native-stack", 1 },
    { "PYTHONPERFSUPPORT", "1", 0 },
    { "ERL_FLAGS", "+JPperf true", 1 },
    { "MONO_ENV_OPTIONS", "--jitmap", 1 },
    { "DOTNET_PerfMapEnabled", "3", 0 }, /* the map only */
};

static int
set(const char *name, const char *value, int is_list)
{
    const char *old = getenv(name);
    char *both;
    int ret;

    if (!old || !*old)
        return setenv(name, value, 1) < 0 ? -errno : 0;
    if (!is_list || strstr(old, value))
        return 0;
    if (asprintf(&both, "%s %s", old, value) < 0)
        return -ENOMEM;
    ret = setenv(name, both, 1) < 0 ? -errno : 0;
    free(both);
    return ret;
}

int
jit_environment(void)
{
    int ret = 0;

    for (u32 i = 0; i < ER_COUNT(variables) && ret == 0; i++)
        ret = set(variables[i].name, variables[i].value, variables[i].is_list);
    return ret;
}

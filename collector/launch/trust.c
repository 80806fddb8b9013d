/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/trust.h"

#include <string.h>
#include <sys/stat.h>

/*
 * 1 if every user may write to the file, or replace files in the directory. In a
 * directory with the sticky bit, users may replace only their own files.
 */
static int
is_open(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && st.st_mode & S_IWOTH &&
           !(S_ISDIR(st.st_mode) && st.st_mode & S_ISVTX);
}

int
trust_is_open(char *path)
{
    char *slash;

    while (*path) {
        if (is_open(path))
            return 1;
        slash = strrchr(path, '/');
        if (!slash)
            return 0;
        *slash = '\0';
    }
    return 0;
}

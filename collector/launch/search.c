/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/search.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int
check(const char *path)
{
    struct stat st;

    if (stat(path, &st) < 0)
        return -errno;
    if (S_ISDIR(st.st_mode))
        return -EISDIR;
    if (!S_ISREG(st.st_mode))
        return -EACCES;
    return faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) < 0 ? -errno : 0;
}

static int
join(const char *dir, size_t len, const char *name, char path[PATH_MAX])
{
    int n;

    /* An empty element is the working directory. */
    if (len == 0)
        n = snprintf(path, PATH_MAX, "./%s", name);
    else
        n = snprintf(path, PATH_MAX, "%.*s/%s", (int)len, dir, name);
    return n < PATH_MAX ? 0 : -ENAMETOOLONG;
}

static int
search_path(const char *name, const char *search, char path[PATH_MAX])
{
    int result = -ENOENT;

    for (;;) {
        size_t len = strcspn(search, ":");
        int ret = join(search, len, name, path);

        if (ret == 0)
            ret = check(path);
        if (ret == 0)
            return 0;
        /*
         * Continue with the next directory, but remember if a file was found that may
         * not be executed.
         */
        if (ret == -EACCES)
            result = ret;
        if (!search[len])
            return result;
        search += len + 1;
    }
}

int
search_program(const char *name, const char *search, char path[PATH_MAX])
{
    char found[PATH_MAX];
    int ret;

    if (!*name)
        return -ENOENT;
    if (strchr(name, '/')) {
        ret = strlen(name) < PATH_MAX ? check(name) : -ENAMETOOLONG;
        if (ret == 0)
            strcpy(path, name);
        return ret;
    }
    ret = search_path(name, search ? search : "/bin:/usr/bin", found);
    if (ret == 0)
        strcpy(path, found);
    return ret;
}

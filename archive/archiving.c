/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/archiving.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool
is_sub_experiment(const char *name)
{
    size_t n = strlen(name);

    return name[0] != '.' && n > 3 && strcmp(name + n - 3, ".er") == 0;
}

void
archiving_subs(const struct archive *a,
               void (*each)(void *context, int dir, const char *path), void *context)
{
    int fd = openat(a->expdir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), sub;
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    struct dirent *e;
    char path[4096];

    if (!d)
        return;
    while ((e = readdir(d)) != NULL) {
        if (!is_sub_experiment(e->d_name))
            continue;
        sub = openat(a->expdir, e->d_name,
                     O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
        if (sub < 0)
            continue;
        snprintf(path, sizeof(path), "%s/%s", a->name, e->d_name);
        each(context, sub, path);
        close(sub);
    }
    closedir(d);
}

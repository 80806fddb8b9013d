/* SPDX-License-Identifier: Apache-2.0 */
#include "manage/writer.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "print/load/experiment.h"

#define CONTROL ".control"

/*
 * The pid of the process that writes an experiment; 0 = none does. An experiment with a
 * control page may still be written; its log says by which process.
 */
static unsigned
writer_of(int dir, const char *name)
{
    struct experiment *e;
    char *path = NULL, *why = NULL;
    unsigned pid = 0;
    int sub = openat(dir, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    if (sub >= 0 && faccessat(sub, CONTROL, F_OK, AT_SYMLINK_NOFOLLOW) == 0 &&
        asprintf(&path, "/proc/self/fd/%d/%s", dir, name) > 0 &&
        experiment_open(&e, path, &why) == 0) {
        if (e->state == EXPERIMENT_LIVE)
            pid = e->pid;
        experiment_close(e);
    }
    if (sub >= 0)
        close(sub);
    free(path);
    free(why);
    return pid;
}

unsigned
writer_find(const struct place *p)
{
    int fd = place_directory(p);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    unsigned pid = 0;
    struct dirent *e;

    if (!d) {
        if (fd >= 0)
            close(fd);
        return 0;
    }
    while (!pid && (e = readdir(d)) != NULL)
        if (!strcmp(e->d_name, ".") || place_ends(e->d_name, ".er"))
            pid = writer_of(fd, e->d_name);
    closedir(d);
    return pid;
}

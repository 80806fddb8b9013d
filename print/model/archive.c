/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "print/model/object.h"

/* Is `name` in the directory of this program, or above it in a build tree? */
static bool
find_program(char path[PATH_MAX])
{
    static const char *const places[] = { "er_archive", "../er_archive" };
    ssize_t len = readlink("/proc/self/exe", path, PATH_MAX - 32);
    char *slash;

    if (len <= 0)
        return false;
    path[len] = 0;
    slash = strrchr(path, '/');
    if (!slash)
        return false;
    for (u32 i = 0; i < ER_COUNT(places); i++) {
        strcpy(slash + 1, places[i]);
        if (access(path, X_OK) == 0)
            return true;
    }
    return false;
}

static bool
newer(const struct stat *a, const struct stat *b)
{
    if (a->st_mtim.tv_sec != b->st_mtim.tv_sec)
        return a->st_mtim.tv_sec > b->st_mtim.tv_sec;
    return a->st_mtim.tv_nsec > b->st_mtim.tv_nsec;
}

static bool
is_archived(const struct experiment *e)
{
    struct stat index, map;

    return fstatat(e->founder, "archives/index.xml", &index, 0) == 0 &&
           (fstatat(e->dir, "map.xml", &map, 0) < 0 || !newer(&map, &index));
}

static bool
was_tried(struct objects *objects, const char *path)
{
    char **grown;

    for (u32 i = 0; i < objects->narchived; i++)
        if (!strcmp(objects->archived[i], path))
            return true;
    grown = realloc(objects->archived, (objects->narchived + 1) * sizeof(*grown));
    if (!grown)
        return true;
    objects->archived = grown;
    grown[objects->narchived] = strdup(path);
    if (!grown[objects->narchived])
        return true;
    objects->narchived++;
    return false;
}

static bool
run(char *program, char *experiment)
{
    char *argv[] = { program, (char[]){ "-q" }, experiment, NULL };
    pid_t pid;
    int status;

    if (posix_spawn(&pid, program, NULL, NULL, argv, environ))
        return false;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return true;
}

bool
archive_make(struct session *session)
{
    char program[PATH_MAX];
    bool ran = false;

    if (!find_program(program))
        return false;
    for (u32 i = 0; i < session->nexperiments; i++) {
        struct experiment *e = session->experiment[i];

        /* A founder's run takes its sub-experiments along. */
        if (e->founder != e->dir || is_archived(e) ||
            was_tried(session->objects, e->path))
            continue;
        ran |= run(program, e->path);
    }
    return ran;
}

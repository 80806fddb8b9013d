/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "print/model/symbols/object.h"
#include "share/beside.h"

/* Find er_archive: beside this program or, in a build tree, in the directory above. */
static bool
find_program(char path[PATH_MAX])
{
    static const char *const places[] = { "er_archive", "../er_archive" };

    for (u32 i = 0; i < ER_COUNT(places); i++)
        if (beside_path(path, "%s", places[i]) == 0 && access(path, X_OK) == 0)
            return true;
    return false;
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

/*
 * Run er_archive. It writes problems into the experiment's index, where
 * archive_warning() finds them.
 */
static bool
run(char *program, char *experiment)
{
    char *argv[] = { program, (char[]){ "-q" }, experiment, NULL };
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int status, ret;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    ret = posix_spawn(&pid, program, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (ret)
        return false;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return true;
}

/*
 * Did the process of this experiment itself, and not only a descendant, have the
 * object?
 */
static bool
has_object(const struct experiment *e, const char *key)
{
    char its[OBJFILE_KEY_MAX];

    for (u32 i = 0; i < e->map.count; i++)
        if (objfile_key(its, &e->map.instance[i].file) == 0 && !strcmp(its, key))
            return true;
    return false;
}

struct experiment *
archive_holder(struct session *session, const char *key)
{
    for (u32 i = 0; i < session->nexperiments; i++)
        if (has_object(session->experiment[i], key))
            return session->experiment[i];
    return NULL;
}

const char *
archive_warning(struct experiment *experiment, const char *key)
{
    const struct archived *index = experiment_archived(experiment, false);
    const struct archived_object *object = archived_find(index, key);

    return object ? object->warning : NULL;
}

/*
 * The path of the experiment's founder, in which the archives of all sub-experiments
 * are.
 */
static void
founder_path(const struct experiment *e, char path[PATH_MAX])
{
    const char *slash = strrchr(e->path, '/');

    if (e->is_founder)
        snprintf(path, PATH_MAX, "%s", e->path);
    else if (slash)
        snprintf(path, PATH_MAX, "%.*s", (int)(slash - e->path), e->path);
    else
        snprintf(path, PATH_MAX, "..");
}

bool
archive_make(struct session *session, const char *key)
{
    char program[PATH_MAX], path[PATH_MAX];
    bool ran = false;

    if (!find_program(program))
        return false;
    for (u32 i = 0; i < session->nexperiments; i++) {
        struct experiment *e = session->experiment[i];

        if (!has_object(e, key) || archived_find(experiment_archived(e, false), key))
            continue;
        founder_path(e, path);
        if (was_tried(session->objects, path))
            continue;
        ran |= run(program, path);
        experiment_archived(e, true);
    }
    return ran;
}

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

#include "archive/object/objfile.h"
#include "share/beside.h"

/* Find er_archive: beside this program or, for a build tree, in the directory above. */
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
was_tried(struct archive_runs *runs, const char *path)
{
    char **grown;

    for (u32 i = 0; i < runs->count; i++)
        if (!strcmp(runs->path[i], path))
            return true;
    grown = realloc(runs->path, (runs->count + 1) * sizeof(*grown));
    if (!grown)
        return true;
    runs->path = grown;
    grown[runs->count] = strdup(path);
    if (!grown[runs->count])
        return true;
    runs->count++;
    return false;
}

void
archive_forget(struct archive_runs *runs)
{
    for (u32 i = 0; i < runs->count; i++)
        free(runs->path[i]);
    free(runs->path);
    *runs = (struct archive_runs){ 0 };
}

/*
 * Run er_archive on an experiment; false: it could not be run. It writes problems into
 * the experiment's index, where archive_warning() finds them.
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
 * Write the path of the experiment's founder, which has the archives of all its
 * sub-experiments.
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
archive_make(struct session *session, struct archive_runs *runs, const char *key)
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
        if (was_tried(runs, path))
            continue;
        ran |= run(program, path);
        experiment_archived(e, true);
    }
    return ran;
}

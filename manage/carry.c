/* SPDX-License-Identifier: Apache-2.0 */
#include "manage/carry.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "manage/eligible.h"
#include "manage/group.h"
#include "manage/options.h"
#include "manage/tree.h"
#include "share/err.h"
#include "share/experiment.h"

static const char *
done(const struct carry *c)
{
    return c->moves ? "moved" : "copied";
}

static int
fail(const struct carry *c, const struct place *from, const struct place *to, int err)
{
    if (err == -EEXIST)
        err_warn("%s is there already", to->shown);
    else if (err != -EINTR)
        err_warn("%s cannot be %s to %s: %s", from->shown, done(c), to->shown,
                 strerror(-err));
    return 1;
}

static int
carry_one(const struct carry *c, const struct place *from, const struct place *to)
{
    int ret;

    if (to->kind != PLACE_NONE)
        return fail(c, from, to, -EEXIST);
    if (place_holds(from, to->parent)) {
        err_warn("%s cannot be %s into itself", from->shown, done(c));
        return 1;
    }
    ret = c->experiment(from, to->parent, to->name);
    return ret < 0 ? fail(c, from, to, ret) : 0;
}

static int carry_into(const struct carry *c, const struct place *from,
                      const struct place *directory);

/*
 * Carry a member of a group, before the group file is written. *line: the member's line
 * in the new group, which the caller frees; NULL: the member cannot be opened, or there
 * is no memory.
 */
static int
carry_member(const struct carry *c, const struct place *group, const struct group *g,
             u32 index, const struct place *directory, char **line)
{
    char *path = group_path(group, g, index);
    struct place member;
    int failed = 1;

    *line = NULL;
    if (path && !place_open(&member, path)) {
        failed = !eligible(&member, c->force);
        if (!failed && member.kind == PLACE_GROUP) {
            err_warn("%s: a group cannot be a member of another", member.shown);
            failed = 1;
        }
        failed = failed || carry_into(c, &member, directory);
        *line = strdup(member.name);
        place_close(&member);
    } else if (path) {
        place_close(&member);
    }
    free(path);
    return failed || !*line;
}

static int
finish_group(const struct carry *c, const struct place *from, const struct place *to,
             char *const *lines, u32 count)
{
    int ret = group_write(to->parent, to->name, lines, count);

    if (ret == 0 && c->moves && unlinkat(from->parent, from->name, 0) < 0)
        ret = -errno;
    return ret < 0 ? fail(c, from, to, ret) : 0;
}

/* Carry a group into a directory, with all its members. */
static int
carry_group(const struct carry *c, const struct place *from, const struct place *to,
            const struct place *directory)
{
    struct group g;
    char **lines;
    int failed = 0, ret = group_read(from, &g);

    if (ret < 0)
        return fail(c, from, to, ret);
    lines = calloc((size_t)g.count + 1, sizeof(*lines));
    for (u32 i = 0; lines && i < g.count && !tree_signal; i++)
        failed |= carry_member(c, from, &g, i, directory, &lines[i]);
    if (failed || tree_signal || !lines)
        err_warn("the group %s stays what it was, as not all of it could be %s",
                 from->shown, done(c));
    else
        failed = finish_group(c, from, to, lines, g.count);
    for (u32 i = 0; lines && i < g.count; i++)
        free(lines[i]);
    free(lines);
    group_free(&g);
    return failed || tree_signal;
}

static int
carry_into(const struct carry *c, const struct place *from,
           const struct place *directory)
{
    struct place to;
    int failed = place_open_in(&to, directory, from->name);

    if (!failed && to.kind != PLACE_NONE)
        failed = fail(c, from, &to, -EEXIST);
    else if (!failed)
        failed = from->kind == PLACE_GROUP ? carry_group(c, from, &to, directory)
                                           : carry_one(c, from, &to);
    place_close(&to);
    return failed;
}

static bool
same_directory(int one, int other)
{
    struct stat a, b;

    return fstat(one, &a) == 0 && fstat(other, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

/*
 * The line for a member, if its group file moves to another directory; the caller frees
 * it. NULL: no memory.
 */
static char *
line_from_elsewhere(const struct place *group, const struct group *g, u32 index)
{
    char *path = group_path(group, g, index);
    char *real = path ? realpath(path, NULL) : NULL;

    if (!real)
        return path;
    free(path);
    return real;
}

/* Give only the group file another name: its members stay where they are. */
static int
rename_group(const struct carry *c, const struct place *from, const struct place *to)
{
    struct group g;
    char **lines;
    int failed = 1, ret = group_read(from, &g);
    bool lost = false;

    if (ret < 0)
        return fail(c, from, to, ret);
    lines = calloc((size_t)g.count + 1, sizeof(*lines));
    for (u32 i = 0; lines && i < g.count; i++) {
        lines[i] = same_directory(from->parent, to->parent)
                       ? strdup(g.member[i])
                       : line_from_elsewhere(from, &g, i);
        lost |= !lines[i];
    }
    if (lines && !lost)
        failed = finish_group(c, from, to, lines, g.count);
    for (u32 i = 0; lines && i < g.count; i++)
        free(lines[i]);
    free(lines);
    group_free(&g);
    return failed;
}

static int
carry_to(const struct carry *c, const struct place *from, const struct place *to)
{
    bool group = from->kind == PLACE_GROUP;
    const char *ending = group ? GROUP_SUFFIX : EXPERIMENT_SUFFIX;

    if (to->kind != PLACE_NONE)
        return fail(c, from, to, -EEXIST);
    if (!place_ends(to->name, ending)) {
        err_warn("%s: the name of %s must end in %s", to->shown,
                 group ? "a group" : "an experiment", ending);
        return 1;
    }
    return group ? rename_group(c, from, to) : carry_one(c, from, to);
}

int
carry_all(const struct carry *c, int count, char **words)
{
    struct place to;
    int failed = 0;

    if (count < 2)
        err_die(TOOL_USAGE, "name what is to be %s, and where to", done(c));
    if (place_open(&to, words[count - 1]))
        exit(TOOL_USAGE);
    if (count > 2 && to.kind != PLACE_DIRECTORY)
        err_die(TOOL_USAGE, "%s is no directory, and only there is room for several",
                to.shown);
    tree_signals();
    for (int i = 0; i < count - 1 && !tree_signal; i++) {
        struct place from;

        if (place_open(&from, words[i]) || !eligible(&from, c->force))
            failed = 1;
        else if (to.kind == PLACE_DIRECTORY)
            failed |= carry_into(c, &from, &to);
        else
            failed |= carry_to(c, &from, &to);
        place_close(&from);
    }
    place_close(&to);
    tree_end_by_signal();
    return failed ? TOOL_FAILED : TOOL_DONE;
}

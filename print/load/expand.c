/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "print/base/array.h"
#include "print/load/experiment.h"
#include "print/load/xml.h"

struct list {
    char **path;
    u32 count;
    u32 room;
};

static void
list_free(struct list *list)
{
    for (u32 i = 0; i < list->count; i++)
        free(list->path[i]);
    free(list->path);
}

/* Add a path (NULL = no memory) to the list, which owns it. 0; -ENOMEM: it is freed. */
static int
add(struct list *list, char *path)
{
    if (!path ||
        array_room(&list->path, &list->room, list->count + 1, sizeof(path)) < 0) {
        free(path);
        return -ENOMEM;
    }
    list->path[list->count++] = path;
    return 0;
}

static bool
ends_with(const char *text, const char *end)
{
    size_t len = strlen(text), tail = strlen(end);

    return len > tail && !strcmp(text + len - tail, end);
}

static int
is_sub(const struct dirent *entry)
{
    return experiment_is_sub_name(entry->d_name) && ends_with(entry->d_name, ".er");
}

static int
in_path(const char *dir, const char *name, char **out)
{
    return asprintf(out, "%s/%s", dir, name) < 0 ? -ENOMEM : 0;
}

/*
 * Add a founder, and after it its sub-experiments (those of its descendants) by name,
 * with numbers in names compared as numbers.
 */
static int
add_founder(struct list *list, const char *path)
{
    struct dirent **entry;
    int n, ret = add(list, strdup(path));

    if (ret < 0)
        return ret;
    n = scandir(path, &entry, is_sub, versionsort);
    if (n < 0)
        return 0; /* experiment_open() will fail, too, and tell the user why */
    for (int i = 0; i < n; i++) {
        char *sub;

        if (ret == 0)
            ret = in_path(path, entry[i]->d_name, &sub);
        if (ret == 0)
            ret = add(list, sub);
        free(entry[i]);
    }
    free(entry);
    return ret;
}

static int
add_member(struct list *list, const char *group, const char *line)
{
    const char *slash = strrchr(group, '/');
    char *path;
    int ret;

    if (line[0] == '/' || !slash)
        return add_founder(list, line);
    if (asprintf(&path, "%.*s/%s", (int)(slash - group), group, line) < 0)
        return -ENOMEM;
    ret = add_founder(list, path);
    free(path);
    return ret;
}

static int
add_members(struct list *list, const char *group, char *text)
{
    char *save, *line = strtok_r(text, "\n", &save);
    int ret = 0;

    for (; line && ret == 0; line = strtok_r(NULL, "\n", &save)) {
        line += strspn(line, " \t");
        line[strcspn(line, "\r")] = 0;
        if (line[0] && line[0] != '#')
            ret = add_member(list, group, line);
    }
    return ret;
}

static int
add_group(struct list *list, const char *name, char **why)
{
    static const char head[] = "#analyzer experiment group";
    char *text;
    size_t len;
    int ret = xml_slurp(AT_FDCWD, name, &text, &len);

    if (ret < 0) {
        if (asprintf(why, "%s cannot be read: %s", name, strerror(-ret)) < 0)
            *why = NULL;
        return ret;
    }
    if (strncmp(text, head, sizeof(head) - 1)) {
        if (asprintf(why, "%s is not an experiment group: its first line is not '%s'",
                     name, head) < 0)
            *why = NULL;
        ret = -EINVAL;
    } else {
        ret = add_members(list, name, text);
    }
    free(text);
    return ret;
}

int
experiment_expand(const char *name, char ***paths, u32 *count, char **why)
{
    struct list list = { 0 };
    int ret;

    *why = NULL;
    if (ends_with(name, ".erg"))
        ret = add_group(&list, name, why);
    else
        ret = add_founder(&list, name);
    if (ret < 0) {
        list_free(&list);
        return ret;
    }
    *paths = list.path;
    *count = list.count;
    return 0;
}

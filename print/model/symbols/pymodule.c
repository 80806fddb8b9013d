/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/pymodule.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print/load/log.h"
#include "share/types.h"

#define FROZEN "<frozen "

/* The text after the last `mark` in a path; NULL = there is none. */
static const char *
behind_last(const char *path, const char *mark)
{
    const char *last = NULL;

    for (const char *at = strstr(path, mark); at; at = strstr(at + 1, mark))
        last = at + strlen(mark);
    return last;
}

/* The part of a path after ".../lib/python3.11/" or the like; NULL = there is none. */
static const char *
behind_library(const char *path)
{
    const char *at = path;

    while ((at = strstr(at, "/lib")) != NULL) {
        at = strchr(at + 1, '/');
        if (!at)
            return NULL;
        if ((!strncmp(at, "/python", 7) && isdigit((unsigned char)at[7])) ||
            (!strncmp(at, "/pypy", 5) && isdigit((unsigned char)at[5]))) {
            at = strchr(at + 1, '/');
            return at ? at + 1 : NULL;
        }
    }
    return NULL;
}

/* The part of a file's path from which the module's name is made. */
static const char *
name_begins(const char *path)
{
    static const char *const places[] = { "/site-packages/", "/dist-packages/" };
    const char *from = NULL, *base = strrchr(path, '/');

    for (u32 i = 0; i < ER_COUNT(places) && !from; i++)
        from = behind_last(path, places[i]);
    if (!from)
        from = behind_library(path);
    if (from)
        return from;
    base = base ? base + 1 : path;
    /* For __init__.py and the like, begin with the directory: it names the package. */
    if (!strncmp(base, "__", 2) && base > path + 1) {
        base--;
        while (base > path && base[-1] != '/')
            base--;
    }
    return base;
}

char *
pymodule_name(const char *path)
{
    static const char package[] = ".__init__";
    size_t len = strlen(path);
    const char *from;
    char *name;

    if (!strncmp(path, FROZEN, sizeof(FROZEN) - 1) && path[len - 1] == '>')
        return strndup(path + sizeof(FROZEN) - 1, len - sizeof(FROZEN));
    if (len < 4 || strcmp(path + len - 3, ".py") != 0)
        return NULL;
    from = name_begins(path);
    name = strndup(from, (size_t)(path + len - 3 - from));
    if (!name)
        return NULL;
    for (char *c = name; *c; c++)
        if (*c == '/')
            *c = '.';
    len = strlen(name);
    if (len >= sizeof(package) && !strcmp(name + len - sizeof(package) + 1, package))
        name[len - sizeof(package) + 1] = 0;
    return name;
}

char *
pymodule_frozen(const char *name, const char *other)
{
    const char *rest = behind_library(other);
    size_t len = strlen(name);
    char *path;

    if (!rest || *other != '/' || strncmp(name, FROZEN, sizeof(FROZEN) - 1) != 0 ||
        name[len - 1] != '>' || strstr(other, "-packages/"))
        return NULL;
    if (asprintf(&path, "%.*s%.*s.py", (int)(rest - other), other,
                 (int)(len - sizeof(FROZEN)), name + sizeof(FROZEN) - 1) < 0)
        return NULL;
    for (char *c = path + (rest - other); c < path + strlen(path) - 3; c++)
        if (*c == '.')
            *c = '/';
    return path;
}

/* The path without any "./" and "/" at its beginning. */
static const char *
skip_dots(const char *path)
{
    while (*path == '/' || (path[0] == '.' && path[1] == '/'))
        path++;
    return path;
}

/* Does an argument mean this path in a process with working directory `dir`? */
static bool
is_same(const char *dir, const char *arg, const char *path)
{
    size_t len = strlen(dir);

    if (*arg == '/')
        return !strcmp(arg, path);
    if (!*arg || strncmp(path, dir, len) != 0 || (path[len] != '/' && len > 1))
        return false;
    return !strcmp(skip_dots(path + len), skip_dots(arg));
}

bool
pymodule_is_script(const struct log *log, const char *path)
{
    const char *dir = log_fact(log, "process", "wd");
    const char *base = strrchr(path, '/');

    /* The script may have a line "#!", and have been found in $PATH by its name. */
    if (log->nargs && base && !strcmp(base + 1, log->arg[0]))
        return true;
    for (u32 i = 0; i < log->nargs; i++)
        if (is_same(dir ? dir : "", log->arg[i], path))
            return true;
    return false;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/calltables.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "share/beside.h"
#include "share/types.h"

#define SUFFIX ".calls"
#define LIBRARIES "# Libraries:"

/*
 * Set path to the tables' directory: relative to this program, else the configured one.
 * 1, or 0 if the path is too long.
 */
static int
find_directory(char path[PATH_MAX])
{
    static const char *const places[] = { "../share/ertools/calls", "../share/calls" };

    for (u32 i = 0; i < ER_COUNT(places); i++)
        if (beside_path(path, "%s", places[i]) == 0 && access(path, R_OK | X_OK) == 0)
            return 1;
    return snprintf(path, PATH_MAX, "%s", CALLSDIR) < PATH_MAX;
}

/* Does a line of a table name the library? */
static int
names_library(const char *line, const char *library)
{
    size_t len = strlen(library);

    if (strncmp(line, LIBRARIES, sizeof(LIBRARIES) - 1) != 0)
        return 0;
    for (const char *at = line + sizeof(LIBRARIES) - 1; *at; at += strcspn(at, " \n")) {
        at += strspn(at, " \n");
        if (strcspn(at, " \n") == len && !memcmp(at, library, len))
            return 1;
    }
    return 0;
}

static int
is_row_of(const char *line, const char *function)
{
    size_t len = strlen(function);

    return !strncmp(line, function, len) && line[len] == '(';
}

/*
 * The row of a function in the table `path`, if the table is for the library; or NULL.
 * library NULL: any library; function NULL: any row.
 */
static char *
find_in_table(const char *path, const char *library, const char *function)
{
    FILE *file = fopen(path, "re");
    char *line = NULL, *found = NULL;
    int is_for = !library;
    size_t size = 0;

    while (file && !found && getline(&line, &size, file) > 0) {
        is_for |= library && names_library(line, library);
        if (is_for && (!function || is_row_of(line, function)))
            found = strndup(line, strcspn(line, "#\n"));
    }
    free(line);
    if (file)
        fclose(file);
    return found;
}

/* Search all tables, in any order, since no two tables are for one library. */
static char *
find_in_all(const char *library, const char *function, char path[PATH_MAX],
            char table[NAME_MAX + 1])
{
    char directory[PATH_MAX], *found = NULL;
    DIR *d = find_directory(directory) ? opendir(directory) : NULL;
    struct dirent *e;

    while (d && !found && (e = readdir(d))) {
        size_t len = strlen(e->d_name), suffix = sizeof(SUFFIX) - 1;

        if (len <= suffix || strcmp(e->d_name + len - suffix, SUFFIX) != 0 ||
            snprintf(path, PATH_MAX, "%s/%s", directory, e->d_name) >= PATH_MAX)
            continue;
        found = find_in_table(path, library, function);
        snprintf(table, NAME_MAX + 1, "%.*s", (int)(len - suffix), e->d_name);
    }
    if (d)
        closedir(d);
    return found;
}

int
calltables_path(const char *name, char path[PATH_MAX])
{
    char directory[PATH_MAX], table[NAME_MAX + 1], *line;

    if (strchr(name, '/') || !find_directory(directory))
        return 0;
    if (snprintf(path, PATH_MAX, "%s/%s" SUFFIX, directory, name) < PATH_MAX &&
        access(path, R_OK) == 0)
        return 1;
    line = find_in_all(name, NULL, path, table);
    free(line);
    return line != NULL;
}

char *
calltables_row(const char *library, const char *function,
               char table[NAME_MAX + 1])
{
    char path[PATH_MAX];

    return find_in_all(library, function, path, table);
}

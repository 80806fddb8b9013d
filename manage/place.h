/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of experiments and groups on a command line, as places in the file system: an
 * open directory, and a name in it. Ordinary process context.
 */
#ifndef ERTOOLS_MANAGE_PLACE_H
#define ERTOOLS_MANAGE_PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#define GROUP_SUFFIX ".erg"
#define GROUP_LINE "#analyzer experiment group" /* the first line of its file */

enum place_kind {
    PLACE_NONE,       /* nothing has that name */
    PLACE_EXPERIMENT, /* a founder, with all that is in it */
    PLACE_GROUP,
    PLACE_DIRECTORY, /* another directory, or a link to any directory */
    PLACE_OTHER,
};

struct place {
    char *path; /* as the user named it, without slashes at the end */
    char *shown; /* the same for sentences: without bytes that a terminal obeys */
    int parent;  /* descriptor of the directory that contains it, O_PATH */
    char name[NAME_MAX + 1]; /* its name in the parent */
    enum place_kind kind;
    bool is_link;
    dev_t device; /* st_dev and st_ino of what has the name, which may be a link */
    ino_t inode;
};

/*
 * Find what is at a path. 0; or 1 after a message, if the path cannot be such a place.
 * Call place_close() in either case.
 */
int place_open(struct place *place, const char *path);
void place_close(struct place *place);

/* Like place_open(), for a name in a directory that was opened as a place. */
int place_open_in(struct place *out, const struct place *directory, const char *name);

/*
 * Open the experiment's directory for reading; never through a link. A descriptor or
 * -errno.
 */
int place_directory(const struct place *place);

/* The same for a file, such as that of a group. */
int place_file(const struct place *place);

/* Is the directory `inside`, or one above it, the directory of `place`? */
bool place_holds(const struct place *place, int inside);

/* Is there a regular file of that name in the directory `dir`? */
bool place_has(int dir, const char *name);

/* Does a name have that ending, and at least one character before it? */
bool place_ends(const char *name, const char *ending);

#endif

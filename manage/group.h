/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of experiment groups: FIRST_LINE, then a member's path on each line, relative
 * to the group's directory or absolute. Empty lines and those with # are skipped.
 */
#ifndef ERTOOLS_MANAGE_GROUP_H
#define ERTOOLS_MANAGE_GROUP_H

#include <stdbool.h>

#include "share/types.h"

#define GROUP_SUFFIX ".erg"

struct place;

struct group {
    char *text;
    char **member; /* paths, as the lines have them */
    u32 count;
};

/* Does the file at that place begin like a group file? */
bool group_is(const struct place *place);

/* Read a group file. 0, and *out is to be freed by group_free(); or -errno. */
int group_read(const struct place *place, struct group *out);
void group_free(struct group *group);

/*
 * The path by which a member can be opened from anywhere, which the caller frees. NULL:
 * no memory.
 */
char *group_path(const struct place *place, const struct group *group, u32 index);

/*
 * Write a group there, whole or not at all. `members` are lines. 0 or -errno; -EEXIST
 * when the name is taken.
 */
int group_write(int parent, const char *name, char *const *members, u32 count);

#endif

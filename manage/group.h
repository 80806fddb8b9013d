/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of experiment groups: GROUP_LINE, then a member's path on each line, relative
 * to the group's directory or absolute. Empty lines and those that begin with # are
 * skipped.
 */
#ifndef ERTOOLS_MANAGE_GROUP_H
#define ERTOOLS_MANAGE_GROUP_H

#include "manage/place.h"
#include "share/types.h"

struct group {
    char *text;
    char **member; /* paths, as the lines have them */
    u32 count;
};

/* Read a group file. 0, and *out is to be freed by group_free(); or -errno. */
int group_read(const struct place *place, struct group *out);
void group_free(struct group *group);

/*
 * The path by which a member can be opened from the working directory; the caller frees
 * it. NULL: no memory.
 */
char *group_path(const struct place *place, const struct group *group, u32 index);

/*
 * Write a group there, whole or not at all. `members` are lines. 0 or -errno; -EEXIST
 * when the name is taken.
 */
int group_write(int parent, const char *name, char *const *members, u32 count);

#endif

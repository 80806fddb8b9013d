/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two places where archived files are kept: the experiment's archives/ and the
 * user's cache. Ordinary process context. A file appears whole or not at all: it is
 * written under a temporary name and then renamed. Its writer holds a lock on it, so
 * temporary files of dead writers can be told from those of living ones. All names are
 * single path components.
 */
#ifndef ERTOOLS_ARCHIVE_STORE_H
#define ERTOOLS_ARCHIVE_STORE_H

#include <stdbool.h>

#include "share/types.h"

#define STORE_TMP_MAX 48

/* A file that is being written. */
struct store_file {
    int dir; /* borrowed descriptor */
    int fd;
    char tmp[STORE_TMP_MAX];
};

/*
 * Opens the directory `name` in `dir`, or creates it; never follows a link. fd or
 * -errno.
 */
int store_dir(int dir, const char *name);

/*
 * Begins a file in `dir`. 0 or -errno. Must be followed by store_commit() or
 * store_abandon().
 */
int store_begin(struct store_file *f, int dir);

/*
 * Gives the file its name, replacing any other. 0 or -errno; in both cases *f is
 * closed.
 */
int store_commit(struct store_file *f, const char *name);

/* Removes the unfinished file, and closes *f. */
void store_abandon(struct store_file *f);

/*
 * Makes `new` in `to` the same file as `name` in `from`: by a hard link; if that fails,
 * by a copy, which shares blocks if possible. Replaces an existing file. 0 or -errno.
 */
int store_link(int from, const char *name, int to, const char *new);

/*
 * Copies the file `from` to the empty file `to` (descriptors); shares blocks if
 * possible. 0 or -errno.
 */
int store_copy(int from, int to);

/* Removes temporary files whose writers are dead. */
void store_clean(int dir);

/*
 * Removes the least recently used files in `dir`, until the others take up at most
 * `limit` bytes. A file's mtime is when it was last used. Hidden files do not count.
 */
void store_evict(int dir, u64 limit);

/* Sets the mtime of a file that is used now, unless it is less than an hour old. */
void store_used(int dir, const char *name);

#endif

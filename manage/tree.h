/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies and removes whole directories; a copy appears complete or not at all. Ordinary
 * process context, one thread.
 *
 * No link is followed. While copying or removing, the directory has a hidden name,
 * ".er_tmp-PID-N", beside the final one, and is locked. If such a directory is not
 * locked, its program was killed; a later call removes it.
 */
#ifndef ERTOOLS_MANAGE_TREE_H
#define ERTOOLS_MANAGE_TREE_H

#include <signal.h>

#include "manage/place.h"

/* Set by tree_signals(): the signal that asks the program to end, 0 = none. */
extern volatile sig_atomic_t tree_signal;

/*
 * From now on, SIGINT, SIGTERM and SIGHUP, unless they are ignored, end a copy, and
 * what it has made is removed.
 */
void tree_signals(void);

/* If there was such a signal, end the program by it. */
void tree_end_by_signal(void);

/*
 * Copy the directory to a name in `parent` that must not exist. 0; -EEXIST; -EINTR: a
 * signal came; or another -errno. After an error nothing is left of the copy. Entries
 * other than files, directories and links are left out with a warning. Hidden files are
 * left out, since they only serve the recording; but .mpi-job is copied.
 */
int tree_copy(const struct place *from, int parent, const char *name);

/*
 * Called to add to the copy while that is still hidden; `copy` is its directory's
 * descriptor. 0; or -errno, then the copy is removed.
 */
typedef int tree_more(int copy, void *context);

/* Like tree_copy(), but more() adds to the copy before the copy gets its name. */
int tree_copy_and(const struct place *from, int parent, const char *name,
                  tree_more *more, void *context);

/* Rename; -EEXIST if the new name is in use. 0 or -errno. */
int tree_rename(int from, const char *name, int to, const char *new);

/*
 * Remove the directory. 0 or -errno; after an error, what is left has its own name
 * again.
 */
int tree_remove(const struct place *place);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole directories: copied so that they appear with all that is in them or not at all,
 * and removed. Ordinary process context, one thread.
 *
 * No link is followed. Both work under a hidden name, ".er_tmp-PID-N", next to the true
 * one; the directory is locked meanwhile, by which the leavings of a program that was
 * killed are known and removed later.
 */
#ifndef ERTOOLS_MANAGE_TREE_H
#define ERTOOLS_MANAGE_TREE_H

#include <signal.h>

#include "manage/place.h"

/* Set by tree_signals(): the signal that asks the program to end, 0 = none. */
extern volatile sig_atomic_t tree_signal;

/* From now on SIGINT, SIGTERM and SIGHUP end copying, which takes back its work. */
void tree_signals(void);

/* If there was one, end by it. */
void tree_end_by_signal(void);

/*
 * Copy the directory to a name in `parent` that must not exist. 0; -EEXIST; -EINTR: a
 * signal came; else -errno. Then nothing is left of it. What is neither file nor
 * directory nor link is left out, and told; hidden files, which serve while it is
 * written, are left out.
 */
int tree_copy(const struct place *from, int parent, const char *name);

/* Adds to the directory `copy`, which has no name yet. 0, or -errno: it will go. */
typedef int tree_more(int copy, void *context);

/* The same, but the copy is given its name when `more` has added to it. */
int tree_copy_and(const struct place *from, int parent, const char *name,
                  tree_more *more, void *context);

/* Rename; -EEXIST when the new name is taken. 0 or -errno. */
int tree_rename(int from, const char *name, int to, const char *new);

/* Remove the directory. 0 or -errno; then the rest stands under its own name. */
int tree_remove(const struct place *place);

#endif

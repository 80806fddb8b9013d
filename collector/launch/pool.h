/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pool of files of descendants that have ended, for reuse by new ones. A file with
 * reserved space saves a short process the reservation, and saves us the release of its
 * blocks, which waits for the disk on some file systems. Files and control pages that
 * short processes have not used are kept, too: it is cheaper to move a file than to
 * create it, fill it with zeros and remove it, mainly if many were removed lately (ext4
 * avoids their inodes). Normal context of the launcher, any thread.
 */
#ifndef ERTOOLS_LAUNCH_POOL_H
#define ERTOOLS_LAUNCH_POOL_H

#include "share/experiment.h"

/* Begin. top: the founder's directory, where pool_add() keeps files. */
void pool_start(int top);

/*
 * Take a file for a descendant from the pool: it is all zeros, and is moved into the
 * directory dir. Returns a descriptor, and sets *reserved to the bytes that are
 * reserved; or -ENOENT.
 */
int pool_acquire(enum er_file file, int dir, u64 *reserved);

/*
 * For an experiment that nobody writes to any more: copy the used part of a file into a
 * new small one, and keep the old file in the pool. 0, or -errno with the file
 * unchanged.
 */
int pool_add(struct expdir *e, enum er_file file);

/*
 * 1 if nothing was recorded in a file, and it is still as short as a short descendant's
 * files begin: readers do not need it.
 */
int pool_is_unused(const struct expdir *e, enum er_file file);

/*
 * Keep an unused file, or the control page, in the pool. It stays where it is until a
 * new descendant takes it, or to the end. Returns 0, or -errno with it unchanged.
 */
int pool_add_unused(struct expdir *e, enum er_file file);
int pool_add_control(struct expdir *e);

/* Supplies new experiments with files of the pool. */
extern const struct experiment_supply pool_supply;

/* Remove the files that are still in the pool. */
void pool_end(void);

#endif

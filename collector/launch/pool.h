/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pool of files of descendants that have ended, for reuse by new ones. Files with
 * reserved space save a short process the reservation, and the release of blocks, which
 * waits for the disk on some file systems. Files and control pages that short processes
 * have not used are kept, too: moving a file is cheaper than to create it, fill it with
 * zeros and remove it, mainly where many were removed lately (ext4 avoids their
 * inodes). Normal context of the launcher, any thread.
 */
#ifndef ERTOOLS_LAUNCH_POOL_H
#define ERTOOLS_LAUNCH_POOL_H

#include "share/experiment.h"

/* Keep files in the founder's directory `top`, under names of the pool. */
void pool_start(int top);

/*
 * A file for a descendant: all zeros, moved into the directory dir. Returns
 * a descriptor and how much is reserved, or -ENOENT.
 */
int pool_take(enum er_file file, int dir, u64 *reserved);

/*
 * Of an experiment that is no longer written: copy the used part of a file into a new
 * small one, and keep the old file in the pool. 0, or -errno with the file unchanged.
 */
int pool_give(struct experiment *e, enum er_file file);

/*
 * 1 if nothing was recorded in a file that is still as short as a short descendant's
 * files begin: readers need it no more.
 */
int pool_is_unused(const struct experiment *e, enum er_file file);

/*
 * Keep such a file, or the control page. The file stays where it is until it is taken,
 * or to the end. Returns 0, or -errno: it is as it was.
 */
int pool_give_unused(struct experiment *e, enum er_file file);
int pool_give_control(struct experiment *e);

/* Supplies new experiments with files of the pool. */
extern const struct experiment_supply pool_supply;

/* Remove what is left. */
void pool_end(void);

#endif

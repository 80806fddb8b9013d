/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of descendants that have ended, for those that begin. With space reserved: a
 * short one then costs no reservation, and gives no blocks back, which some file
 * systems make wait for the disk. And what short ones have not used, control pages too:
 * a file that is moved need not be made, filled with zeros and removed, which is dear
 * where many were removed lately (ext4 looks for inodes that were not). Normal context
 * of the launcher, any thread.
 */
#ifndef ERTOOLS_LAUNCH_POOL_H
#define ERTOOLS_LAUNCH_POOL_H

#include "share/experiment.h"

/* Files are kept in the directory `top`, the founder's, under names of their own. */
void pool_start(int top);

/*
 * A file for a descendant: all zeros, moved into the directory dir. Returns
 * a descriptor and how much is reserved, or -ENOENT.
 */
int pool_take(enum er_file file, int dir, u64 *reserved);

/*
 * Of an experiment that nobody writes any more: put what is used of a file into one of
 * its own, and keep the other. Returns 0, or -errno: the file is as it was.
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

/* Makes descendants' experiments of what is kept. */
extern const struct experiment_supply pool_supply;

/* Remove what is left. */
void pool_end(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data files with space reserved, of descendants that have ended, for those that begin:
 * a short one then costs no reservation, and gives no blocks back, which some file
 * systems make wait for the disk. Normal context of the launcher, any thread.
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

/* Remove what is left. */
void pool_end(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `mpirun -n 4 collect ... ./app`: each collect records one rank of an MPI program. The
 * collects communicate only through the file system. The first one creates the
 * founder's experiment under another name and renames it when it is complete; only one
 * such renaming can succeed. The others find the experiment by the name of the job in
 * it. Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_RANK_H
#define ERTOOLS_LAUNCH_RANK_H

#include "collector/session/session.h"

#define RANK_PREFIX "M_r"

/* This process's rank by its environment; -1 = it has none. */
int rank_by_environ(void);

/*
 * Make s->experiment for this rank, in the founder's directory, which becomes
 * s->parent. s->parent and wanted are as plan_place() set them. 0; -EEXIST: the
 * founder's name is taken by something else; -ENOTUNIQ: this job has had that rank; or
 * another -errno.
 */
int rank_create(struct recording *s, const char *wanted, int rank);

/*
 * This rank has ended. 1 = it was the last one: the founder's log has been ended, and
 * the caller runs er_archive.
 */
int rank_end(const struct recording *s);

#endif

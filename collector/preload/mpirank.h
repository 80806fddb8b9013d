/* SPDX-License-Identifier: Apache-2.0 */
/* The ranks of MPI programs, and the programs that start them. Any context. */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_MPIRANK_H
#define ERTOOLS_COLLECTOR_PRELOAD_MPIRANK_H

#include "share/types.h"

/* The rank of this process + 1, from the variables that MPI launchers set; 0 = none. */
u32 mpirank_of(char **envp);

/*
 * 1 if this program is one that starts MPI ranks and wanted is 1, or if wanted is
 * greater: only ranks are recorded. wanted: er_params.ranks. A forked child of mpirun
 * becomes the program of a rank at once. Open MPI's mpirun waits for that before it
 * forks the next child, while the ranks that run already use much CPU time to wait for
 * the others. So such a child does not wait for an experiment, which would stay empty.
 */
int mpirank_is_starter(u64 wanted);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Experiments of one MPI job, gathered before they are archived. For main(). */
#ifndef ERTOOLS_ARCHIVE_GATHER_H
#define ERTOOLS_ARCHIVE_GATHER_H

/*
 * Have er_cp, which lies beside this program, gather `count` experiments into `target`.
 * Returns er_cp's status, which has told what is wrong; -errno: it cannot be run.
 */
int gather_run(char **names, int count, char *target);

#endif

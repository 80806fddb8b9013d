/* SPDX-License-Identifier: Apache-2.0 */
/* Gathers the experiments of one MPI job before they are archived. For main() only. */
#ifndef ERTOOLS_ARCHIVE_GATHER_H
#define ERTOOLS_ARCHIVE_GATHER_H

/*
 * Run er_cp, from the directory of this program, to gather `count` experiments into
 * `target`. Returns er_cp's exit status (er_cp prints its errors itself), or -errno if
 * it cannot be run.
 */
int gather_run(char **names, int count, char *target);

#endif

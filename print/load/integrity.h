/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks that the files of a finished experiment are as its log says. A power failure
 * may leave files shorter, or with zeros where data had not reached the disk. What is
 * missing is reported in problems. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_LOAD_INTEGRITY_H
#define ERTOOLS_PRINT_LOAD_INTEGRITY_H

#include "print/load/experiment.h"

/*
 * Is it an error that a data file is missing? Yes, if log.xml describes it,
 * experiment_is_requested() expects it, and it was not removed because it was empty.
 */
bool integrity_file_missing(const struct experiment *e, enum er_file file);

/*
 * Check the lengths of files, and the rows of threads. Call this once, when all files
 * are open.
 */
void integrity_check(struct experiment *e);

/*
 * At the first call for a file with chunks, check that there are no gaps between them,
 * if the log gives the file's size.
 */
void integrity_check_chunks(struct experiment *e, enum er_file file);

#endif

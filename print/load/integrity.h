/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether the files of a finished experiment are as its log says. A power cut leaves
 * files shorter, or with zeros where data had not reached the disk. What is missing is
 * reported through problems. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_LOAD_INTEGRITY_H
#define ERTOOLS_PRINT_LOAD_INTEGRITY_H

#include "print/load/experiment.h"

/*
 * Is the absence of a data file an error? Yes if its kind of records was asked for, and
 * it was not removed for being empty.
 */
bool integrity_file_missing(const struct experiment *e, enum er_file file);

/* Once, when all files are open: their lengths, and the rows of threads. */
void integrity_check(struct experiment *e);

/* Check that a file with chunks has no gaps between them. */
void integrity_check_chunks(struct experiment *e, enum er_file file);

#endif

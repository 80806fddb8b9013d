/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether the files of an experiment whose run has ended are what its log says of
 * them. A power cut leaves files shorter, or with zeros for what was not on the disk
 * yet. What is missing is told in problems. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_LOAD_WHOLE_H
#define ERTOOLS_PRINT_LOAD_WHOLE_H

#include "print/load/experiment.h"

/*
 * Whether a data file that is not there is missed: records of its kind were asked for,
 * and it was not taken away as nothing was recorded in it.
 */
bool whole_is_missed(const struct experiment *e, enum er_file file);

/* Once, when all files are open: their lengths, and the rows of threads. */
void whole_look(struct experiment *e);

/* Whether a file with chunks has them all over. */
void whole_look_at_chunks(struct experiment *e, enum er_file file);

#endif

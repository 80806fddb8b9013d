/* SPDX-License-Identifier: Apache-2.0 */
/* Merges and sorts what caused waiting (mpidelay.h). Ordinary process context. */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIMERGE_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIMERGE_H

#include "print/model/mpi/mpidelay.h"

/* What a cause is ranked by. */
typedef double mpi_cause_fn(const struct mpi_cause *cause);

/*
 * Merge causes whose paths end in the same function (if `functions`), and those of all
 * ranks of a world (if `worlds`), and sort all by `value`, the largest first. A merged
 * cause gets the rank and the path of the largest cause in it. 0 or -ENOMEM.
 */
int mpimerge_causes(struct mpi_delays *delays, bool functions, bool worlds,
                    mpi_cause_fn *value);

#endif

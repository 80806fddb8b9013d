/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the clocks of the hosts of MPI programs one exact clock: a message does not
 * arrive before it was sent, and that bounds how far two clocks are apart (clockfit.h).
 * For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIALIGN_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIALIGN_H

#include "print/model/mpi/mpiclocks.h"

/*
 * Align the clocks by messages between hosts, if there are several hosts. 0 or -ENOMEM.
 */
int mpialign_clocks(struct session *session, const struct ranks *ranks,
                    struct mpi_clocks *clocks);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages of which only one side is known yet: a queue for each origin, destination,
 * communicator and tag. For the model's own use; see mpimatch.h.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIQUEUE_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIQUEUE_H

#include "print/model/mpi/mpimatched.h"

struct mpi_envelope {
    u64 comm; /* its key */
    u32 from, to; /* indices in ranks.rank */
    u32 tag;
};

/* A message whose sides are being brought together. The caller manages its memory. */
struct mpi_parcel {
    struct mpi_message message;
    struct mpi_parcel *next; /* in its queue */
    bool queued; /* it is in a queue */
    bool open; /* the end of its send is awaited */
};

struct mpi_queues;

struct mpi_queues *mpiqueue_open(void); /* NULL = no memory */

/*
 * Remove from its queue the first parcel that lacks the send (if `send`) or the
 * receive; NULL = there is none.
 */
struct mpi_parcel *mpiqueue_pop(struct mpi_queues *queues,
                                const struct mpi_envelope *envelope, bool send);

/*
 * Put a parcel at the end of its queue, where it waits for the other side. 0 or
 * -ENOMEM.
 */
int mpiqueue_put(struct mpi_queues *queues, const struct mpi_envelope *envelope,
                 bool send, struct mpi_parcel *parcel);

/* Call left() for each parcel that still waits, and free the queues. */
void mpiqueue_close(struct mpi_queues *queues,
                    void (*left)(void *context, bool send, struct mpi_parcel *parcel),
                    void *context);

#endif

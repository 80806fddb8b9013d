/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Single messages, sorted by how long their receivers waited for them. Only messages
 * whose receiving calls pass the filter are listed. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIMESSAGES_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIMESSAGES_H

#include "print/model/mpi/mpiclocks.h"
#include "print/model/mpi/mpimatch.h"

/* Times are ns of the common clock, since the first rank began. */
struct mpi_flight {
    u32 from, to;  /* indices in ranks.rank */
    int64_t sent;  /* the send began */
    int64_t asked; /* the receive began */
    int64_t came;  /* the call that waited for the message ended */
    int64_t sender, receiver; /* when the processes of the two ranks began */
    u64 wait;      /* ns that the receiver waited for the sender */
    u32 node, send_node; /* for stack_frames() */
};

struct mpi_messages {
    bool recorded; /* some experiment has such data */
    struct ranks ranks;
    struct mpi_clocks clocks;
    struct mpi_flight *flight;
    u32 count;
    u64 all; /* number of messages, including those not in flight[] */
};

/*
 * Get the messages for which receivers waited longest, at most `most`. 0 and *out for
 * mpimessages_free(), or -errno.
 */
int mpimessages_get(struct session *session, u32 most, struct mpi_messages *out);
void mpimessages_free(struct mpi_messages *messages);

#endif

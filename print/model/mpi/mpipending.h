/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations that a rank has begun and that have not ended: sends, probes, collective
 * calls. `begun` is in the experiment's record times. For the model's own use; see
 * mpimatch.h.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIPENDING_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIPENDING_H

#include "print/model/mpi/mpiqueue.h"

/*
 * Do two recorded times mean the same moment? Either may have been rounded down by one.
 */
static inline bool
mpipending_near(u64 a, u64 b)
{
    return a - b + 1 <= 2;
}

/* A send that was begun. parcel is NULL once the end of the send is not awaited. */
struct mpi_sending {
    u64 begun;
    struct mpi_parcel *parcel;
};

struct mpi_sendings {
    struct mpi_sending *item; /* by `begun` */
    u32 count, room;
    u32 ended; /* items without a parcel */
};

/*
 * Add a send. If there are too many, forget the older half: the ends of these sends are
 * not awaited any more. 0 or -ENOMEM.
 */
int mpipending_add_sending(struct mpi_sendings *list, u64 begun,
                           struct mpi_parcel *parcel);

/*
 * A send that began at `begun` has ended: get its parcel, which is no longer open.
 * NULL: no such send is known.
 */
struct mpi_parcel *mpipending_pop_sending(struct mpi_sendings *list, u64 begun);

/* Free a parcel, unless it is in a queue or its send is still open. */
void mpipending_drop_sending(struct mpi_parcel *parcel);

void mpipending_close_sendings(struct mpi_sendings *list);

/* A call that waited for a message which the rank has not received yet. */
struct mpi_probe {
    u64 begun;
    u32 comm, peer, tag;
    struct mpi_span *span;
};

struct mpi_probes {
    struct mpi_probe *item; /* the oldest first */
    u32 count, room;
};

/*
 * Add a probe. If the list is full, the oldest probe is removed, and its span put into
 * *gone; else *gone is NULL. 0 or -ENOMEM.
 */
int mpipending_add_probe(struct mpi_probes *list, const struct mpi_probe *probe,
                         struct mpi_span **gone);

/*
 * Remove the oldest probe that was made before the receive `by` began, and that may
 * have found the message that `by` got. Returns the probe's span; NULL: there is none.
 */
struct mpi_span *mpipending_pop_probe(struct mpi_probes *list,
                                      const struct mpi_probe *by);

/* A collective call that was begun. */
struct mpi_begun {
    u64 begun;
    u32 comm, seq, peer;
    u32 call; /* 0 = not known: MPI_Start began it */
    bool gives;
};

struct mpi_begins {
    struct mpi_begun *item; /* the oldest first */
    u32 count, room;
};

/*
 * Add a collective call that was begun. If there are too many, the oldest one is
 * removed. 0 or -ENOMEM.
 */
int mpipending_add_begun(struct mpi_begins *list, const struct mpi_begun *begun);

/*
 * The collective call *it, of which begun, comm and call are set, has ended: remove it
 * from the list, and fill in *it. False: it is not in the list.
 */
bool mpipending_pop_begun(struct mpi_begins *list, struct mpi_begun *it);

#endif

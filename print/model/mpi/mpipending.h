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

/* A send whose end was not recorded yet. parcel is NULL once its end is not awaited. */
struct mpi_sending {
    u64 begun;
    struct mpi_parcel *parcel;
};

struct mpi_sendings {
    struct mpi_sending *item; /* by `begun` */
    u32 count, room;
    u32 ended; /* of these, without a parcel */
};

/*
 * Add a send. If there are too many, forget the older half: their ends are not awaited
 * any more. 0 or -ENOMEM.
 */
int mpisendings_add(struct mpi_sendings *list, u64 begun, struct mpi_parcel *parcel);

/* The send that began then has ended: its parcel, which is no longer open; or NULL. */
struct mpi_parcel *mpisendings_take(struct mpi_sendings *list, u64 begun);

/* Free a parcel, unless it is in a queue or its send is still open. */
void mpisendings_drop(struct mpi_parcel *parcel);

void mpisendings_close(struct mpi_sendings *list);

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
int mpiprobes_add(struct mpi_probes *list, const struct mpi_probe *probe,
                  struct mpi_span **gone);

/*
 * Remove the oldest probe that was made before `by`, a receive, began and that may have
 * found the message it got. Returns the probe's span, or NULL if there is none.
 */
struct mpi_span *mpiprobes_take(struct mpi_probes *list, const struct mpi_probe *by);

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
int mpibegins_add(struct mpi_begins *list, const struct mpi_begun *begun);

/* *it, of which begun, comm and call are known, has its end. False: it is not there. */
bool mpibegins_take(struct mpi_begins *list, struct mpi_begun *it);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations of a rank that have begun and not ended: sends, probes, collective calls.
 * Their beginnings are in the experiment's record times. For the model's own use; see
 * mpimatch.h.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIPENDING_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIPENDING_H

#include "print/model/mpi/mpiqueue.h"

/* Are two recorded times the same, although each may have been rounded down? */
static inline bool
mpipending_near(u64 a, u64 b)
{
    return a - b + 1 <= 2;
}

/* A send whose end was not recorded yet; parcel: NULL once nobody awaits the end. */
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
 * If there are too many, the ends of the older half are no longer awaited. 0 or
 * -ENOMEM.
 */
int mpisendings_add(struct mpi_sendings *list, u64 begun, struct mpi_parcel *parcel);

/* The send that began then has ended: its parcel, which is no longer open; or NULL. */
struct mpi_parcel *mpisendings_take(struct mpi_sendings *list, u64 begun);

/* Free a parcel unless it is still queued or open. */
void mpisendings_drop(struct mpi_parcel *parcel);

void mpisendings_close(struct mpi_sendings *list);

/* A call that waited for a message which is yet to be received. */
struct mpi_probe {
    u64 begun;
    u32 comm, peer, tag;
    struct mpi_span *span;
};

struct mpi_probes {
    struct mpi_probe *item; /* the oldest first */
    u32 count, room;
};

/* *gone: the span of one that had to make room, or NULL. 0 or -ENOMEM. */
int mpiprobes_add(struct mpi_probes *list, const struct mpi_probe *probe,
                  struct mpi_span **gone);

/* The oldest that was there when `by`, a receive, was begun; its span, or NULL. */
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

/* Where there are too many, the oldest goes. 0 or -ENOMEM. */
int mpibegins_add(struct mpi_begins *list, const struct mpi_begun *begun);

/* *it, of which begun, comm and call are known, has its end. False: it is not there. */
bool mpibegins_take(struct mpi_begins *list, struct mpi_begun *it);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The receives of one rank that are on their way: begun but not complete, or complete
 * while an earlier receive may still get the message. MPI gives messages to receives in
 * the order in which the receives were begun; so a complete receive is held back as
 * long as an earlier open one would accept its message, too. Adding, completing and
 * dropping a receive take the same time, however many are open. For the model's own
 * use; see mpimatch.h.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIRECEIVES_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIRECEIVES_H

#include "print/model/mpi/mpimatched.h"

/* A receive: what it asks for, with 0 for any; once it is complete, what it got. */
struct mpi_receive {
    u64 begun; /* in the experiment's record times */
    u32 comm, peer, tag;
    bool done;
    struct mpi_side side; /* once it is complete */
    /* Private. */
    u64 serial;
    bool blocks; /* it is in its class, and may hold others back */
    struct mpi_receive_class *class;
    struct mpi_receive *older, *newer; /* neighbours in its class */
    struct mpi_receive *first_held, *next_held; /* complete ones that it holds back */
};

/*
 * Gets the complete receives, in the order described above; each is freed afterwards.
 */
typedef void mpi_receive_fn(void *context, u32 rank, struct mpi_receive *receive);

struct mpi_receives {
    u32 rank; /* for `deliver` */
    mpi_receive_fn *deliver;
    void *context;
    /* Private. */
    struct mpi_receive_slot *slot; /* by `begun` */
    u32 slots, room, gone;
    struct mpi_receive_class **bucket;
    u32 buckets, classes;
    u64 serial;
};

/* Add a receive that has begun and asks for these (0 = any). NULL = no memory. */
struct mpi_receive *mpireceives_add(struct mpi_receives *list, u64 begun, u32 comm,
                                    u32 peer, u32 tag);

/*
 * Find the open receive that began at `begun` and got a message of this communicator,
 * peer and tag. Prefer one that asked for just these; if none accepts them, take any
 * with this communicator. NULL = there is none.
 */
struct mpi_receive *mpireceives_find(struct mpi_receives *list, u64 begun, u32 comm,
                                     u32 peer, u32 tag);

/*
 * The receive is complete; r->peer, tag and side say what it got. Calls deliver(), now
 * or when no earlier receive holds this one back.
 */
void mpireceives_complete(struct mpi_receives *list, struct mpi_receive *receive);

/* The receive got nothing and never will: it was for nobody, or was cancelled. */
void mpireceives_drop(struct mpi_receives *list, struct mpi_receive *receive);

/* From now on, the receives that are open at this moment do not hold back others. */
void mpireceives_doubt(struct mpi_receives *list);

/* Deliver the complete receives, in the order in which they began; free the rest. */
void mpireceives_close(struct mpi_receives *list);

#endif

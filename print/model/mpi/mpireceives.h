/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The receives of one rank that are on their way: begun and not complete, or complete
 * while an earlier one may still get the message. Messages go to receives in the order
 * in which these were begun, so a complete receive waits for every earlier open one
 * that would accept its message too. Adding, completing and dropping a receive take the
 * same time, however many are open. For the model's own use; see mpimatch.h.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIRECEIVES_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIRECEIVES_H

#include "print/model/mpi/mpimatch.h"

/* A receive. What it asks for, where 0 is any; once it is complete, what it got. */
struct mpi_receive {
    u64 begun; /* in the experiment's record times */
    u32 comm, peer, tag;
    bool done;
    struct mpi_side side; /* once it is complete */
    /* Private. */
    u64 serial;
    bool blocks; /* it is in its class, and may hold others back */
    struct mpi_receive_class *class;
    struct mpi_receive *older, *newer; /* of its class */
    struct mpi_receive *first_held, *next_held; /* complete ones that it holds back */
};

/* Gets each complete receive in order. The receive is freed afterwards. */
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

/* A receive is begun that asks for this. NULL = no memory. */
struct mpi_receive *mpireceives_add(struct mpi_receives *list, u64 begun, u32 comm,
                                    u32 peer, u32 tag);

/*
 * The open one that was begun then and got this; of several, one that asked for it.
 * NULL = there is none.
 */
struct mpi_receive *mpireceives_find(struct mpi_receives *list, u64 begun, u32 comm,
                                     u32 peer, u32 tag);

/*
 * The receive is complete; peer, tag and side say what it got. Delivers now or later.
 */
void mpireceives_complete(struct mpi_receives *list, struct mpi_receive *receive);

/* The receive got nothing and never will: it was for nobody, or was cancelled. */
void mpireceives_drop(struct mpi_receives *list, struct mpi_receive *receive);

/* From now on, the receives that are open now do not hold back others. */
void mpireceives_doubt(struct mpi_receives *list);

/* Deliver what is complete, forget the rest. */
void mpireceives_close(struct mpi_receives *list);

#endif

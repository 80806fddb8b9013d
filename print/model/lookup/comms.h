/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The communicators, windows and files of MPI programs: each has one number, the same
 * in all of its ranks. Ordinary process context; read when first asked for.
 */
#ifndef ERTOOLS_PRINT_MODEL_LOOKUP_COMMS_H
#define ERTOOLS_PRINT_MODEL_LOOKUP_COMMS_H

#include "print/model/numbers.h"
#include "share/record.h"

struct comm {
    u64 key;
    u32 kind; /* enum er_comm_kind */
    u32 size; /* processes in it */
    u32 parent; /* its number, 0 = not known */
    struct er_str name; /* lives as long as the session has the experiment */
};

struct comms {
    struct numbers numbers;
    struct comm *comm; /* number 1 is [0] */
    u32 room;
};

/*
 * Get the map from the experiment's ids to numbers; the session owns it. 0 or -ENOMEM.
 */
int comms_map(struct session *session, u32 experiment, const struct number_map **out);

/* The one of a number; NULL for a number that none has. */
const struct comm *comms_get(const struct session *session, u64 number);

/* Forget all: experiments have changed. */
void comms_reset(struct session *session);

#endif

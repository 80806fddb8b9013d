/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The communicators, windows and files of MPI programs: each has one number, the same
 * in all ranks that have it. Ordinary process context; read when first asked for.
 */
#ifndef ERTOOLS_PRINT_MODEL_LOOKUP_COMMS_H
#define ERTOOLS_PRINT_MODEL_LOOKUP_COMMS_H

#include "print/model/numbers.h"
#include "share/record.h"

/* A communicator, window or file. */
struct comm {
    u64 key;  /* identifies it in all ranks */
    u32 kind; /* enum er_comm_kind */
    u32 size; /* number of its processes */
    u32 parent; /* number of the communicator it was made from, 0 = not known */
    struct er_str name; /* lives as long as the session has the experiment */
};

struct comms {
    struct numbers numbers;
    struct comm *comm; /* number 1 has index 0 */
    u32 room;
};

/*
 * Get the map from an experiment's ids to numbers; the session owns it. 0 or -ENOMEM.
 */
int comms_map(struct session *session, u32 experiment, const struct number_map **out);

/* The communicator, window or file with that number; NULL = there is none. */
const struct comm *comms_get(const struct session *session, u64 number);

/* Forget all: experiments have changed. */
void comms_reset(struct session *session);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What gen_mpi's parts share: ranks of an MPI program whose messages, and waits for
 * each other, are known. Ordinary process context; failures end the program.
 */
#ifndef ERTOOLS_TESTS_MPI_H
#define ERTOOLS_TESTS_MPI_H

#include "share/mpicall.h"
#include "tests/gen/forest.h"

enum {
    MPI_STEP = 16,                 /* ns: what all times are multiples of */
    MPI_OVERHEAD = 5 * MPI_STEP,   /* of a call that waits for nobody */
    MPI_LATENCY = 20 * MPI_STEP,   /* of a message */
    MPI_HOSTS_MAX = 16,
};

enum gen_pattern {
    PATTERN_LATE_SENDER,
    PATTERN_LATE_RECEIVER,
    PATTERN_BARRIER,
    PATTERN_ALL,
    PATTERN_FROM_ONE,
    PATTERN_TO_ONE,
    PATTERN_PREFIX,
    PATTERNS,
};

struct sizes {
    u64 count, bytes, least, most;
};

struct call_sum {
    u64 count, time;
    struct sizes sent, received;
};

struct pair_sum {
    struct sizes sent, received, aside;
};

struct wait_sum {
    u64 count, time, longest;
};

/* One rank. Times are true ones, from the start of the run. */
struct member {
    struct gen *gen;
    u64 now;
    u32 host;
    u32 seq; /* collectives on the world so far */
    u64 cpu; /* ns that clock hits stand for */
};

struct cluster {
    struct forest forest;
    struct member *member;
    u32 ranks;
    u32 hosts;
    u64 shift[MPI_HOSTS_MAX]; /* ns that a host's clock is ahead */
    double drift;             /* of a host, times its number */
    u32 compute;              /* the longest computation, steps */
    u32 jitter;               /* more latency between hosts, steps */
    struct call_sum call[MPICALL_END];
    struct pair_sum *pair; /* from * ranks + to */
    struct wait_sum *wait; /* (pattern * ranks + who) * ranks + for whom */
    u64 *self;             /* TRUTHS for each node */
};

enum {
    TRUTHS = 4, /* time, calls, bytes sent, bytes received */
};

/* A true time by the clock of a rank's host. */
u64 cluster_local(const struct cluster *c, u32 rank, u64 time);

/* One call, from `begin` to `end`. The seq, comm and time are filled in. */
void cluster_call(struct cluster *c, u32 rank, u64 begin, u64 end,
                  struct rec_mpi *record);

/*
 * The end of an operation that began at `posted` within the call from `begin` to `end`;
 * before that call's own record, whose node it has.
 */
void cluster_done(struct cluster *c, u32 rank, u64 posted, u64 begin, u64 end,
                  struct rec_done *record);

/* A message goes from one to another. */
void cluster_message(struct cluster *c, u32 from, u32 to, u64 bytes);

/* `who` has waited for `whom`, if `till` is after `since`. */
void cluster_wait(struct cluster *c, enum gen_pattern pattern, u32 who, u32 whom,
                  u64 since, u64 till);

/* How long a message takes. */
u64 cluster_latency(struct cluster *c, u32 from, u32 to);

/* One round of communication; there are MPI_ROUNDS kinds. */
enum { MPI_ROUNDS = 10 };
void mpi_round(struct cluster *c, u32 number);

/*
 * Rounds of a pipeline: each rank works, gets a message from the one before it and
 * sends one to the next. Rank 0 is late by so many ns in each, in one function.
 */
void mpi_chain(struct cluster *c, u32 rounds, u64 late);

void cluster_tell(const struct cluster *c);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tracks of the ranks, as mpitracks_get() makes them: what a rank did at a moment,
 * and how its time between two moments is divided. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPITRACK_H
#define ERTOOLS_PRINT_MODEL_MPI_MPITRACK_H

#include "print/model/bins.h"
#include "print/model/mpi/mpiclocks.h"
#include "print/model/mpi/mpipaths.h"

/* A wait state, of any thread of the rank. Times are of the common clock, ns. */
struct mpi_pause {
    int64_t begin, end;
    int64_t since; /* when the two were last in step before; INT64_MIN = never */
    u32 rank, whom; /* who waited for whom: indices in ranks.rank */
    u32 thread; /* id */
    bool passes; /* it passes the filter, and mpiwait reports it */
};

struct mpi_track_call {
    int64_t begin, end;
    u32 kind;  /* index in kind[] */
    u32 pause; /* index in mpi_tracks.pause + 1, 0 = it waited for nobody */
};

/*
 * Calls from one place, where the preceding call was also made from one certain place.
 */
struct mpi_track_kind {
    u32 before, node; /* the experiment's own ids, 0 = none */
    u32 call;
    u32 path;        /* path of the call */
    u32 common;      /* path for the time before it that no sample covers */
    double length;   /* ns: all times between the two calls */
    double sampled;  /* ns of `length` for which samples stand */
    u32 first, parts; /* in part[]: the paths of the samples between the two calls */
};

struct mpi_track_part {
    u32 kind, path;
    double weight;
};

struct mpi_track_sample {
    int64_t time;
    u32 path;
    float weight; /* ns */
};

struct mpi_track {
    u32 thread;
    int64_t start, end; /* start and end of the process */
    struct mpi_track_call *call; /* in order; the last one is the process's end */
    u32 calls, room;
    struct mpi_track_kind *kind;
    u32 kinds, kind_room;
    struct mpi_track_part *part;
    u32 parts;
    struct mpi_track_sample *sample; /* in order */
    u32 samples, sample_room;
    double period; /* ns: the mean weight of a sample */
    u32 *pause;    /* indices in mpi_tracks.pause, in order */
    u32 pauses;
};

struct mpi_tracks {
    const struct ranks *ranks;
    const struct mpi_clocks *clocks;
    struct mpi_track *track; /* by rank */
    struct mpi_pause *pause; /* by rank, then beginning */
    u32 pauses;
    struct mpi_paths paths;
    u32 startup; /* path for the time before a process's start */
    u32 unknown; /* path for time of which no function is known */
};

/* Callbacks for the parts into which a stretch of a rank's time is divided. */
struct mpi_spread {
    void (*time)(void *context, u32 path, double ns);
    void (*waited)(void *context, u32 pause, double ns);
    void *context;
};

/* Divide what a rank did from one moment to another, and pass the parts to `use`. */
void mpitrack_spread(const struct mpi_tracks *tracks, u32 rank, int64_t from,
                      int64_t to, const struct mpi_spread *use);

/* Get the index of the first call of a track that ends after `moment`. */
u32 mpitrack_at(const struct mpi_track *track, int64_t moment);

#endif

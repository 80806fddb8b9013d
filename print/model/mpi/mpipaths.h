/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call paths: stacks reduced to their functions, so that those of several ranks can be
 * compared. A path may end with a call of MPI. For the model's own use.
 */
#ifndef ERTOOLS_PRINT_MODEL_MPI_MPIPATHS_H
#define ERTOOLS_PRINT_MODEL_MPI_MPIPATHS_H

#include "print/base/hash.h"
#include "print/model/session.h"

enum {
    PATH_MPI = UINT32_MAX - 1, /* the stack is within a call of MPI */
};

/* A call path. Path 0 is the root of all. */
struct mpi_path {
    u32 parent; /* its number is lower */
    u32 func;   /* the last function, for function_name(); of a call of MPI, 0 */
    u32 call;   /* the call of MPI, for mpicall_name(), 0 = none */
    u32 depth;  /* number of functions and calls on it */
};

/* All 0 is empty. */
struct mpi_paths {
    struct mpi_path *path;
    u32 count, room;
    struct hash hash;
    u32 *of_node; /* by the session's stack node: path + 1, 0 = not asked yet */
    u32 nodes;
};

/* Is the function part of MPI, such as MPI_Send, PMPI_Send, mpi_send_? */
bool mpipaths_is_mpi(struct session *session, u32 func);

/*
 * Get the path of an experiment's stack node `id`; PATH_MPI if it is within a call of
 * MPI. Leaf frames in libraries that every program has, and in wrapper functions, count
 * as the function that called them. 0 or -ENOMEM.
 */
int mpipaths_of(struct session *session, struct mpi_paths *paths, u32 experiment,
                u32 id, u32 *path);

/* Get the path that is `path` with a call of MPI below it. 0 or -ENOMEM. */
int mpipaths_call(struct mpi_paths *paths, u32 path, u32 call, u32 *out);

/* Get the path that consists of a pseudo function. 0 or -ENOMEM. */
int mpipaths_pseudo(struct mpi_paths *paths, u32 func, u32 *path);

/* Get the longest path with which both paths begin. */
u32 mpipaths_common(const struct mpi_paths *paths, u32 a, u32 b);

void mpipaths_free(struct mpi_paths *paths);

#endif

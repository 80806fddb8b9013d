/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The MPI library of the target, found at run time: the build needs no mpi.h. There are
 * three families of binary interfaces. In MPICH's (also Intel's, Cray's and MVAPICH's)
 * a handle is an int, in Open MPI's a pointer. In the standard interface of MPI 5,
 * which either library may offer as well, a handle is a pointer, too. Handles, counts
 * and addresses all fit into a register, or 8 bytes of the stack. So a function is
 * called through a prototype with as many longs as it has parameters, and its arguments
 * are passed on unchanged (on x86-64 and aarch64, the upper half of an int's register
 * has no meaning). Normal context.
 */
#ifndef ERTOOLS_COLLECTOR_MPI_MPI_ABI_H
#define ERTOOLS_COLLECTOR_MPI_MPI_ABI_H

#include <string.h>

#include "share/types.h"

enum {
    MPI_STATUS_WORDS = 4, /* room for a status of any family, in u64 */
};

struct mpi_abi {
    u32 known; /* 0 = not searched yet, or a library that we do not know */
    u32 wide;  /* 1 = handles are pointers, 0 = ints */
    u32 standard; /* 1 = MPI 5's interface: a status is read by calling functions */
    u32 status_bytes;
    u32 at_source, at_tag, at_error; /* offsets in a status */
    int proc_null, any_source, any_tag, root;
    int lock_exclusive;
    int cart, graph; /* kinds of topologies; any other is a distributed graph */
    int thread_multiple;
    long byte; /* the datatype MPI_BYTE; set only if `standard` */
    u64 comm_null, comm_world, comm_self;
    u64 request_null, win_null, no_op;
    u64 in_place, status_ignore, statuses_ignore;
};

/*
 * Handles of all families are compared as u64; if a handle is an int, its upper half is
 * 0.
 */
extern struct mpi_abi mpi_abi;

/* Functions that we call ourselves: the library's own, not our hooks. */
struct mpi_real {
    int (*Type_size_x)(long type, long *bytes);
    int (*Comm_test_inter)(long comm, int *flag);
    int (*Comm_size)(long comm, int *size);
    int (*Comm_remote_size)(long comm, int *size);
    int (*Comm_rank)(long comm, int *rank);
    int (*Comm_group)(long comm, void *group);
    int (*Comm_remote_group)(long comm, void *group);
    int (*Comm_get_parent)(void *comm);
    int (*Comm_get_name)(long comm, char *name, int *len);
    int (*Group_size)(long group, int *size);
    int (*Group_translate_ranks)(long group, int n, const int *ranks, long other,
                                 int *out);
    int (*Group_free)(void *group);
    int (*Topo_test)(long comm, int *kind);
    int (*Cartdim_get)(long comm, int *dims);
    int (*Graph_neighbors_count)(long comm, int rank, int *n);
    int (*Dist_graph_neighbors_count)(long comm, int *in, int *out, int *weighted);
    int (*Request_get_status)(long request, int *flag, long status);
    int (*Error_class)(int code, int *class);
    int (*Initialized)(int *flag);
    int (*Finalized)(int *flag);
    int (*Query_thread)(int *level);
    int (*Get_library_version)(char *text, int *len);
    /* From here on: NULL if the library has no such function. */
    int (*Abi_get_version)(int *major, int *minor);
    int (*Get_elements_c)(const void *status, long type, long *count);
    int (*Test_cancelled)(const void *status, int *flag);
    int (*Group_from_session_pset)(long session, const char *name, void *group);
    int (*Group_rank)(long group, int *rank);
    int (*Cart_shift)(long comm, int dimension, int by, int *from, int *to);
    int (*Graph_neighbors)(long comm, int rank, int n, int *out);
    int (*Dist_graph_neighbors)(long comm, int n, int *from, int *from_weights, int m,
                                int *to, int *to_weights);
};

extern struct mpi_real mpi_real;

/* The real function in the target's MPI library, or NULL. Keeps errno. */
void *mpi_abi_find(const char *name);

/*
 * Identify the library, and fill both structs. Call once. 1; 0 = it is not a library
 * that we know.
 */
int mpi_abi_start(void);

/* The library's name and version, for messages; "" if not known. */
const char *mpi_abi_library(void);

static inline u64
mpi_handle(long argument)
{
    return mpi_abi.wide ? (u64)argument : (u32)argument;
}

/* The handle in memory at p. */
static inline u64
mpi_handle_at(const void *p)
{
    u64 wide;
    u32 narrow;

    if (mpi_abi.wide) {
        memcpy(&wide, p, sizeof(wide));
        return wide;
    }
    memcpy(&narrow, p, sizeof(narrow));
    return narrow;
}

/* The ith of an array of handles. */
static inline u64
mpi_handle_in(const void *array, u64 i)
{
    return mpi_handle_at((const char *)array + i * (mpi_abi.wide ? 8 : 4));
}

static inline int
mpi_status_int(const void *status, u32 at)
{
    int value;

    memcpy(&value, (const char *)status + at, sizeof(value));
    return value;
}

/*
 * Read from a status the number of bytes received, and whether the operation was
 * cancelled.
 */
u64 mpi_status_bytes(const void *status);
int mpi_status_cancelled(const void *status);

#endif

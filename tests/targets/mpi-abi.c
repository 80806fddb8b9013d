/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small MPI library with the standard interface of MPI 5, for one process that sends
 * to itself, and a program for it. The library's text names MPICH, as MPICH's own does;
 * each function aborts where it is given a handle that the standard does not have. With
 * MPI_ABI_MAJOR=2 it says that its interface is a later one. Writes truth.0.
 */
/* build: out=libmpi_abi.so -DLIBRARY -O1 -g -fPIC -shared */
/* build: -O1 -g -Wl,--no-as-needed -L@D@ -lmpi_abi */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int source, tag, error, internal[5];
} status_t;

#define WORLD ((void *)0x101)
#define SELF ((void *)0x102)
#define COMM_NULL ((void *)0x100)
#define REQUEST_NULL ((void *)0x180)
#define INT ((void *)0x209)
#define BYTE ((void *)0x247)

#ifdef LIBRARY

#define BOTH(name, parameters)                                          \
    int PMPI_##name parameters;                                         \
    int MPI_##name parameters __attribute__((alias("PMPI_" #name)));    \
    int PMPI_##name parameters

/* What is on its way; a request is the address of where it goes. */
static struct {
    int tag;
    size_t bytes;
    char data[64];
} queue[64];

static int first, last;

static struct request {
    void *buf;
    int open;
} requests[64];

static void
check(const void *handle, const void *one, const void *other)
{
    if (handle != one && handle != other) {
        fprintf(stderr, "no handle of this interface: %p\n", handle);
        abort();
    }
}

static size_t
bytes_of(const void *type)
{
    check(type, INT, BYTE);
    return type == INT ? sizeof(int) : 1;
}

BOTH(Abi_get_version, (int *major, int *minor))
{
    const char *other = getenv("MPI_ABI_MAJOR");

    *major = other ? atoi(other) : 1;
    *minor = 0;
    return 0;
}

BOTH(Get_library_version, (char *text, int *len))
{
    *len = sprintf(text, "MPICH Version: 5.0.0\nMPICH ABI: standard");
    return 0;
}

BOTH(Init, (int *argc, char ***argv))
{
    (void)argc;
    (void)argv;
    return 0;
}

BOTH(Finalize, (void))
{
    return 0;
}

BOTH(Initialized, (int *flag))
{
    *flag = 1;
    return 0;
}

BOTH(Finalized, (int *flag))
{
    *flag = 0;
    return 0;
}

BOTH(Query_thread, (int *level))
{
    *level = 1024; /* MPI_THREAD_FUNNELED */
    return 0;
}

BOTH(Comm_size, (void *comm, int *size))
{
    check(comm, WORLD, SELF);
    *size = 1;
    return 0;
}

BOTH(Comm_rank, (void *comm, int *rank))
{
    check(comm, WORLD, SELF);
    *rank = 0;
    return 0;
}

BOTH(Comm_remote_size, (void *comm, int *size))
{
    check(comm, NULL, NULL);
    *size = 0;
    return 0;
}

BOTH(Comm_test_inter, (void *comm, int *flag))
{
    check(comm, WORLD, SELF);
    *flag = 0;
    return 0;
}

BOTH(Comm_group, (void *comm, void **group))
{
    check(comm, WORLD, SELF);
    *group = requests;
    return 0;
}

BOTH(Comm_remote_group, (void *comm, void **group))
{
    check(comm, NULL, NULL);
    *group = NULL;
    return 0;
}

BOTH(Comm_get_parent, (void **comm))
{
    *comm = COMM_NULL;
    return 0;
}

BOTH(Comm_get_name, (void *comm, char *name, int *len))
{
    check(comm, WORLD, SELF);
    *len = sprintf(name, comm == WORLD ? "MPI_COMM_WORLD" : "MPI_COMM_SELF");
    return 0;
}

BOTH(Group_size, (void *group, int *size))
{
    check(group, requests, requests);
    *size = 1;
    return 0;
}

BOTH(Group_translate_ranks, (void *group, int n, const int *from, void *to, int *out))
{
    check(group, requests, requests);
    check(to, requests, requests);
    memcpy(out, from, (size_t)n * sizeof(*out));
    return 0;
}

BOTH(Group_free, (void **group))
{
    check(*group, requests, requests);
    return 0;
}

BOTH(Type_size_x, (void *type, int64_t *size))
{
    *size = (int64_t)bytes_of(type);
    return 0;
}

BOTH(Topo_test, (void *comm, int *kind))
{
    check(comm, WORLD, SELF);
    *kind = -32766;
    return 0;
}

BOTH(Cartdim_get, (void *comm, int *n))
{
    return *n = 0, check(comm, WORLD, SELF), 0;
}

BOTH(Graph_neighbors_count, (void *comm, int rank, int *n))
{
    return *n = rank, check(comm, WORLD, SELF), 0;
}

BOTH(Dist_graph_neighbors_count, (void *comm, int *in, int *out, int *weighted))
{
    return *in = *out = *weighted = 0, check(comm, WORLD, SELF), 0;
}

BOTH(Error_class, (int code, int *class))
{
    *class = code;
    return 0;
}

BOTH(Get_elements_c, (const status_t *status, void *type, int64_t *count))
{
    check(type, BYTE, BYTE);
    *count = status->internal[3];
    return 0;
}

BOTH(Test_cancelled, (const status_t *status, int *flag))
{
    *flag = status->internal[4];
    return 0;
}

BOTH(Request_get_status, (void *request, int *flag, status_t *status))
{
    check(status, NULL, NULL);
    check(request, &requests[((struct request *)request - requests) % 64], NULL);
    *flag = 1;
    return 0;
}

BOTH(Send, (const void *buf, int n, void *type, int to, int tag, void *comm))
{
    check(comm, WORLD, SELF);
    if (to == -3)
        return 0;
    queue[last % 64].tag = tag;
    queue[last % 64].bytes = (size_t)n * bytes_of(type);
    memcpy(queue[last++ % 64].data, buf, (size_t)n * bytes_of(type));
    return 0;
}

static void
receive(void *buf, status_t *status)
{
    memcpy(buf, queue[first % 64].data, queue[first % 64].bytes);
    if (status)
        *status = (status_t){ 0, queue[first % 64].tag, 0,
                              { 0, 0, 0, (int)queue[first % 64].bytes, 0 } };
    first++;
}

BOTH(Recv, (void *buf, int n, void *type, int from, int tag, void *comm, status_t *s))
{
    check(comm, WORLD, SELF);
    (void)n;
    (void)type;
    (void)tag;
    if (from == -3) /* MPI_PROC_NULL */
        *(s ? s : &(status_t){ 0 }) = (status_t){ -3, -2, 0, { 0 } };
    else
        receive(buf, s);
    return 0;
}

BOTH(Irecv, (void *buf, int n, void *type, int from, int tag, void *comm, void **r))
{
    struct request *q = requests;

    check(comm, WORLD, SELF);
    (void)n;
    (void)type;
    (void)from;
    (void)tag;
    while (q->open)
        q++;
    *q = (struct request){ buf, 1 };
    *r = q;
    return 0;
}

BOTH(Waitall, (int n, void **r, status_t *statuses))
{
    for (int i = 0; i < n; i++) {
        struct request *q = r[i];

        if (r[i] == REQUEST_NULL)
            continue;
        receive(q->buf, statuses ? &statuses[i] : NULL);
        q->open = 0;
        r[i] = REQUEST_NULL;
    }
    return 0;
}

BOTH(Barrier, (void *comm))
{
    check(comm, WORLD, SELF);
    return 0;
}

#else

#include "mpi_truth.h"

int MPI_Init(int *argc, char ***argv);
int MPI_Finalize(void);
int MPI_Send(const void *buf, int n, void *type, int to, int tag, void *comm);
int MPI_Recv(void *buf, int n, void *type, int from, int tag, void *comm, status_t *s);
int MPI_Irecv(void *buf, int n, void *type, int from, int tag, void *comm, void **r);
int MPI_Waitall(int n, void **r, status_t *statuses);
int MPI_Barrier(void *comm);

#define MPI_SUCCESS 0

int
main(int argc, char **argv)
{
    int in[3] = { 0 }, out[3] = { 1, 2, 3 };
    void *r[3] = { NULL, NULL, REQUEST_NULL };
    status_t status;

    CALL(Init, 0, 0, (&argc, &argv));
    CALL(Send, 12, 0, (out, 3, INT, 0, 5, WORLD));
    CALL(Recv, 0, 12, (in, 3, INT, -1, -2, WORLD, &status));
    CALL(Recv, 0, 0, (in, 3, INT, -3, -2, WORLD, NULL));
    CALL(Irecv, 0, 4, (&in[0], 1, INT, 0, 1, WORLD, &r[0]));
    CALL(Irecv, 0, 8, (&in[1], 2, INT, -1, -2, WORLD, &r[1]));
    CALL(Send, 4, 0, (out, 1, INT, 0, 1, WORLD));
    CALL(Send, 8, 0, (out, 2, INT, 0, 2, WORLD));
    CALL(Send, 0, 0, (out, 2, INT, -3, 2, WORLD));
    CALL(Waitall, 0, 0, (3, r, NULL));
    CALL(Barrier, 0, 0, (WORLD));
    truth_sent(0, 12);
    truth_sent(0, 4);
    truth_sent(0, 8);
    truth_got(0, 12);
    truth_got(0, 4);
    truth_got(0, 8);
    CALL(Finalize, 0, 0, ());
    truth_write(0);
    return in[0] != 1 || in[1] != 1 || in[2] != 2;
}

#endif

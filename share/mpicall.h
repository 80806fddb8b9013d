/* SPDX-License-Identifier: Apache-2.0 */
/* The calls that MPI tracing distinguishes, from share/mpicalls.def. Any context. */
#ifndef ERTOOLS_SHARE_MPICALL_H
#define ERTOOLS_SHARE_MPICALL_H

#include "share/record.h"
#include "share/types.h"

/* MPICALL_Send, ...: the field mpi.call. */
enum er_mpicall {
#define ER_MPICALL(name, number, kind, mode, doc) MPICALL_##name = (number),
#include "share/mpicalls.def"
#undef ER_MPICALL
    MPICALL_END, /* one above the highest */
};

/* MPIKIND_Send, ...: the kind of each call, which is the field mpi.kind. */
enum {
#define ER_MPICALL(name, number, kind, mode, doc) MPIKIND_##name = MPI_KIND_##kind,
#include "share/mpicalls.def"
#undef ER_MPICALL
};

enum {
    /*
     * In mpi.peer and similar fields: a rank of another world. This process does not
     * know its rank there, so the value is MPI_PEER_OUTSIDE + 1 + its place in the
     * communicator or, for an intercommunicator, in the other group.
     */
    MPI_PEER_OUTSIDE = 1 << 30,
};

/* A row of mpicalls.def. */
struct er_mpicall_desc {
    const char *name; /* begins with MPI_ */
    const char *doc;
    enum er_mpi_kind kind;
    enum er_mpi_mode mode;
};

/* The row of mpicalls.def with that number, or NULL. */
const struct er_mpicall_desc *mpicall_desc(u32 number);

/* The call's name, with MPI_; NULL if the number is not known. */
const char *mpicall_name(u32 number);

/*
 * The number of a call by its name, with or without MPI_, in upper or lower case; 0 =
 * none.
 */
u32 mpicall_number(const char *name);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small blocks of memory for the tables of MPI tracing. They come from mappings of our
 * own, since the target's heap may be traced. The caller holds mpi_call_lock().
 */
#ifndef ERTOOLS_COLLECTOR_MPI_MPI_MEM_H
#define ERTOOLS_COLLECTOR_MPI_MPI_MEM_H

#include "share/types.h"

/* Get so many bytes, all zero; NULL = no memory. Give them back with the same size. */
void *mpi_mem_alloc(u64 bytes);
void mpi_mem_free(void *at, u64 bytes);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One rank of 4 comes 10 ms after all others that take part. That they are there it
 * sees in a file that all of them have mapped.
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { TIMES = 10 };

static int rank;
static int *there; /* how many have come, so far */
static int awaited;

/* This rank comes; if it is the late one, when `others` are there. */
static void
come(int late, int others)
{
    awaited += others;
    if (rank != late) {
        __atomic_fetch_add(there, 1, __ATOMIC_SEQ_CST);
        return;
    }
    while (__atomic_load_n(there, __ATOMIC_SEQ_CST) < awaited)
        usleep(100);
    usleep(10000);
}

/* All have left: the next one may begin. */
static void
leave(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static void
begin(int argc, char **argv)
{
    int fd = open("there", O_RDWR | O_CREAT, 0600);

    if (fd < 0 || ftruncate(fd, 4096) < 0)
        abort();
    there = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (there == MAP_FAILED)
        abort();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two ranks on two hosts that have CLOCK_BOOTTIME in common: messages to and fro, then
 * ROUNDS times one of them receives before the other sends. That the receiver is there
 * is seen in a file that both have mapped.
 *
 *   mpi-hosts DIRECTORY   for that file, and for what each rank says, said.RANK:
 *
 *   least NS              of some messages on end, the fastest that came to this rank
 *   at TAG NS             when it began to receive (or to send) the message of that tag
 */
/* build: name=mpich cc=mpicc.mpich -O2 -g -Wno-stringop-overflow */
/* build: name=openmpi cc=mpicc.openmpi -O2 -g */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum {
    GROUPS = 6, /* of messages to and fro */
    MESSAGES = 100,
    ROUNDS = 14,
};

static int rank;
static int *there; /* the last round whose receiver has come */
static FILE *said;

static long
now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_BOOTTIME, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void
to_and_fro(void)
{
    long least = 1L << 60, sent;

    for (int i = 0; i < MESSAGES; i++) {
        if (i % 2 == rank) {
            sent = now();
            MPI_Send(&sent, 1, MPI_LONG, !rank, 1, MPI_COMM_WORLD);
            continue;
        }
        MPI_Recv(&sent, 1, MPI_LONG, !rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sent = now() - sent;
        least = sent < least ? sent : least;
    }
    fprintf(said, "least %ld\n", least);
}

static void
one_is_late(int round)
{
    int tag = 100 + round, word = 0;
    long at;

    if (round % 2 == rank) {
        at = now();
        __atomic_store_n(there, round, __ATOMIC_SEQ_CST);
        MPI_Recv(&word, 1, MPI_INT, !rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        while (__atomic_load_n(there, __ATOMIC_SEQ_CST) < round)
            usleep(100);
        usleep(1000);
        at = now();
        MPI_Send(&word, 1, MPI_INT, !rank, tag, MPI_COMM_WORLD);
    }
    fprintf(said, "at %d %ld\n", tag, at);
}

int
main(int argc, char **argv)
{
    char name[16];
    int fd;

    if (argc < 2 || chdir(argv[1]) < 0)
        abort();
    fd = open("there", O_RDWR | O_CREAT, 0600);
    if (fd < 0 || ftruncate(fd, 4096) < 0)
        abort();
    there = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (there == MAP_FAILED)
        abort();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof(name), "said.%d", rank);
    said = fopen(name, "w");
    if (!said)
        abort();
    for (int i = 0; i < GROUPS; i++)
        to_and_fro();
    for (int i = 1; i <= ROUNDS; i++)
        one_is_late(i);
    for (int i = 0; i < GROUPS; i++)
        to_and_fro();
    fclose(said);
    MPI_Finalize();
    return 0;
}

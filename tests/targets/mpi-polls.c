/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Polls in vain, many times: MPI_Iprobe and MPI_Test in turn, five kinds of MPI_Iprobe
 * in turn, and in a thread that then ends. The argument: how often. Then polls that
 * find something. "exit" as the second one ends the program without MPI_Finalize,
 * right after polls. The truth is in truth.RANK.
 */
/* build: name=mpich cc=mpicc.mpich -O2 -g -Wno-stringop-overflow */
/* build: name=openmpi cc=mpicc.openmpi -O2 -g */
/* link: -lpthread */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static long probes, tests, times;

static int
probe(int tag)
{
    int flag;

    probes++;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    return flag;
}

static int
test(MPI_Request *r)
{
    int flag;

    tests++;
    MPI_Test(r, &flag, MPI_STATUS_IGNORE);
    return flag;
}

static void *
poll_in_vain(void *arg)
{
    for (long i = 0; i < times; i++)
        probe(*(int *)arg);
    return NULL;
}

int
main(int argc, char **argv)
{
    int level, rank, word = 0, tag = 9, out = 1;
    pthread_t thread;
    char name[32];
    MPI_Request r;
    FILE *f;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    times = argc > 1 ? atol(argv[1]) : 1000;
    MPI_Irecv(&word, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &r);
    for (long i = 0; i < times; i++) {
        probe(2);
        test(&r);
    }
    for (long i = 0; i < times; i++)
        probe(3 + (int)(i % 5));
    if (level == MPI_THREAD_MULTIPLE) {
        pthread_create(&thread, NULL, poll_in_vain, &tag);
        pthread_join(thread, NULL);
    }
    MPI_Send(&out, 1, MPI_INT, rank, 1, MPI_COMM_WORLD);
    while (!test(&r))
        ;
    for (int i = 0; i < 3; i++)
        probe(2);
    snprintf(name, sizeof(name), "truth.%d", rank);
    f = fopen(name, "w");
    if (!f)
        abort();
    fprintf(f, "MPI_Iprobe %ld\nMPI_Test %ld\n", probes, tests);
    fclose(f);
    if (argc > 2)
        _exit(0);
    MPI_Finalize();
    return 0;
}

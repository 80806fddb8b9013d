/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two ranks, which report by files in the working directory. They write their process
 * ids (`pid.R`) and wait for the file `go`; they exchange messages and reduce, and
 * write how often (`truth.R`: `sends N receives N reduces N bytes N`); then rank 1
 * waits for a message, which comes when the file `end` exists. No call of MPI is made
 * while a rank waits for a file.
 */
/* build: name=mpich cc=mpicc.mpich -O2 -g */
/* build: name=openmpi cc=mpicc.openmpi -O2 -g */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { MESSAGES = 40, REDUCES = 30, WORDS = 25 };

static int rank;

static void
await(const char *file)
{
    while (access(file, F_OK) < 0)
        usleep(5000);
}

static void
say(const char *what, const char *text)
{
    char name[32], made[48];
    FILE *f;

    snprintf(name, sizeof(name), "%s.%d", what, rank);
    snprintf(made, sizeof(made), "%s.new", name);
    f = fopen(made, "w");
    if (!f)
        MPI_Abort(MPI_COMM_WORLD, 1);
    fprintf(f, "%s\n", text);
    fclose(f);
    rename(made, name);
}

static void
exchange(MPI_Comm comm)
{
    int data[WORDS] = { 0 }, sum = 0;

    for (int i = 0; i < MESSAGES; i++)
        if (rank == i % 2)
            MPI_Send(data, WORDS, MPI_INT, !rank, 1, comm);
        else
            MPI_Recv(data, WORDS, MPI_INT, !rank, 1, comm, MPI_STATUS_IGNORE);
    for (int i = 0; i < REDUCES; i++)
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
}

int
main(int argc, char **argv)
{
    char text[100];
    MPI_Comm copy;
    int word = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    snprintf(text, sizeof(text), "%d", (int)getpid());
    say("pid", text);
    await("go");
    exchange(MPI_COMM_WORLD);
    exchange(copy);
    snprintf(text, sizeof(text), "sends %d receives %d reduces %d bytes %d", MESSAGES,
             MESSAGES, 2 * REDUCES, MESSAGES * WORDS * (int)sizeof(int));
    say("truth", text);
    if (rank) {
        MPI_Recv(&word, 1, MPI_INT, 0, 2, copy, MPI_STATUS_IGNORE);
    } else {
        await("end");
        MPI_Send(&word, 1, MPI_INT, 1, 2, copy);
    }
    MPI_Comm_free(&copy);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranks that start three more by MPI_Comm_spawn(), and messages between the two
 * worlds: by the intercommunicator, and by what MPI_Intercomm_merge() makes of it.
 * Each rank writes its own truth: "WORLD RANK WORLD RANK MESSAGES BYTES", for those
 * that it has sent to someone; children are world 2. With the argument `each`, each
 * rank starts a child of its own instead, all at once. With `hang`, the first rank
 * receives from a child what that never sends.
 */
/* build: name=openmpi cc=mpicc.openmpi -O2 -g */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    CHILDREN = 3,
    ROUNDS = 7,
    LATE = 300000, /* us */
};

static int world, rank;
static FILE *truth;

static void
to(int to_world, int to_rank, int messages, int bytes)
{
    fprintf(truth, "%d %d %d %d %d %d\n", world, rank, to_world, to_rank, messages,
            bytes);
}

/* Parents send to all children, who are late; the children answer at once. */
static void
talk(MPI_Comm inter)
{
    char text[100] = "";
    int others;

    MPI_Comm_remote_size(inter, &others);
    for (int i = 0; i < others; i++)
        for (int k = 0; k < ROUNDS && world == 1; k++)
            MPI_Send(text, 10 * (i + 1), MPI_CHAR, i, 5, inter);
    if (world == 1) {
        for (int i = 0; i < others; i++)
            to(2, i, ROUNDS, ROUNDS * 10 * (i + 1));
        for (int i = 0; i < others; i++)
            MPI_Recv(text, sizeof(text), MPI_CHAR, MPI_ANY_SOURCE, 6, inter,
                     MPI_STATUS_IGNORE);
        return;
    }
    for (int i = 0; i < others; i++)
        for (int k = 0; k < ROUNDS; k++)
            MPI_Recv(text, sizeof(text), MPI_CHAR, i, 5, inter, MPI_STATUS_IGNORE);
    usleep(LATE);
    for (int i = 0; i < others; i++) {
        MPI_Request request;

        MPI_Isend(text, 33, MPI_CHAR, i, 6, inter, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        to(1, i, 1, 33);
    }
}

/* All in one communicator: a ring, and a late root. */
static void
merge(MPI_Comm inter, int parents)
{
    MPI_Comm all, same;
    int place, size, out = 0, in, next;

    MPI_Intercomm_merge(inter, world == 2, &all);
    MPI_Comm_dup(all, &same);
    MPI_Comm_rank(same, &place);
    MPI_Comm_size(same, &size);
    next = (place + 1) % size;
    for (int i = 0; i < ROUNDS; i++)
        MPI_Sendrecv(&out, 1, MPI_INT, next, 1, &in, 1, MPI_INT,
                     (place + size - 1) % size, 1, same, MPI_STATUS_IGNORE);
    to(next < parents ? 1 : 2, next < parents ? next : next - parents, ROUNDS,
       4 * ROUNDS);
    if (place == size - 1)
        usleep(LATE);
    MPI_Barrier(all);
    MPI_Comm_free(&same);
    MPI_Comm_free(&all);
}

int
main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    int each = !strcmp(how, "each"), hangs = !strcmp(how, "hang"), parents, in, out;
    char *args[] = { (char *)how, NULL }, name[64];
    MPI_Comm inter;

    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&inter);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    world = inter == MPI_COMM_NULL ? 1 : 2;
    if (world == 1)
        MPI_Comm_spawn(argv[0], args, each ? 1 : CHILDREN, MPI_INFO_NULL, 0,
                       each ? MPI_COMM_SELF : MPI_COMM_WORLD, &inter,
                       MPI_ERRCODES_IGNORE);
    snprintf(name, sizeof(name), "truth.%d.%d.%d", world, rank, (int)getpid());
    truth = fopen(name, "w");
    if (!truth)
        return 1;
    if (hangs && world == 1 && rank == 0)
        MPI_Recv(&in, 1, MPI_INT, 1, 9, inter, MPI_STATUS_IGNORE);
    talk(inter);
    out = rank;
    MPI_Allreduce(&out, &in, 1, MPI_INT, MPI_SUM, inter);
    MPI_Comm_size(MPI_COMM_WORLD, &parents);
    if (world == 2)
        MPI_Comm_remote_size(inter, &parents);
    merge(inter, parents);
    MPI_Comm_disconnect(&inter);
    fclose(truth);
    MPI_Finalize();
    return 0;
}

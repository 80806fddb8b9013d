/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranks that end in a way of their own, after a barrier of all: the last one calls
 * MPI_Abort (abort), is killed (kill), has a fault (fault), or exits without
 * MPI_Finalize (exit); the others wait for it. spawn: each makes a child.
 */
/* build: name=mpich cc=mpicc.mpich -O1 -g */
/* build: name=openmpi cc=mpicc.openmpi -O1 -g */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    int rank, size, status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!strcmp(how, "spawn")) {
        pid_t child = fork();

        if (!child)
            _exit(0);
        waitpid(child, &status, 0);
    } else if (rank == size - 1) {
        if (!strcmp(how, "abort"))
            MPI_Abort(MPI_COMM_WORLD, 7);
        if (!strcmp(how, "kill"))
            raise(SIGKILL);
        if (!strcmp(how, "fault"))
            raise(SIGSEGV);
        if (!strcmp(how, "exit"))
            exit(0);
    } else if (*how) {
        MPI_Recv(&status, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an MPI target does, as tell-mpi tells it: counts and bytes of each function, and
 * messages to and from each rank, in the file truth.RANK of the working directory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct truth {
    const char *name;
    long count, sent, received;
} truth[200];

static long truth_to[64][2], truth_from[64][2];

static struct truth *
truth_of(const char *name)
{
    int i = 0;

    while (truth[i].name && strcmp(truth[i].name, name))
        i++;
    truth[i].name = name;
    return &truth[i];
}

static void
truth_add(const char *name, long sent, long received)
{
    struct truth *t = truth_of(name);

    t->count++;
    t->sent += sent;
    t->received += received;
}

/* Bytes of a call that comes elsewhere. */
static inline void
truth_more(const char *name, long sent, long received)
{
    struct truth *t = truth_of(name);

    t->sent += sent;
    t->received += received;
}

static inline void
truth_sent(int rank, long bytes)
{
    truth_to[rank][0]++;
    truth_to[rank][1] += bytes;
}

static inline void
truth_got(int rank, long bytes)
{
    truth_from[rank][0]++;
    truth_from[rank][1] += bytes;
}

/* A call, and its bytes: CALL(Send, 4, 0, (buf, 1, MPI_INT, ...)). */
#define CALL(function, sent, received, arguments)              \
    do {                                                       \
        if (MPI_##function arguments != MPI_SUCCESS)           \
            abort();                                           \
        truth_add("MPI_" #function, (sent), (received));       \
    } while (0)

static void
truth_write(int rank)
{
    char name[32];
    FILE *f;

    snprintf(name, sizeof(name), "truth.%d", rank);
    f = fopen(name, "w");
    if (!f)
        abort();
    for (int i = 0; truth[i].name; i++)
        fprintf(f, "call %s %ld %ld %ld\n", truth[i].name, truth[i].count,
                truth[i].sent, truth[i].received);
    for (int i = 0; i < 64; i++)
        if (truth_to[i][0])
            fprintf(f, "to %d %ld %ld\n", i, truth_to[i][0], truth_to[i][1]);
    for (int i = 0; i < 64; i++)
        if (truth_from[i][0])
            fprintf(f, "from %d %ld %ld\n", i, truth_from[i][0], truth_from[i][1]);
    fclose(f);
}

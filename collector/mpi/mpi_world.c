/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/mpi/mpi_world.h"

#include <stdlib.h>
#include <string.h>

#include "collector/hook/trace.h"
#include "collector/mpi/mpi_abi.h"
#include "collector/mpi/mpi_call.h"
#include "share/fmt.h"

u32 mpi_world_rank, mpi_world_size;
int mpi_world_known;

/*
 * Read a number from the first of these environment variables that begins with a digit;
 * -1 = there is none, or it is not a number.
 */
static u64
number_of(const char *const *names, u32 n)
{
    for (u32 i = 0; i < n; i++) {
        const char *value = getenv(names[i]);
        char *end;
        unsigned long number;

        if (!value || *value < '0' || *value > '9')
            continue;
        number = strtoul(value, &end, 10);
        return *end || number > 100000000 ? (u64)-1 : number;
    }
    return (u64)-1;
}

void
mpi_world_log_begin(void)
{
    static const char *const ranks[] = { "OMPI_COMM_WORLD_RANK", "PMIX_RANK",
                                         "PMI_RANK", "MV2_COMM_WORLD_RANK" };
    static const char *const sizes[] = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                         "MV2_COMM_WORLD_SIZE" };
    const struct log_attr attrs[] = {
        { "rank", NULL, number_of(ranks, ER_COUNT(ranks)) },
        { "size", NULL, number_of(sizes, ER_COUNT(sizes)) },
    };

    if (attrs[0].number == (u64)-1 || attrs[1].number == (u64)-1)
        return;
    trace_services->event(EVENT_mpi_begin, NULL, NULL, attrs, ER_COUNT(attrs));
}

/*
 * If MPI_Comm_spawn() made this world: the rank, in the calling world, that was the
 * root of that call, + 1; 0 = not known. Open MPI puts that rank into the environment,
 * as "job.rank:number".
 */
static u64
parent_root(void)
{
    const char *port = getenv("OMPI_PARENT_PORT");
    const char *end = port ? strchr(port, ':') : NULL, *at = end;
    u64 rank = 0;

    while (at && at > port && at[-1] != '.')
        at--;
    if (!at || at == port || at == end)
        return 0;
    for (; at < end; at++) {
        if (*at < '0' || *at > '9' || rank > 100000000)
            return 0;
        rank = rank * 10 + (u64)(*at - '0');
    }
    return rank + 1;
}

void
mpi_world_log_init(int spawned, int level, u64 world)
{
    char rank[16];
    struct fmt f = fmt_start(rank, sizeof(rank) - 1);
    const struct log_attr attrs[] = {
        { "rank", NULL, mpi_world_rank },
        { "size", NULL, mpi_world_size },
        { "thread", NULL, (u64)level },
        { "spawned", NULL, (u64)spawned },
        { "world", NULL, world },
        { "root", NULL, spawned ? parent_root() : 0 },
    };

    fmt_u64(&f, mpi_world_rank);
    *f.at = 0;
    mpi_call_set_threaded(level >= mpi_abi.thread_multiple);
    trace_services->event(EVENT_mpi_init, mpi_abi_library(), rank, attrs,
                          ER_COUNT(attrs));
}

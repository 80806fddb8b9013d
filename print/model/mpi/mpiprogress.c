/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpiprogress.h"

#include <errno.h>
#include <stdlib.h>

#include "print/base/array.h"

enum {
    KEPT = 16, /* calls of a rank, those that ended last */
};

struct stay {
    int64_t begin, end;
    u32 node;
};

struct lane {
    struct stay stay[KEPT];
    u64 stays;
    struct mpi_span **asked; /* spans that need the rank, while it is outside of MPI */
    u32 count, room;
};

struct mpi_progress {
    const struct mpi_windows_sink *sink;
    struct lane *lane; /* by rank */
    u32 ranks;
};

struct mpi_progress *
mpiprogress_open(u32 ranks, const struct mpi_windows_sink *sink)
{
    struct mpi_progress *p = calloc(1, sizeof(*p));

    if (!p)
        return NULL;
    p->sink = sink;
    p->ranks = ranks;
    p->lane = calloc((size_t)ranks + 1, sizeof(*p->lane));
    if (p->lane)
        return p;
    free(p);
    return NULL;
}

void
mpiprogress_close(struct mpi_progress *p)
{
    if (!p)
        return;
    for (u32 i = 0; i < p->ranks; i++) {
        for (u32 k = 0; k < p->lane[i].count; k++)
            p->sink->release(p->sink->context, p->lane[i].asked[k]);
        free(p->lane[i].asked);
    }
    free(p->lane);
    free(p);
}

static void
judge(struct mpi_progress *p, struct mpi_span *span, u32 target,
      const struct stay *stay)
{
    const struct mpi_side whom = { .begin = stay->begin, .rank = target,
                                   .node = stay->node };

    if (stay->begin > span->begin && stay->begin <= span->end)
        p->sink->waited(p->sink->context, MPI_ASIDE_PROGRESS, span, span->rank, &whom);
}

void
mpiprogress_add_call(struct mpi_progress *p, u32 rank, const struct mpi_event *e)
{
    struct lane *lane = &p->lane[rank];
    struct stay *stay = &lane->stay[lane->stays % KEPT];
    int64_t last = lane->stays ? lane->stay[(lane->stays - 1) % KEPT].end : INT64_MIN;

    /*
     * Where a record stands for repeated test calls, the first of them began soon after
     * the rank's preceding call, so assume that it began at that call's end.
     */
    *stay = (struct stay){ e->again ? last : e->begin, e->end, e->node };
    lane->stays++;
    for (u32 i = 0; i < lane->count; i++) {
        judge(p, lane->asked[i], rank, stay);
        p->sink->release(p->sink->context, lane->asked[i]);
    }
    lane->count = 0;
}

int
mpiprogress_add_access(struct mpi_progress *p, struct mpi_span *span, u32 target)
{
    struct lane *lane = &p->lane[target];
    u64 first = lane->stays > KEPT ? lane->stays - KEPT : 0;
    const struct stay *found = NULL;

    if (span->rank == target)
        return 0;
    for (u64 i = lane->stays; i-- > first;) {
        const struct stay *stay = &lane->stay[i % KEPT];

        if (stay->end > span->begin && (!found || stay->begin < found->begin))
            found = stay;
    }
    /*
     * Only the last KEPT calls are known. If the oldest of them ended after the span
     * began, the rank may have been in MPI earlier in the span: nothing is known.
     */
    if (first && lane->stay[first % KEPT].end > span->begin)
        return 0;
    if (found) {
        judge(p, span, target, found);
        return 0;
    }
    if (array_room(&lane->asked, &lane->room, lane->count + 1,
                   sizeof(struct mpi_span *)) < 0)
        return -ENOMEM;
    span->pending++;
    lane->asked[lane->count++] = span;
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/pass/pieces.h"

#include <errno.h>

#include "print/model/lookup/regionlanes.h"

int
pieces_add(struct pieces *p, const struct bound_filter *bound)
{
    if (bound && bound->regions) {
        p->regions = bound->regions;
        p->experiment = bound->index;
    }
    return cuts_add_bound(&p->cuts, bound);
}

int
pieces_open(struct pieces *p, struct experiment *e, const struct record_source *source)
{
    u32 shift = source->schema->time_shift;

    cuts_seal(&p->cuts);
    if (!pieces_any(p))
        return 0;
    if (experiment_clock(e) < 0)
        return -ENOMEM;
    p->rate = clock_rate(&e->clock) * (double)((u64)1 << shift);
    for (u32 i = 0; i < PIECES_WORKERS; i++) {
        p->slicer[i].cuts = &p->cuts;
        p->slicer[i].shift = shift;
    }
    return 0;
}

int
pieces_lanes(struct pieces *p, struct experiment *e, const struct record_source *source)
{
    return cuts_open_lanes(&p->lanes, e, source->schema->time_shift);
}

void
pieces_close(struct pieces *p)
{
    cuts_free(&p->cuts);
    cuts_close_lanes(&p->lanes);
    for (u32 i = 0; i < PIECES_WORKERS; i++)
        cuts_free_slicer(&p->slicer[i]);
}

const struct slicer *
pieces_cut(struct pieces *p, const struct plan *plan, const u64 *row, u32 slot,
           u32 worker)
{
    struct slicer *slicer = &p->slicer[worker];
    u64 lasted;

    if (!pieces_any(p) || (plan->took < 0 && plan->weight < 0) ||
        (plan->hit && !p->lanes.count))
        return NULL;
    lasted = plan_lasted(plan, row, p->rate);
    slicer->regions = regionlanes_of(p->regions, p->experiment, slot);
    if (p->lanes.count)
        cuts_slice_lane(slicer, &p->lanes.lane[slot], row[plan->time], lasted);
    else
        cuts_slice(slicer, row[plan->time], lasted);
    return slicer;
}

bool
pieces_no_memory(const struct pieces *p)
{
    for (u32 i = 0; i < PIECES_WORKERS; i++)
        if (p->slicer[i].no_memory)
            return true;
    return false;
}

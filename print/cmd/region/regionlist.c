/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/region/regionlist.h"

#include <stdlib.h>

#include "print/cmd/list.h"
#include "print/cmd/region/regionnone.h"
#include "print/model/filter/filter.h"
#include "print/model/filter/filters.h"
#include "print/model/largest.h"
#include "print/model/lookup/regionlanes.h"

enum {
    SHOWN = 100,    /* instances that are shown if no limit is set */
    MOST = 1 << 22, /* instances that are shown at most, whatever the limit */
};

/* Times are ns from the start of the run. */
struct instance {
    u64 from, to;
    u32 experiment, slot, region, depth;
    bool open; /* it had not ended when the run did */
};

static int
by_length(const void *a, const void *b)
{
    const struct instance *x = a, *y = b;

    if (x->to - x->from != y->to - y->from)
        return x->to - x->from < y->to - y->from ? 1 : -1;
    if (x->experiment != y->experiment)
        return x->experiment < y->experiment ? -1 : 1;
    if (x->slot != y->slot)
        return x->slot < y->slot ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->depth < y->depth ? -1 : x->depth > y->depth;
}

static u32
depth_of(const struct region_lane *lane, u32 i)
{
    u32 depth = 0;

    for (u32 at = lane->span[i].around; at; at = lane->span[at - 1].around)
        depth++;
    return depth;
}

static void
add_lane(struct largest *all, const struct experiment *e, u32 index, u32 slot,
         const struct region_lane *lane)
{
    u32 piece = 0;

    for (u32 i = 0; i < lane->count; i++) {
        const struct region_span *span = &lane->span[i];
        struct instance instance = {
            .from = experiment_since(e, clock_mono_from(&e->clock, span->from, &piece)),
            .to = experiment_since(e, e->over_mono),
            .experiment = index,
            .slot = slot,
            .region = span->region,
            .depth = depth_of(lane, i),
            .open = span->to == UINT64_MAX,
        };

        if (!instance.open)
            instance.to =
                experiment_since(e, clock_mono_from(&e->clock, span->to, &piece));
        if (instance.to < instance.from)
            instance.to = instance.from;
        largest_add(all, &instance);
    }
}

static int
find(struct session *session, const struct region_lanes *lanes, struct largest *all)
{
    for (u32 i = 0; i < lanes->experiments; i++) {
        struct experiment *e = session->experiment[i];
        int ret = experiment_clock(e);

        if (ret < 0)
            return ret;
        for (u32 k = 0; k < lanes->experiment[i].slots; k++) {
            const struct region_lane *lane = regionlanes_of(lanes, i, k);

            if (lane)
                add_lane(all, e, i, k, lane);
        }
    }
    largest_settle(all);
    return all->no_memory ? -1 : 0;
}

static struct table *
list(struct shell *sh, const char *command, const struct largest *all)
{
    const struct instance *instance = (const struct instance *)(void *)all->item;
    struct table *t = table_new(command, LAYOUT_COLUMNS);
    u32 time = table_column(t, "time", "Wall", "sec.", COL_NS, 0);
    u32 from = table_column(t, "from", "From", "sec.", COL_NS, 0);
    u32 to = table_column(t, "to", "To", "sec.", COL_NS, 0);
    u32 thread = table_column(t, "thread", "Thread", "", COL_COUNT, 0);
    u32 depth = table_column(t, "depth", "Depth", "", COL_COUNT, COL_DATA_ONLY);
    u32 open = table_column(t, "open", "Not ended", "", COL_COUNT, COL_DATA_ONLY);
    u32 experiment = table_column(t, "experiment", "Experiment", "", COL_TEXT, 0);
    u32 path = table_column(t, "path", "Region", "", COL_TEXT, COL_BEGINNING);

    table_title(t, "The longest instances of regions, whatever the filter");
    for (u32 i = 0; i < all->count; i++) {
        const struct instance *in = &instance[i];
        const struct experiment *e = sh->session->experiment[in->experiment];
        char *name = filter_region(sh->session, in->region);

        table_row(t, 0);
        table_number(t, time, in->to - in->from);
        table_number(t, from, in->from);
        table_number(t, to, in->to);
        table_number(t, thread, in->slot ? e->threads.row[in->slot - 1].id : 0);
        table_number(t, depth, in->depth);
        table_number(t, open, in->open);
        table_text(t, experiment, e->path);
        table_text(t, path, name ? name : "");
        free(name);
    }
    t->nleft_out = all->seen - all->count;
    return t;
}

int
regionlist_show(struct shell *sh, const char *command)
{
    const struct region_lanes *lanes = filters_regions(sh->session);
    struct largest all = {
        .size = sizeof(struct instance),
        .wanted = sh->limit ? (u32)(sh->limit < MOST ? sh->limit : MOST) : SHOWN,
        .compare = by_length,
    };
    struct table *t;

    if (lanes && lanes->names.count < 2)
        return regionnone_fail(sh);
    if (!lanes || find(sh->session, lanes, &all)) {
        free(all.item);
        return shell_fail(sh, "no memory is left");
    }
    t = list(sh, command, &all);
    free(all.item);
    return shell_show(sh, t);
}

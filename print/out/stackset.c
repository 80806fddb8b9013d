/* SPDX-License-Identifier: Apache-2.0 */
#include "print/out/stackset.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * How many frames a node has; in the machine's view one, which stands for all that was
 * inlined there.
 */
static u32
depth_of(const struct stackset *set, u32 node)
{
    u32 depth = set->walk.depth[node];

    return depth > 1 && set->session->machine ? 1 : depth;
}

struct site_frame
stackset_frame(const struct stackset *set, const struct location *l, u32 i)
{
    struct site_frame frame = *aggregate_frame(set->session, l->first + i);

    if (i + 1 == l->depth) {
        const struct site_frame *place = aggregate_frame(set->session, l->place);

        frame.file = place->file;
        frame.line = place->line;
    }
    return frame;
}

/*
 * Find a node's location, or add it. A frame belongs to one site only, so the number of
 * its first frame identifies a location.
 */
static void
add_location(struct stackset *set, u32 *by_frame, u32 node)
{
    const struct stacks *stacks = set->session->stacks;
    const struct site *site = &stacks->sites.site[stacks->node[node].site];
    u32 first = set->walk.first[node], *known = &by_frame[first];
    struct location l = {
        .first = first,
        .depth = depth_of(set, node),
        .place = first + set->walk.depth[node] - 1,
    };

    if (!*known) {
        l.object = site->object;
        if (stacks->node[node].site >= FUNC_PSEUDO_COUNT &&
            first >= site->first && first < site->first + site->depth)
            l.addr = site->start;
        *known = set->nlocations;
        set->location[set->nlocations++] = l;
        for (u32 i = 0; i < l.depth; i++)
            set->is_used[aggregate_frame(set->session, first + i)->func] = true;
    }
    set->of_node[node] = *known;
}

static int
find_locations(struct stackset *set)
{
    const struct stack_tree *walk = &set->walk;
    u32 frames = aggregate_frames(set->session);
    u32 *by_frame = calloc((size_t)frames + 1, sizeof(*by_frame));

    set->location = calloc((size_t)frames + 1, sizeof(*set->location));
    set->of_node = calloc((size_t)walk->count + 1, sizeof(*set->of_node));
    set->is_used = calloc((size_t)function_count(set->session) + 1,
                          sizeof(*set->is_used));
    set->nlocations = 1;
    if (!by_frame || !set->location || !set->of_node || !set->is_used) {
        free(by_frame);
        return -ENOMEM;
    }
    for (u32 i = 1; i < walk->count; i++)
        if (walk->used[i] && walk->depth[i])
            add_location(set, by_frame, i);
    free(by_frame);
    return 0;
}

int
stackset_open(const struct out *out, struct stackset *set)
{
    int ret;

    memset(set, 0, sizeof(*set));
    set->session = out->session;
    ret = aggregate_open(out->session, true, &set->walk);
    if (ret < 0)
        return ret;
    ret = sites_starts(out->session, &out->session->stacks->sites);
    if (ret == 0)
        ret = find_locations(set);
    if (ret == 0)
        ret = outname_open(out->session, set->is_used, &set->name);
    if (ret < 0) {
        stackset_close(set);
        return ret;
    }
    set->nmetrics = out_metrics(out, set->metric);
    return 0;
}

void
stackset_close(struct stackset *set)
{
    outname_close(&set->name);
    free(set->location);
    free(set->of_node);
    free(set->is_used);
    aggregate_close(&set->walk);
    memset(set, 0, sizeof(*set));
}

u32
stackset_next(const struct stackset *set, u32 node)
{
    const struct stack_tree *walk = &set->walk;

    for (node++; node < walk->count; node++)
        if (walk->used[node] && grid_any(walk->self, node))
            return node;
    return 0;
}

bool
stackset_values(struct stackset *set, u32 node, int64_t *value)
{
    bool any = false;

    for (u32 i = 0; i < set->nmetrics; i++) {
        value[i] = grid_value(set->walk.self, node, set->metric[i]);
        if (value[i] < 0) {
            set->negative[i] += value[i];
            value[i] = 0;
        }
        any |= value[i] != 0;
    }
    return any;
}

u32
stackset_top(const struct stackset *set, u32 node)
{
    const struct stacks *stacks = set->session->stacks;

    while (node && !set->of_node[node])
        node = stacks->node[node].parent;
    return node;
}

u32
stackset_caller(const struct stackset *set, u32 node)
{
    return stackset_top(set, set->session->stacks->node[node].parent);
}

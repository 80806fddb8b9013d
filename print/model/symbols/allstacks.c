/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/allstacks.h"

#include <errno.h>

#include "print/model/symbols/stacks.h"

int
allstacks_expand(struct session *session)
{
    struct stacks *stacks = session->stacks;
    const struct site_frame *frames;
    struct node_row row;
    u32 node, depth;

    for (u32 f = FUNC_UNKNOWN; f < FUNC_PSEUDO_COUNT; f++)
        if (stacks_pseudo(session, f, &node) < 0)
            return -ENOMEM;
    for (u32 e = 0; e < session->nexperiments; e++)
        for (u32 id = 1; id < session->experiment[e]->nodes.count; id++)
            if (nodes_get(&session->experiment[e]->nodes, id, &row) == 0 &&
                stacks_of(session, e, id, &node) < 0)
                return -ENOMEM;
    for (u32 i = 1; i < stacks->count; i++)
        if (sites_frames(session, &stacks->sites, stacks->node[i].site, &frames,
                         &depth) < 0)
            return -ENOMEM;
    return 0;
}

void
allstacks_functions(struct session *session, u32 experiment, unsigned char *met)
{
    const struct nodes *nodes = &session->experiment[experiment]->nodes;
    const struct stacks *stacks = session->stacks;
    struct node_row row;
    u32 node;

    for (u32 id = 1; id < nodes->count; id++) {
        const struct site *site;

        if (nodes_get(nodes, id, &row) < 0 ||
            stacks_of(session, experiment, id, &node) < 0)
            continue;
        site = &stacks->sites.site[stacks->node[node].site];
        for (u32 k = 0; k < site->depth && site->has_frames; k++)
            met[stacks->sites.frame[site->first + k].func] = 1;
    }
}

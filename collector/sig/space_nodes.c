/* SPDX-License-Identifier: Apache-2.0 */
/* Space in the file frameinfo for the store of stack nodes; see space.h. */
#include "collector/sig/code.h"
#include "collector/sig/node.h"
#include "collector/sig/space.h"

static u32 nodes_busy, nodes_attached;

void
space_start_nodes(void)
{
    nodes_busy = nodes_attached = 0;
    code_start();
    node_start(&space_ctl->file[FILE_frameinfo].next);
    node_limit(&space_ctl->file[FILE_frameinfo].reserved);
    space_more_nodes();
}

void
space_more_nodes(void)
{
    u64 reserved =
        __atomic_load_n(&space_ctl->file[FILE_frameinfo].reserved, __ATOMIC_ACQUIRE);
    u32 free = 0;

    if (!__atomic_compare_exchange_n(&nodes_busy, &free, 1, 0, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED))
        return;
    while (nodes_attached * (u64)ER_SEGMENT < reserved) {
        void *base = space_at(FILE_frameinfo, (u64)nodes_attached * ER_SEGMENT);

        if (!base || node_attach(nodes_attached, base) < 0)
            break;
        nodes_attached++;
    }
    __atomic_store_n(&nodes_busy, 0, __ATOMIC_RELEASE);
    if (node_segment_wanted)
        space_want(WANT_SPACE);
}

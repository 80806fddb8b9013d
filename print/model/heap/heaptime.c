/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/heap/heaptime.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/heap/heapscan.h"
#include "print/model/symbols/frametext.h"
#include "print/model/symbols/function.h"

struct naming {
    struct session *session;
    u32 index; /* of the experiment */
    struct heaptime *time;
    u32 *by_node; /* by the experiment's own id: number of a function, 0 = not asked */
    u32 nodes;
    u32 *by_func; /* by function: its number, 0 = none yet */
    u32 funcs;
    int err;
};

static int
function_of(struct naming *n, u32 id, u32 *func)
{
    struct stack_frame frame;
    u32 node;
    int ret = stacks_of(n->session, n->index, id, &node);

    if (ret == 0)
        ret = frametext_owner(n->session, node, &frame);
    *func = ret == 0 ? frame.func : FUNC_UNKNOWN;
    return ret == -ENOENT ? 0 : ret;
}

/* The number of a function; 0: there is no memory. */
static u32
number_of(struct naming *n, u32 func)
{
    struct heaptime *time = n->time;

    if (array_room_zero(&n->by_func, &n->funcs, func + 1, sizeof(*n->by_func)) < 0 ||
        array_room(&time->func, &time->room, time->nfuncs + 1, sizeof(*time->func)) < 0)
        return 0;
    if (!n->by_func[func]) {
        n->by_func[func] = time->nfuncs;
        time->func[time->nfuncs++] = func;
    }
    return n->by_func[func];
}

static u32
key_of(void *context, const struct heap_block *block)
{
    struct naming *n = context;
    u32 func;

    if (block->node < n->nodes && n->by_node[block->node])
        return n->by_node[block->node];
    if (array_room_zero(&n->by_node, &n->nodes, block->node + 1,
                        sizeof(*n->by_node)) < 0)
        n->err = -ENOMEM;
    else if (n->err == 0)
        n->err = function_of(n, block->node, &func);
    if (n->err < 0)
        return 0;
    n->by_node[block->node] = number_of(n, func);
    if (!n->by_node[block->node])
        n->err = -ENOMEM;
    return n->by_node[block->node];
}

/* Take the cells over; blocks that were not selected get the number 0. */
static void
move_cells(struct heaptime *time, struct heapsteps *steps)
{
    time->cell = steps->cell;
    time->count = steps->count;
    for (u32 i = 0; i < time->count; i++)
        if (time->cell[i].key == HEAPSTEPS_OTHER)
            time->cell[i].key = 0;
    steps->cell = NULL;
}

int
heaptime_get(struct session *session, const struct heap *heap, u32 index,
             struct heaptime *out)
{
    struct heaptime time = { .nfuncs = 1 };
    struct naming naming = { .session = session, .index = index, .time = &time };
    struct heapsteps steps = { .bits = heap->process[index].step_bits };
    struct heap_keys keys = { key_of, &naming, false, &steps };
    struct bound_filter *filter = NULL;
    struct heap_scan scan = { 0 };
    int ret = heapselect_bind(session, index, &filter);

    time.func = calloc(1, sizeof(*time.func));
    time.room = 1;
    if (!time.func)
        ret = -ENOMEM;
    if (ret == 0)
        ret = heapscan_run(session->experiment[index], filter, &keys, &scan);
    if (ret == 0)
        ret = steps.no_memory ? -ENOMEM : naming.err;
    move_cells(&time, &steps);
    filterbind_free(filter);
    heapscan_free(&scan);
    heapsteps_free(&steps);
    free(naming.by_node);
    free(naming.by_func);
    if (ret < 0)
        heaptime_free(&time);
    else
        *out = time;
    return ret;
}

void
heaptime_free(struct heaptime *time)
{
    free(time->func);
    free(time->cell);
    memset(time, 0, sizeof(*time));
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/stacks.h"

#include <errno.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/symbols/interpsites.h"
#include "print/model/symbols/joins.h"
#include "print/model/symbols/object.h"

enum {
    JOINED = NODE_JOINED | NODE_WAITING,
    RUNTIME_ROWS = 64, /* most frames of a runtime that are shown at a join */
    START_ROWS = 3,    /* most frames of a thread's start */
};

/* Node ids from a leaf upwards, below the first node that the session knows already. */
struct climb {
    u32 *id;
    u32 count;
    u32 room;
};

int
stacks_open(struct session *session)
{
    struct stacks *stacks = calloc(1, sizeof(*stacks));

    session->stacks = stacks;
    if (!stacks || sites_open(&stacks->sites) < 0)
        return -ENOMEM;
    /*
     * Node 0, the parent of all roots. Its site is invalid, so no other node equals it.
     */
    if (array_room_zero(&stacks->node, &stacks->room, 1, sizeof(*stacks->node)) < 0)
        return -ENOMEM;
    stacks->node[0] = (struct stack){ 0, UINT32_MAX };
    stacks->count = 1;
    return 0;
}

static void
map_close(struct stack_map *map)
{
    free(map->node);
    free(map->object);
    free(map->interp);
    free(map->last);
}

void
stacks_close(struct stacks *stacks)
{
    if (!stacks)
        return;
    for (u32 i = 0; i < stacks->nmaps; i++)
        map_close(&stacks->map[i]);
    free(stacks->map);
    free(stacks->node);
    hash_free(&stacks->hash);
    sites_close(&stacks->sites);
    free(stacks);
}

void
stacks_forget(struct stacks *stacks, u32 experiment)
{
    if (experiment >= stacks->nmaps)
        return;
    map_close(&stacks->map[experiment]);
    array_remove(stacks->map, &stacks->nmaps, experiment, sizeof(*stacks->map));
}

void
stacks_forget_all(struct stacks *stacks)
{
    for (u32 i = 0; i < stacks->nmaps; i++) {
        u32 made = stacks->map[i].made;

        map_close(&stacks->map[i]);
        stacks->map[i] = (struct stack_map){ .made = made };
    }
}

/*
 * Make the array of maps long enough for an experiment; new maps are empty. 0 or
 * -ENOMEM.
 */
static int
reach(struct stacks *stacks, u32 experiment)
{
    u32 count = experiment + 1;

    if (count <= stacks->nmaps)
        return 0;
    if (array_room(&stacks->map, &stacks->maps_room, count, sizeof(*stacks->map)) < 0)
        return -ENOMEM;
    memset(&stacks->map[stacks->nmaps], 0,
           (count - stacks->nmaps) * sizeof(*stacks->map));
    stacks->nmaps = count;
    return 0;
}

static struct stack_map *
map_of(struct session *session, u32 experiment)
{
    const struct experiment *e = session->experiment[experiment];
    struct stack_map new = { .count = e->nodes.count }, *map;

    if (reach(session->stacks, experiment) < 0)
        return NULL;
    map = &session->stacks->map[experiment];
    if (map->node)
        return map;
    new.made = map->made;
    new.node = calloc((size_t)new.count + 1, sizeof(*new.node));
    new.object = calloc((size_t)e->map.count + 1, sizeof(*new.object));
    if (!new.node || !new.object) {
        map_close(&new);
        return NULL;
    }
    *map = new;
    return map;
}

int
stacks_pseudo(struct session *session, enum pseudo_function func, u32 *node)
{
    return stacknodes_child(session->stacks, 0, func, node);
}

/*
 * The load instance of a node: by its id, else the one that contains pc; NULL = none.
 */
static const struct map_instance *
instance_of(const struct experiment *e, const struct node_row *row)
{
    const struct map_instance *instance = NULL;

    if (row->instance)
        instance = map_find(&e->map, row->instance);
    return instance ? instance : map_find_pc(&e->map, row->pc, 0);
}

static int
object_of(struct session *session, u32 experiment, struct stack_map *map,
          const struct map_instance *instance, u32 *object)
{
    const struct experiment *e = session->experiment[experiment];
    u32 *known = &map->object[instance - e->map.instance];

    if (!*known) {
        if (objects_of(session, experiment, instance, object) < 0)
            return -ENOMEM;
        *known = *object + 1;
    }
    *object = *known - 1;
    return 0;
}

static int step(struct session *session, u32 experiment, struct stack_map *map,
                const struct node_row *row, u32 parent, u32 *node);

static bool
is_runtime(const struct experiment *e, const struct node_row *row)
{
    const struct map_instance *instance = instance_of(e, row);

    return instance && object_is_runtime(instance->file.name);
}

/*
 * Get the OpenMP runtime's frames on the native stack at a join, innermost first. If
 * only the start of the thread called them (up to START_ROWS frames), add those frames.
 * Returns the number of frames.
 */
static u32
runtime_frames(const struct experiment *e, u32 id, struct node_row rows[RUNTIME_ROWS])
{
    u32 count = 0, more = 0;

    while (count < RUNTIME_ROWS && nodes_get(&e->nodes, id, &rows[count]) == 0 &&
           is_runtime(e, &rows[count]))
        id = rows[count++].parent;
    while (count && count + more < RUNTIME_ROWS && more < START_ROWS &&
           nodes_get(&e->nodes, id, &rows[count + more]) == 0 &&
           !(rows[count + more].flags & JOINED))
        id = rows[count + more++].parent;
    return id ? count : count + more;
}

/*
 * Get the node of a join, where a stack continues in another thread, or later in the
 * same one. In the user's view, the join adds no frame, or that of a wait. In the
 * machine's view, it adds none: `parent` is the native stack (see parent_of()). In the
 * other view, it adds the runtime's frames. 0 or -ENOMEM.
 */
static int
step_joined(struct session *session, u32 experiment, struct stack_map *map,
            const struct node_row *row, u32 parent, u32 *node)
{
    struct node_row rows[RUNTIME_ROWS];
    u32 count = 0;
    int ret = 0;

    if (!session->user && !session->machine)
        count = runtime_frames(session->experiment[experiment], (u32)row->pc, rows);
    while (count-- > 0 && ret == 0)
        ret = step(session, experiment, map, &rows[count], parent, &parent);
    if (ret == 0 && session->user && row->flags & NODE_WAITING)
        ret = stacknodes_child(session->stacks, parent,
                               row->parent ? FUNC_OMP_BARRIER : FUNC_OMP_IDLE, &parent);
    if (ret == 0)
        *node = parent;
    return ret;
}

/*
 * The id of a row's parent; for a join in the machine's view, that of the native stack
 * of its thread.
 */
static u32
parent_of(const struct session *session, const struct node_row *row)
{
    return session->machine && row->flags & JOINED ? (u32)row->pc : row->parent;
}

static int
made_object(struct session *session, u32 experiment, struct stack_map *map)
{
    u32 object;

    if (map->made)
        return 0;
    if (objects_made(session, experiment, &object) < 0)
        return -ENOMEM;
    map->made = object + 1;
    return 0;
}

int
stacks_made(struct session *session, u32 experiment)
{
    struct stack_map *map;

    if (!session->experiment[experiment]->made.count)
        return 0;
    map = map_of(session, experiment);
    return map ? made_object(session, experiment, map) : -ENOMEM;
}

/* Get the site of a row in code that was made at run time. 0 or -ENOMEM. */
static int
made_site(struct session *session, u32 experiment, struct stack_map *map,
          const struct node_row *row, u32 *site)
{
    const struct experiment *e = session->experiment[experiment];
    const struct made_function *f = &e->made.function[row->made - 1];
    bool call = !(row->flags & NODE_EXACT);

    if (made_object(session, experiment, map) < 0)
        return -ENOMEM;
    return sites_of(&session->stacks->sites, map->made - 1,
                    f->vaddr + (row->pc - call - f->addr), call, site);
}

/* Get the session's node of a row from that of its parent. 0 or -ENOMEM. */
static int
step(struct session *session, u32 experiment, struct stack_map *map,
     const struct node_row *row, u32 parent, u32 *node)
{
    struct stacks *stacks = session->stacks;
    const struct experiment *e = session->experiment[experiment];
    const struct map_instance *instance;
    bool call = !(row->flags & NODE_EXACT);
    u64 pc = row->pc - call;
    u32 object = 0, site;

    /* <collector> is a root, so that no function's inclusive time contains it. */
    if (row->flags & NODE_COLLECTOR)
        return stacks_pseudo(session, FUNC_COLLECTOR, node);
    if (row->flags & JOINED)
        return step_joined(session, experiment, map, row, parent, node);
    if (row->flags & NODE_TRUNCATED)
        return stacknodes_child(stacks, parent, FUNC_TRUNCATED, node);
    if (row->flags & NODE_MIXED)
        return joins_make(session, experiment, row, parent, node);
    if (row->flags & NODE_CODE) {
        if (interpsites_of(session, experiment, row->pc, &site) < 0)
            return -ENOMEM;
        return stacknodes_child(stacks, parent, site, node);
    }
    if (row->flags & NODE_OMITTED &&
        stacknodes_child(stacks, parent, FUNC_OMITTED, &parent) < 0)
        return -ENOMEM;
    if (row->made) {
        if (made_site(session, experiment, map, row, &site) < 0)
            return -ENOMEM;
        return stacknodes_child(stacks, parent, site, node);
    }
    instance = instance_of(e, row);
    if (instance && instance->collector) {
        *node = parent;
        return 0;
    }
    if (instance && object_of(session, experiment, map, instance, &object) < 0)
        return -ENOMEM;
    if (!instance)
        return stacknodes_child(stacks, parent, FUNC_UNKNOWN, node);
    if (sites_of(&stacks->sites, object, pc - instance->bias, call, &site) < 0)
        return -ENOMEM;
    return stacknodes_child(stacks, parent, site, node);
}

static void
report_broken(struct experiment *e, struct stack_map *map, u32 id)
{
    if (map->broken++ == 0)
        problems_add(&e->problems, "%s: stack node %u, at offset %llu, is damaged or "
                     "missing: stacks that need it or others like it are cut there",
                     e->file[FILE_frameinfo].path, id,
                     (unsigned long long)id * e->nodes.row_bytes);
}

/*
 * Collect the ids from `id` upwards until one whose node is known. *top: that node; 0
 * if the root was collected; that of a pseudo function if the id cannot be read, or the
 * parents form a cycle. 0 or -ENOMEM.
 */
static int
climb_up(struct session *session, u32 experiment, struct stack_map *map, u32 id,
         struct climb *climb, u32 *top)
{
    struct experiment *e = session->experiment[experiment];
    struct node_row row;

    *top = 0;
    while (id) {
        bool circle = id < map->count && map->node[id] == NODE_OPEN;

        if (id < map->count && map->node[id] && !circle) {
            *top = map->node[id] - 1;
            return 0;
        }
        if (circle || nodes_get(&e->nodes, id, &row) < 0) {
            report_broken(e, map, id);
            return stacks_pseudo(session, climb->count ? FUNC_TRUNCATED : FUNC_UNKNOWN,
                                 top);
        }
        if (array_room(&climb->id, &climb->room, climb->count + 1, sizeof(id)) < 0)
            return -ENOMEM;
        climb->id[climb->count++] = id;
        map->node[id] = NODE_OPEN;
        id = parent_of(session, &row);
    }
    return 0;
}

int
stacks_of(struct session *session, u32 experiment, u32 id, u32 *node)
{
    struct experiment *e = session->experiment[experiment];
    struct stack_map *map = map_of(session, experiment);
    struct climb climb = { 0 };
    struct node_row row;
    u32 at;
    int ret;

    if (!map)
        return -ENOMEM;
    ret = climb_up(session, experiment, map, id, &climb, &at);
    while (climb.count) {
        u32 below = climb.id[--climb.count];

        map->node[below] = 0;
        if (ret < 0)
            continue;
        nodes_get(&e->nodes, below, &row);
        ret = step(session, experiment, map, &row, at, &at);
        if (ret == 0)
            map->node[below] = at + 1;
    }
    free(climb.id);
    /* There is no stack, or it has only frames of the collector: <Unknown>. */
    if (ret == 0 && at == 0)
        ret = stacks_pseudo(session, FUNC_UNKNOWN, &at);
    if (ret == 0)
        *node = at;
    return ret;
}

u32
function_of_pc(struct session *session, u32 experiment, u32 instance, u64 pc)
{
    const struct map *map = &session->experiment[experiment]->map;
    const struct map_instance *at = map_find(map, instance);
    u32 object;

    if (!at)
        at = map_find_pc(map, pc, 0);
    if (!at || objects_of(session, experiment, at, &object) < 0)
        return FUNC_UNKNOWN;
    return function_at(session, object, pc - at->bias);
}

int
stacks_add(const struct session *session, struct grid *grid, u32 node,
           const struct values *values)
{
    u32 more = grid->rows + grid->rows / 2, count = session->stacks->count;

    if (!values_any(values))
        return 0;
    if (node >= grid->rows && grid_grow(grid, more > count ? more : count) < 0)
        return -ENOMEM;
    return grid_add(grid, node, values);
}

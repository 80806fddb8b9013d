/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/joins.h"

#include <errno.h>
#include <stdlib.h>

#include "print/base/array.h"
#include "print/model/symbols/interpsites.h"
#include "print/model/symbols/stacknodes.h"

/* Sites of a stack, outermost first; innermost first while they are collected. */
struct path {
    u32 *site;
    u32 count;
    u32 room;
};

struct join {
    struct session *session;
    u32 experiment;
    struct path native, interp, all;
    struct path group; /* indices in interp at which each call's frames begin */
    struct path eval;  /* indices in native of the evaluation function's calls */
    bool cut;          /* the root of interp is missing */
};

static int
push(struct path *path, u32 site)
{
    if (array_room(&path->site, &path->room, path->count + 1, sizeof(site)) < 0)
        return -ENOMEM;
    path->site[path->count++] = site;
    return 0;
}

static void
reverse(struct path *path)
{
    for (u32 i = 0; i < path->count / 2; i++) {
        u32 site = path->site[i];

        path->site[i] = path->site[path->count - 1 - i];
        path->site[path->count - 1 - i] = site;
    }
}

static int
collect_native(struct join *j, u32 node)
{
    const struct stacks *stacks = j->session->stacks;

    for (; node; node = stacks->node[node].parent)
        if (push(&j->native, stacks->node[node].site) < 0)
            return -ENOMEM;
    reverse(&j->native);
    for (u32 i = 0; i < j->native.count; i++)
        if (interpsites_is_eval(j->session, j->native.site[i]) && push(&j->eval, i) < 0)
            return -ENOMEM;
    return 0;
}

/*
 * Get the site of an interpreted frame. Sites are cached by id, since most frames occur
 * on many stacks. 0 or -ENOMEM.
 */
static int
site_of(struct join *j, u32 id, const struct node_row *row, u32 *site)
{
    struct stack_map *map = &j->session->stacks->map[j->experiment];

    if (!map->interp)
        map->interp = calloc((size_t)map->count + 1, sizeof(*map->interp));
    if (!map->interp)
        return -ENOMEM;
    if (id < map->count && map->interp[id]) {
        *site = map->interp[id] - 1;
        return 0;
    }
    if (interpsites_of(j->session, j->experiment, row->pc, site) < 0)
        return -ENOMEM;
    if (id < map->count)
        map->interp[id] = *site + 1;
    return 0;
}

/*
 * Collect the interpreted frames in groups: a group is the frames of one call of the
 * evaluation function. While frames are collected, an element of j->group is the number
 * of frames from the leaf to the group's first frame, inclusive; at the end, the index
 * of that frame. 0 or -ENOMEM.
 */
static int
collect_interp(struct join *j, u32 id)
{
    const struct nodes *nodes = &j->session->experiment[j->experiment]->nodes;
    struct node_row row;
    u32 site;

    /* In a damaged file, parents may form a cycle: limit the steps. */
    for (u32 steps = 0; id && steps < nodes->count; steps++, id = row.parent) {
        if (nodes_get(nodes, id, &row) < 0 || !(row.flags & NODE_CODE)) {
            j->cut = true;
            break;
        }
        if (site_of(j, id, &row, &site) < 0 || push(&j->interp, site) < 0)
            return -ENOMEM;
        if (row.flags & NODE_ENTRY && push(&j->group, j->interp.count) < 0)
            return -ENOMEM;
    }
    if (j->interp.count &&
        (!j->group.count || j->group.site[j->group.count - 1] < j->interp.count) &&
        push(&j->group, j->interp.count) < 0)
        return -ENOMEM;
    reverse(&j->interp);
    reverse(&j->group);
    for (u32 i = 0; i < j->group.count; i++)
        j->group.site[i] = j->interp.count - j->group.site[i];
    return 0;
}

/* Add the frames of groups [from, to), as far as these exist, to the merged stack. */
static int
add_groups(struct join *j, int64_t from, int64_t to)
{
    u32 i = from > 0 ? (u32)from : 0, groups = j->group.count;
    u32 end, last = to < groups ? (u32)(to > 0 ? to : 0) : groups;

    if (i >= last)
        return 0;
    end = last < groups ? j->group.site[last] : j->interp.count;
    if (i == 0 && j->cut && push(&j->all, FUNC_OMITTED) < 0)
        return -ENOMEM;
    for (i = j->group.site[i]; i < end; i++)
        if (push(&j->all, j->interp.site[i]) < 0)
            return -ENOMEM;
    return 0;
}

/*
 * Merge the two stacks: put each group of interpreted frames after its call of the
 * evaluation function. If there are as many groups as calls, group i belongs to call i.
 * If not, groups and calls are matched from the root on, since a call that has just
 * begun has no frames yet. But they are matched from the leaf on if the interpreted
 * stack lacks its root, or if the native stack lacks its root and has fewer calls than
 * there are groups. Further groups go after the last call if matched from the root,
 * else after the root. Without any call, groups are left out if the native stack has
 * its root.
 */
static int
merge(struct join *j)
{
    u32 calls = j->eval.count, next = 0;
    bool truncated = j->native.count && j->native.site[0] == FUNC_TRUNCATED;
    bool by_leaf = j->cut || (truncated && j->group.count > calls);
    int64_t shift = by_leaf && (calls || truncated)
                        ? (int64_t)j->group.count - calls
                        : 0;

    for (u32 i = 0; i < j->native.count; i++) {
        int64_t from = next + shift, to = from + 1;

        if (push(&j->all, j->native.site[i]) < 0 ||
            (i == 0 && shift > 0 && add_groups(j, 0, shift) < 0))
            return -ENOMEM;
        if (next == calls || j->eval.site[next] != i)
            continue;
        if (++next == calls)
            to = j->group.count;
        if (add_groups(j, from, to) < 0)
            return -ENOMEM;
    }
    return 0;
}

/*
 * Get the node of the merged stack. In deep recursion, a stack shares thousands of
 * frames with the one merged before it: reuse the nodes of these frames.
 */
static int
intern_all(struct join *j, u32 *node)
{
    struct stack_map *map = &j->session->stacks->map[j->experiment];
    u32 at = 0, i = 0;

    while (i < j->all.count && i < map->nlast && map->last[i].site == j->all.site[i])
        at = map->last[i++].parent;
    map->nlast = i;
    if (array_room(&map->last, &map->last_room, j->all.count, sizeof(*map->last)) < 0)
        return -ENOMEM;
    for (; i < j->all.count; i++) {
        if (stacknodes_child(j->session->stacks, at, j->all.site[i], &at) < 0)
            return -ENOMEM;
        map->last[i] = (struct stack){ at, j->all.site[i] };
        map->nlast = i + 1;
    }
    *node = at;
    return 0;
}

int
joins_make(struct session *session, u32 experiment, const struct node_row *row,
           u32 native, u32 *node)
{
    struct join j = { .session = session, .experiment = experiment };
    int ret = collect_native(&j, native);

    if (ret == 0)
        ret = collect_interp(&j, (u32)row->pc);
    if (ret == 0)
        ret = merge(&j);
    if (ret == 0)
        ret = intern_all(&j, node);
    free(j.native.site);
    free(j.interp.site);
    free(j.all.site);
    free(j.group.site);
    free(j.eval.site);
    return ret;
}

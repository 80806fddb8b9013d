/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/aggregate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/model/pass/tally.h"
#include "print/model/views/hide.h"

static int
allocate(struct stack_tree *walk)
{
    size_t n = (size_t)walk->count;

    walk->child = calloc(n, sizeof(*walk->child));
    walk->sibling = calloc(n, sizeof(*walk->sibling));
    walk->used = calloc(n, sizeof(*walk->used));
    walk->first = calloc(n, sizeof(*walk->first));
    walk->depth = calloc(n, sizeof(*walk->depth));
    walk->leaf = calloc(n, sizeof(*walk->leaf));
    if (!walk->child || !walk->sibling || !walk->used || !walk->first ||
        !walk->depth || !walk->leaf)
        return -ENOMEM;
    return grid_open_like(&walk->total, walk->self, walk->count);
}

/*
 * Add each node's sums to its parent's, from the last node to the first, since parents
 * have lower numbers than their children.
 */
static void
add_up(const struct stacks *stacks, struct stack_tree *walk)
{
    for (u32 i = walk->count; i-- > 1;) {
        u32 parent = stacks->node[i].parent;

        grid_add_row(&walk->total, i, walk->self, i);
        walk->used[i] |= grid_any(walk->self, i);
        if (!walk->used[i])
            continue;
        grid_add_row(&walk->total, parent, &walk->total, i);
        walk->used[parent] = true;
        walk->sibling[i] = walk->child[parent];
        walk->child[parent] = i;
    }
}

static int
find_frames(struct session *session, bool lines, struct stack_tree *walk)
{
    struct stacks *stacks = session->stacks;

    for (u32 i = 1; i < walk->count; i++) {
        const struct site_frame *frames;
        u32 site = stacks->node[i].site;
        int ret;

        if (!walk->used[i])
            continue;
        ret = (lines ? sites_lines : sites_frames)(session, &stacks->sites, site,
                                                   &frames, &walk->depth[i]);
        if (ret < 0)
            return ret;
        walk->first[i] = stacks->sites.site[site].first;
    }
    return 0;
}

int
aggregate_open(struct session *session, bool lines, struct stack_tree *out)
{
    struct stack_tree walk = { 0 };
    int ret = tally_make(session);

    if (ret < 0)
        return ret;
    ret = tally_wanted(session, &walk.own);
    if (ret < 0)
        return ret;
    walk.self = walk.own ? walk.own : &session->tally->node;
    walk.count = walk.self->rows;
    if (walk.count > session->stacks->count)
        walk.count = session->stacks->count;
    if (walk.count == 0) {
        *out = walk;
        return 0;
    }
    ret = allocate(&walk);
    if (ret == 0) {
        add_up(session->stacks, &walk);
        ret = find_frames(session, lines, &walk);
        if (ret == 0)
            ret = hide_frames(session, lines, &walk);
    }
    if (ret < 0) {
        aggregate_close(&walk);
        return ret;
    }
    *out = walk;
    return 0;
}

void
aggregate_close(struct stack_tree *walk)
{
    free(walk->child);
    free(walk->sibling);
    grid_close(&walk->total);
    if (walk->own)
        grid_close(walk->own);
    free(walk->own);
    free(walk->used);
    free(walk->first);
    free(walk->depth);
    free(walk->leaf);
    memset(walk, 0, sizeof(*walk));
}

const struct site_frame *
aggregate_frame(const struct session *session, u32 i)
{
    return &session->stacks->sites.frame[i];
}

u32
aggregate_frames(const struct session *session)
{
    return session->stacks->sites.nframes;
}

int
aggregate_visit(const struct stack_tree *walk, const struct visitor *visitor)
{
    u32 *path = malloc(((size_t)walk->count + 1) * sizeof(*path));
    u32 depth = 0, next = walk->count ? walk->child[0] : 0;

    if (!path)
        return -ENOMEM;
    while (next || depth) {
        if (next) {
            visitor->enter(visitor->context, next);
            path[depth++] = next;
            next = walk->child[next];
        } else {
            next = path[--depth];
            visitor->leave(visitor->context, next);
            next = walk->sibling[next];
        }
    }
    free(path);
    return 0;
}

/* The context of aggregate()'s visitor. */
struct summing {
    const struct stack_tree *walk;
    const u32 *key;
    u32 *open; /* by key: how many frames from the root to this node have it */
    struct sums sums;
};

static void
enter(void *context, u32 node)
{
    struct summing *s = context;
    const struct stack_tree *walk = s->walk;
    u32 first = walk->first[node], depth = walk->depth[node];
    u32 leaf = s->key[walk->leaf[node]];

    for (u32 i = first; i < first + depth; i++) {
        u32 key = s->key[i];

        if (key != KEY_NONE && s->open[key]++ == 0)
            grid_add_row(&s->sums.incl, key, &walk->total, node);
    }
    if (leaf != KEY_NONE)
        grid_add_row(&s->sums.excl, leaf, walk->self, node);
}

static void
leave(void *context, u32 node)
{
    struct summing *s = context;
    u32 first = s->walk->first[node];

    for (u32 i = first; i < first + s->walk->depth[node]; i++)
        if (s->key[i] != KEY_NONE)
            s->open[s->key[i]]--;
}

int
aggregate(const struct stack_tree *walk, const u32 *key, u32 keys, struct sums *out)
{
    struct summing s = { .walk = walk, .key = key };
    struct visitor visitor = { enter, leave, &s };
    int ret = grid_open_like(&s.sums.excl, &walk->total, keys);

    if (ret == 0)
        ret = grid_open_like(&s.sums.incl, &walk->total, keys);
    s.open = calloc((size_t)keys + 1, sizeof(*s.open));
    s.sums.keys = keys;
    if (!s.open)
        ret = -ENOMEM;
    if (ret == 0)
        ret = aggregate_visit(walk, &visitor);
    free(s.open);
    if (ret < 0)
        sums_free(&s.sums);
    else
        *out = s.sums;
    return ret;
}

void
sums_free(struct sums *sums)
{
    grid_close(&sums->excl);
    grid_close(&sums->incl);
    sums->keys = 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/ranges.h"

#include <errno.h>
#include <stdlib.h>

#include "print/base/array.h"
#include "print/base/hash.h"

static u32
new_node(struct ranges *r, u64 lo, u64 hi, u32 mapping)
{
    u32 at = r->free;

    if (at) {
        r->free = r->node[at].left;
    } else {
        u32 need = r->count ? r->count : 1;

        if (array_room(&r->node, &r->room, need + 1, sizeof(*r->node)) < 0)
            return 0;
        at = need;
        r->count = need + 1;
        /* Priorities are random, so that no crafted file can make the tree deep. */
        if (!r->random)
            r->random = (uintptr_t)r->node | 1;
    }
    r->node[at] = (struct range){
        .lo = lo, .hi = hi, .mapping = mapping, .priority = (u32)hash_mix(++r->random)
    };
    return at;
}

/*
 * Split a tree: ranges below `key` go to *below, the others to *rest. No range contains
 * key.
 */
static void
split(struct ranges *r, u32 tree, u64 key, u32 *below, u32 *rest)
{
    if (!tree) {
        *below = *rest = 0;
    } else if (r->node[tree].lo < key) {
        split(r, r->node[tree].right, key, &r->node[tree].right, rest);
        *below = tree;
    } else {
        split(r, r->node[tree].left, key, below, &r->node[tree].left);
        *rest = tree;
    }
}

/* Merge two trees, where all ranges of `a` are below those of `b`. */
static u32
merge(struct ranges *r, u32 a, u32 b)
{
    if (!a || !b)
        return a ? a : b;
    if (r->node[a].priority > r->node[b].priority) {
        r->node[a].right = merge(r, r->node[a].right, b);
        return a;
    }
    r->node[b].left = merge(r, a, r->node[b].left);
    return b;
}

static void
insert(struct ranges *r, u32 at)
{
    u32 below, rest;

    split(r, r->root, r->node[at].lo, &below, &rest);
    r->root = merge(r, merge(r, below, at), rest);
}

static u32
find(const struct ranges *r, u64 addr)
{
    u32 at = r->root;

    while (at && !(r->node[at].lo <= addr && addr < r->node[at].hi))
        at = addr < r->node[at].lo ? r->node[at].left : r->node[at].right;
    return at;
}

/* If a range contains `addr`, split it there. */
static int
cut_at(struct ranges *r, u64 addr)
{
    u32 at = find(r, addr), upper;

    if (!at || r->node[at].lo == addr)
        return 0;
    upper = new_node(r, addr, r->node[at].hi, r->node[at].mapping);
    if (!upper)
        return -ENOMEM;
    r->node[at].hi = addr;
    insert(r, upper);
    r->pieces(r->context, r->node[at].mapping, 0, 1);
    return 0;
}

static void
drop(struct ranges *r, u32 tree)
{
    u32 left, right;

    if (!tree)
        return;
    left = r->node[tree].left;
    right = r->node[tree].right;
    r->pieces(r->context, r->node[tree].mapping, r->node[tree].hi - r->node[tree].lo,
              -1);
    r->node[tree].left = r->free;
    r->free = tree;
    drop(r, left);
    drop(r, right);
}

int
ranges_add(struct ranges *r, u64 lo, u64 hi, u32 mapping)
{
    u32 at;

    if (lo >= hi)
        return 0;
    at = new_node(r, lo, hi, mapping);
    if (!at)
        return -ENOMEM;
    insert(r, at);
    r->pieces(r->context, mapping, 0, 1);
    return 0;
}

int
ranges_cut(struct ranges *r, u64 lo, u64 hi)
{
    u32 below, within, above;

    if (lo >= hi || !r->root)
        return 0;
    if (cut_at(r, lo) < 0 || cut_at(r, hi) < 0)
        return -ENOMEM;
    split(r, r->root, lo, &below, &within);
    split(r, within, hi, &within, &above);
    drop(r, within);
    r->root = merge(r, below, above);
    return 0;
}

const struct range *
ranges_find(const struct ranges *r, u64 addr)
{
    u32 at = find(r, addr);

    return at ? &r->node[at] : NULL;
}

const struct range *
ranges_next(const struct ranges *r, u64 addr)
{
    u32 at = r->root, found = 0;

    while (at) {
        bool behind = r->node[at].hi > addr;

        found = behind ? at : found;
        at = behind ? r->node[at].left : r->node[at].right;
    }
    return found ? &r->node[found] : NULL;
}

void
ranges_free(struct ranges *r)
{
    free(r->node);
    r->node = NULL;
    r->count = r->room = r->root = r->free = 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/dwarf/dwscope.h"

#include <stdlib.h>

#include "archive/dwarf/dwform.h"

#define DEPTH_MAX 2048         /* levels of nested DIEs */
#define SCOPES_MAX 100000000 /* a bound for hostile input */

static bool
is_scope(u32 tag)
{
    return tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
           tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
           tag == DW_TAG_subprogram;
}

static bool
append(struct dwscopes **list, const struct dwscope *scope)
{
    struct dwscopes *s = *list;

    if (s->count == SCOPES_MAX)
        return false;
    if (s->count == s->capacity) {
        u32 capacity = s->capacity * 2;

        s = realloc(s, sizeof(*s) + capacity * sizeof(s->at[0]));
        if (!s)
            return false;
        s->capacity = capacity;
        *list = s;
    }
    s->at[s->count++] = *scope;
    return true;
}

/* Reads the scopes of a unit, up to a malformed DIE. */
static void
read_tree(struct dwunit *u)
{
    struct cursor c = dwfile_cursor(u, u->die);
    u32 in[DEPTH_MAX], depth = 0;

    in[0] = DWSCOPE_NONE;
    while (cursor_left(&c) > 0) {
        const struct dwabbrev *a = dwfile_abbrev(u, &c);
        u64 at = (u64)(c.at - u->file->info.at);
        u32 scope = in[depth];

        if (!a) {
            if (c.bad || depth == 0)
                return;
            if (scope != DWSCOPE_NONE && scope != in[depth - 1])
                u->scopes->at[scope].end = at;
            if (--depth == 0)
                return;
            continue;
        }
        dwform_skip(u, &c, a);
        if (!a->children)
            continue;
        if (++depth == DEPTH_MAX)
            return;
        if (is_scope(a->tag)) {
            struct dwscope s = {.die = at, .parent = scope, .tag = a->tag, .abbrev = a};

            scope = u->scopes->count;
            if (!append(&u->scopes, &s))
                return;
        }
        in[depth] = scope;
    }
}

static bool
read_scopes(struct dwunit *u)
{
    const u32 capacity = 64;

    if (u->scopes)
        return true;
    u->scopes = malloc(sizeof(*u->scopes) + capacity * sizeof(u->scopes->at[0]));
    if (!u->scopes)
        return false;
    u->scopes->count = 0;
    u->scopes->capacity = capacity;
    read_tree(u);
    return true;
}

/* The scope that contains this one, or NULL. */
static const struct dwscope *
outer(const struct dwunit *u, const struct dwscope *s)
{
    return s->parent == DWSCOPE_NONE ? NULL : &u->scopes->at[s->parent];
}

const struct dwscope *
dwscope_around(struct dwunit *u, u64 die)
{
    const struct dwscope *s;
    u32 low = 0, count;

    if (!read_scopes(u))
        return NULL;
    for (count = u->scopes->count; count > 0;) {
        u32 half = count / 2;

        if (u->scopes->at[low + half].die < die) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    s = low > 0 ? &u->scopes->at[low - 1] : NULL;
    while (s && s->end <= die)
        s = outer(u, s);
    return s;
}

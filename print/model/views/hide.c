/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/hide.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/symbols/functions.h"
#include "print/model/symbols/interpsites.h"
#include "print/model/symbols/object.h"
#include "print/model/symbols/stacknodes.h"

/* The address of sites that stand for a whole hidden object; no code is there. */
static const u64 nowhere = UINT64_MAX;

void
hide_set_mode(struct session *session, u32 object, enum object_mode mode)
{
    if (!object || object >= session->objects->count)
        return;
    session->objects->object[object].mode = mode;
    session->objects->object[object].chosen = true;
}

void
hide_default_modes(struct session *session)
{
    for (u32 i = 1; i < session->objects->count; i++) {
        session->objects->object[i].mode = OBJECT_SHOW;
        session->objects->object[i].chosen = false;
    }
}

enum object_mode
hide_get_mode(const struct session *session, u32 object)
{
    const struct object *o;

    if (object >= session->objects->count)
        return OBJECT_SHOW;
    o = &session->objects->object[object];
    return session->user && o->internal && !o->chosen ? OBJECT_HIDE : o->mode;
}

/* Get the frame that stands for a hidden object. */
static int
stand_in(struct session *session, u32 object, u32 *frame)
{
    struct sites *sites = &session->stacks->sites;
    struct site *s;
    u32 site;

    if (sites_of(sites, object, nowhere, false, &site) < 0)
        return -ENOMEM;
    if (!sites->site[site].has_frames) {
        u32 func = functions_hidden(session, object);

        if (array_room(&sites->frame, &sites->frame_room, sites->nframes + 1,
                       sizeof(*sites->frame)) < 0)
            return -ENOMEM;
        s = &sites->site[site];
        sites->frame[sites->nframes] = (struct site_frame){ .func = func };
        s->first = sites->nframes++;
        s->depth = 1;
        s->has_frames = s->has_lines = s->has_start = true;
        s->start = 0;
    }
    *frame = sites->site[site].first;
    return 0;
}

/*
 * Replace the frames of a node in a hidden object by one frame; by none if the node's
 * caller is in the same object. within: the hidden object that the caller is in, 0 =
 * none.
 */
static int
fold(struct session *session, bool lines, struct stack_tree *walk, u32 node, u32 within)
{
    const struct stacks *stacks = session->stacks;
    u32 object = stacks->sites.site[stacks->node[node].site].object;

    if (within == object) {
        walk->depth[node] = 0;
        return 0;
    }
    if (hide_get_mode(session, object) == OBJECT_HIDE) {
        walk->depth[node] = 1;
        return stand_in(session, object, &walk->first[node]);
    }
    if (lines)
        walk->first[node] += walk->depth[node] - 1;
    walk->depth[node] = 1;
    return 0;
}

/* What hide_frames() knows of a node. */
struct place {
    bool in_user; /* the node or a caller of it is not in the kernel */
    u32 within;   /* the object whose single frame stands for it, 0 = none */
    bool in_code; /* the node or a caller of it is an interpreted frame */
    bool in_start; /* it is in libc, between the program's _start and its main */
};

/*
 * In the user's view, the kernel's work for a program counts at the program's function
 * that asked for it. Returns 1: the node is hidden; 0: it is not (yet).
 */
static int
hide_kernel(const struct session *session, struct stack_tree *walk, u32 node,
            struct place *place)
{
    u32 site = session->stacks->node[node].site;
    const struct object *o =
        &session->objects->object[session->stacks->sites.site[site].object];

    if (o->kind != MAP_KERNEL) {
        place->in_user = true;
        return 0;
    }
    if (!session->user || o->chosen || !place->in_user)
        return 0;
    walk->depth[node] = 0;
    return 1;
}

/*
 * In the user's view, the interpreter's work counts at the interpreted function that it
 * runs at that moment; before it runs the first one, at the interpreter. In the
 * machine's view, interpreted frames are hidden. Returns 1: the node is done; 0: it is
 * not; -ENOMEM.
 */
static int
hide_interpreter(struct session *session, struct stack_tree *walk, u32 node,
                 const struct place *above, struct place *place)
{
    u32 site = session->stacks->node[node].site;
    u32 object = session->stacks->sites.site[site].object;
    const struct object *o = &session->objects->object[object];

    if (o->interpreted) {
        place->in_code = true;
        if (session->machine)
            walk->depth[node] = 0;
        return session->machine;
    }
    if (!session->user || o->chosen)
        return 0;
    if (above->within && interpsites_is_start(session, site, above->in_start)) {
        place->within = above->within;
        place->in_start = true;
        walk->depth[node] = 0;
        return 1;
    }
    if (!interpsites_is_internal(session, site))
        return 0;
    place->within = object;
    if (above->in_code || above->within == object) {
        walk->depth[node] = 0;
        return 1;
    }
    walk->depth[node] = 1;
    return stand_in(session, object, &walk->first[node]) < 0 ? -ENOMEM : 1;
}

/*
 * Is the node in a stub of Java's machine, called by the hidden machine itself? Such
 * code, by which the machine calls a method, was made at run time, but it is a part of
 * the machine. Names of methods have the types of their arguments.
 */
static bool
is_java_stub(struct session *session, const struct stack_tree *walk, u32 node,
             u32 within)
{
    const struct object *objects = session->objects->object;
    const struct sites *sites = &session->stacks->sites;
    u32 object = sites->site[session->stacks->node[node].site].object;

    if (!session->user || !within || !objects[within].java ||
        objects[object].kind != MAP_JIT || objects[object].chosen || !walk->depth[node])
        return false;
    return !strchr(function_name_styled(session, sites->frame[walk->first[node]].func,
                                        NAME_MANGLED),
                   '(');
}

int
hide_frames(struct session *session, bool lines, struct stack_tree *walk)
{
    const struct stacks *stacks = session->stacks;
    struct place *places = calloc((size_t)walk->count + 1, sizeof(*places));
    int ret = places ? 0 : -ENOMEM;

    for (u32 i = 1; i < walk->count && ret == 0; i++) {
        u32 parent = stacks->node[i].parent;
        u32 object = stacks->sites.site[stacks->node[i].site].object;

        if (!walk->used[i])
            continue;
        places[i].in_code = places[parent].in_code;
        places[i].in_user = places[parent].in_user;
        ret = hide_kernel(session, walk, i, &places[i]);
        if (ret == 0)
            ret = hide_interpreter(session, walk, i, &places[parent], &places[i]);
        if (ret) {
            ret = ret < 0 ? ret : 0;
        } else if (is_java_stub(session, walk, i, places[parent].within)) {
            walk->depth[i] = 0;
            places[i].within = places[parent].within;
        } else if (hide_get_mode(session, object) != OBJECT_SHOW) {
            ret = fold(session, lines, walk, i, places[parent].within);
            places[i].within = object;
        } else if (session->machine && !lines) {
            walk->depth[i] = 1;
        }
        walk->leaf[i] = walk->depth[i] ? walk->first[i] + walk->depth[i] - 1
                                       : walk->leaf[parent];
    }
    free(places);
    return ret;
}

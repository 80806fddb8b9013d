/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/frames.h"

#include <errno.h>

#include "print/base/array.h"
#include "print/model/symbols/stacks.h"
#include "print/model/symbols/interp.h"
#include "print/model/symbols/interpsites.h"
#include "print/model/symbols/object.h"

struct list {
    struct stack_frame *frame;
    u32 count;
    u32 room;
};

/* Add the frames of a site to the list, innermost first. */
static int
add_site(struct session *session, u32 site, struct list *list)
{
    struct sites *sites = &session->stacks->sites;
    const struct site_frame *frames;
    u32 depth;

    if (sites_lines(session, sites, site, &frames, &depth) < 0 ||
        array_room(&list->frame, &list->room, list->count + depth,
                   sizeof(*list->frame)) < 0)
        return -ENOMEM;
    while (depth--)
        list->frame[list->count++] = (struct stack_frame){
            frames[depth].func, sites->site[site].object, frames[depth].file,
            frames[depth].line
        };
    return 0;
}

/* Is there an interpreted frame on the stack? */
static bool
has_code(const struct session *session, u32 node)
{
    const struct stacks *stacks = session->stacks;

    for (u32 at = node; at && at < stacks->count; at = stacks->node[at].parent)
        if (interp_is_object(session,
                             stacks->sites.site[stacks->node[at].site].object))
            return true;
    return false;
}

/*
 * Does the view hide a site of a stack with interpreted frames? The user's view hides
 * the interpreter, the machine's view hides interpreted code.
 */
static bool
is_hidden(struct session *session, u32 site)
{
    u32 object = session->stacks->sites.site[site].object;

    if (session->machine)
        return interp_is_object(session, object);
    return session->user && !session->objects->object[object].chosen &&
           interpsites_is_internal(session, site);
}

/*
 * In the user's view, kernel frames at the leaf are hidden if a program's frame called
 * them (see hide.c). Returns the innermost node that is not hidden: `node` itself if it
 * is not in the kernel, or if the whole stack is.
 */
static u32
skip_kernel(const struct session *session, u32 node)
{
    const struct stacks *stacks = session->stacks;
    u32 at = node;

    while (session->user && at && at < stacks->count) {
        u32 site = stacks->node[at].site;
        const struct object *o =
            &session->objects->object[stacks->sites.site[site].object];

        if (o->kind != MAP_KERNEL || o->chosen)
            return at;
        at = stacks->node[at].parent;
    }
    return node;
}

int
frames_of(struct session *session, u32 node, struct stack_frame **frames, u32 *count)
{
    const struct stacks *stacks = session->stacks;
    struct list list = { 0 };
    bool choose = has_code(session, node);

    for (u32 at = skip_kernel(session, node); at && at < stacks->count;
         at = stacks->node[at].parent) {
        if (choose && is_hidden(session, stacks->node[at].site))
            continue;
        if (add_site(session, stacks->node[at].site, &list) < 0) {
            free(list.frame);
            return -ENOMEM;
        }
    }
    *frames = list.frame;
    *count = list.count;
    return 0;
}

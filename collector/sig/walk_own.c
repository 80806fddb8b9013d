/* SPDX-License-Identifier: Apache-2.0 */
/* sig_walk_own(): a stack's node, or one below it for our own work. See walk.h. */
#include "collector/sig/insn.h"
#include "collector/sig/objtab.h"
#include "collector/sig/walk.h"
#include "collector/sig/walk_state.h"

enum {
    OWN_CALLS = 8, /* frames that are searched for a call by the collector */
};

static int
is_ours(u64 pc, struct objtab_object *object)
{
    return objtab_find(pc, object) && object->flags & OBJTAB_OURS;
}

static int
is_vdso(u64 pc)
{
    struct objtab_object object;

    return objtab_find(pc, &object) && object.flags & OBJTAB_VDSO;
}

/*
 * If code of the collector has called the leaf's function, directly or through
 * functions of libc, or reads the clock in the vdso: the node of the program's frame
 * that called the collector. Else 0; also 0 if the last walk is not the one that found
 * the leaf.
 */
static u32
caller_of_own_call(const struct walk *w, u32 node)
{
    const struct frame *leaf = w->kept + w->count - 1, *f = leaf;
    struct objtab_object object;
    u32 left = w->count < OWN_CALLS ? w->count : OWN_CALLS;

    if (w->busy || !w->count || leaf->node != node)
        return 0;
    for (; left > 0; left--, f--) {
        if (f != leaf && f->how & FRAME_EXACT)
            return 0; /* a handler runs on top of it */
        if (f->how & FRAME_HIDDEN)
            return is_ours(f->pc - 1, &object) &&
                           (insn_calls_within(f->pc, object.lo, object.hi) ||
                            (f != leaf && is_vdso(f[1].pc)))
                       ? f->node
                       : 0;
    }
    return 0;
}

u32
sig_walk_own(struct walk *w, u32 node, const ucontext_t *uc)
{
    struct objtab_object object;
    u32 caller = node;
    u64 key;

    if (!is_ours((u64)uc->uc_mcontext.gregs[REG_RIP], &object))
        caller = caller_of_own_call(w, node);
    if (!node || !caller)
        return node;
    key = node_key(0, NODE_COLLECTOR);
    return node_intern(&w->batch, caller, key, node_hash(caller, key));
}

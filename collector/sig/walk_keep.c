/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps a walk's frames for the next walk, with checks to prove them; see walk_state.h.
 */
#include <errno.h>

#include "collector/sig/walk_state.h"

u32
walk_find_odd(const struct walk *w, u32 i)
{
    while (i > 0 && w->kept[i].how & FRAME_PLAIN)
        i--;
    return i;
}

/* A check that always fails: the frame's caller is to be proved by a step. */
static const u64 nothing;

/* The outermost frame so far: the caller of the next one. */
struct caller {
    u64 pc;
    u64 sp;
    u64 bp;
    u32 how;
    u32 checks;
};

/*
 * FRAME_BP if this frame's caller, or one further out, is found by this frame's bp;
 * else 0.
 */
static inline u32
needs_bp(u32 how, const struct caller *by)
{
    if (ER_UNLIKELY(!(how & FRAME_PLAIN)))
        return how & FRAME_ROOT ? 0 : FRAME_BP;
    /* Without a branch: STEP_BY_BP, or the caller has the same bp and needs it. */
    return ((how / STEP_BY_BP & 1) * FRAME_BP) |
           (by->how & FRAME_BP & ((how / STEP_BP_AT_CFA & 1) - 1));
}

/*
 * Store the checks that prove a kept frame's caller. Returns the number of checks so
 * far.
 */
static inline u32
add_checks(struct check *checks, u32 how, const struct caller *by)
{
    struct check *c = checks + by->checks;
    int plain = how & FRAME_PLAIN;

    c[0].at = plain ? (const u64 *)(uintptr_t)(by->sp - 8) : &nothing;
    c[0].word = plain ? by->pc : 1;
    /*
     * Always stored, but counted only if the frame saved a bp by which a caller is
     * found.
     */
    c[1].at = (const u64 *)(uintptr_t)(by->sp + step_slot(how));
    c[1].word = by->bp;
    return by->checks + 1 +
           ((how / STEP_BP_AT_CFA & 1) & (by->how / FRAME_BP & 1));
}

static int
intern_frame(struct walk *w, struct path *path, const struct frame *f, u64 mask)
{
    if (ER_UNLIKELY(f->how & FRAME_JOIN))
        return path_join(w, path, f->join, NODE_JOINED);
    if (ER_UNLIKELY(f->how & FRAME_HIDDEN))
        return 0;
    return path_add(w, path, frame_key(f), mask);
}

/* Keep the frame *from, which *by has called, as *to; then *by describes this frame. */
static inline __attribute__((always_inline)) void
keep(struct check *checks, struct frame *to, const struct frame *from,
     struct caller *by, int outermost)
{
    u32 how = from->how;

    how |= needs_bp(how, by);
    by->checks = outermost ? 0 : add_checks(checks, how, by);
    by->how = to->how = how;
    by->pc = to->pc = from->pc;
    by->sp = to->sp = from->sp;
    by->bp = to->bp = from->bp;
    to->place = from->place;
    to->join = from->join;
    to->checks = by->checks;
}

int
walk_keep(struct walk *w, struct progress *x, struct path *path)
{
    struct frame *kept = w->kept, *to = kept + x->base;
    struct check *checks = w->checks;
    struct caller by = { to[-1].pc, to[-1].sp, to[-1].bp, to[-1].how, to[-1].checks };
    u32 odd = w->odd < x->base ? w->odd : walk_find_odd(w, x->base ? x->base - 1 : 0);
    u64 mask = node_mask_now();

    if (x->base > 0) {
        path->node = to[-1].node;
        path->hash = to[-1].hash;
        path->depth = to[-1].depth;
    } else if (path_start(w, path, x->end)) {
        return -ENOSPC;
    }
    for (u32 i = x->n; i-- > 0; to++) {
        const struct frame *from = &w->scratch[i];

        if (intern_frame(w, path, from, mask))
            return -ENOSPC;
        keep(checks, to, from, &by, to == kept);
        to->node = path->node;
        to->hash = path->hash;
        to->depth = path->depth;
        if (ER_UNLIKELY(!(from->how & FRAME_PLAIN)))
            odd = (u32)(to - kept);
    }
    w->odd = odd;
    return 0;
}

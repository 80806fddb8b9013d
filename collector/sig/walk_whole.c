/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "collector/sig/hotspot.h"
#include "collector/sig/walk_state.h"

static u32
flags_of(const struct step *s, u64 rule)
{
    u32 flags = s->exact ? NODE_EXACT : 0;

    if (ER_UNLIKELY(rule & RULE_UNKNOWN))
        flags |= NODE_UNKNOWN;
    if (ER_UNLIKELY(rule_kind(rule) == RULE_SIGNAL))
        flags |= NODE_SIGNAL;
    flags <<= FRAME_FLAGS_SHIFT;
    if (ER_UNLIKELY(rule & RULE_OURS))
        flags |= FRAME_HIDDEN;
    if (ER_UNLIKELY(rule_kind(rule) == RULE_ROOT))
        flags |= FRAME_ROOT;
    return flags;
}

/*
 * Step by RULE_HOTSPOT. If further frames of a virtual thread are in the heap, the
 * frame gets NODE_OMITTED.
 */
static int
step_java(struct progress *x, struct frame *f, u64 rule)
{
    int err;

    if (ER_UNLIKELY(x->s.pc == __atomic_load_n(&hotspot_heap_frames, __ATOMIC_RELAXED)))
        f->how |= NODE_OMITTED << FRAME_FLAGS_SHIFT;
    x->t.place = HOTSPOT_NO_PLACE;
    err = step_slow(&x->t, &x->s, rule);
    if (x->t.place > HOTSPOT_ANY_PLACE) {
        f->place = x->t.place;
        f->how |= FRAME_PLACE;
    }
    return err;
}

int
walk_step(struct progress *x, struct frame *f)
{
    u64 rule = step_rule(&x->t, &x->s);
    u32 flags = flags_of(&x->s, rule);

    if (step_fast(x->t.fast_hi, rule & ~(u64)RULE_OURS, &x->s.pc, &x->s.sp,
                  &x->s.bp)) {
        f->how = (u32)rule | flags;
        x->s.exact = 0;
        return 0;
    }
    f->how = flags;
    if (rule_kind(rule) == RULE_NO_CODE)
        return -ESRCH;
    if (rule_kind(rule) == RULE_JOIN) {
        f->join = step_join(&x->t, &x->s);
        f->how |= f->join ? FRAME_JOIN : 0;
    }
    if (rule_kind(rule) == RULE_HOTSPOT)
        return step_java(x, f, rule);
    return step_slow(&x->t, &x->s, rule);
}

int
path_add_new(struct walk *w, struct path *path, u64 key, u32 hash)
{
    u32 id = node_intern(&w->batch, path->node, key, hash);

    if (id == 0)
        return -ENOSPC;
    path->node = id;
    path->hash = hash;
    path->depth++;
    return 0;
}

int
path_join(struct walk *w, struct path *path, u32 parent, u32 flags)
{
    u64 key = node_key(path->node, flags);
    u32 depth = path->depth;
    int err;

    *path = (struct path){ .node = parent, .hash = parent };
    err = path_add(w, path, key, node_mask_now());
    path->depth = depth;
    return err;
}

int
path_start(struct walk *w, struct path *path, u32 end)
{
    int err;

    *path = (struct path){ .hash = NODE_ROOT_HASH };
    if (end == WALK_ROOT)
        return 0;
    err = path_add(w, path, node_key(0, NODE_TRUNCATED), node_mask_now());
    path->depth = 0;
    return err;
}

/*
 * The address for the next key. The first half of keys is for the leaf's frames; the
 * second is a ring with the outermost frames so far. *room: how many keys fit from
 * there on.
 */
static u64 *
key_place(const struct progress *x, u64 *keys, u32 capacity, u32 *room)
{
    u32 half = capacity / 2;
    u32 at = x->n < capacity ? x->n : half + (x->n - half) % half;

    *room = (x->n < capacity ? capacity : 2 * half) - at;
    return keys + at;
}

/*
 * Collect the keys of plain frames, at most max, up to a frame that is not plain.
 * Returns their number.
 */
static u32
run_all(struct progress *x, u64 *to, u32 max)
{
    u64 hi = x->t.fast_hi;
    struct rule_sets sets = rule_sets();
    u64 pc = x->s.pc, sp = x->s.sp, bp = x->s.bp;
    u32 n;

    for (n = 0; n < max; n++) {
        u64 rule = rule_get_in(sets, rule_key(pc, 0));

        to[n] = pc;
        if (!step_fast(hi, rule, &pc, &sp, &bp))
            break;
    }
    x->s.pc = pc;
    x->s.sp = sp;
    x->s.bp = bp;
    return n;
}

/* Collect the node keys of all frames. */
static void
collect_all(struct progress *x, u64 *keys, u32 capacity)
{
    int err = 0;

    while (x->n < WALK_STEPS) {
        struct frame f;
        u32 room;
        u64 *to = key_place(x, keys, capacity, &room);
        u64 pc = x->s.pc;

        if (!x->s.exact) {
            u32 n = run_all(x, to, room);

            x->n += n;
            if (n == room)
                continue;
            to += n;
            pc = x->s.pc;
        }
        f.pc = pc;
        err = walk_step(x, &f);
        if (err == -ESRCH && x->n > 0)
            break;
        if (f.how & FRAME_JOIN) {
            *to = node_key(f.join, NODE_JOINED);
            x->n++;
        } else if (!(f.how & FRAME_HIDDEN)) {
            *to = frame_key(&f);
            x->n++;
        }
        if (err)
            break;
    }
    x->end = err == -ENODATA ? WALK_ROOT : WALK_TRUNCATED;
}

/*
 * Add a frame's key. The key of a frame that joins has the parent in place of the pc.
 */
static int
add_key(struct walk *w, struct path *path, u64 key, u64 mask)
{
    if (ER_UNLIKELY(key >> 48 & NODE_JOINED))
        return path_join(w, path, (u32)key, NODE_JOINED);
    return path_add(w, path, key, mask);
}

/* Intern the keys that collect_all() left. 0, -ENOSPC. */
static int
intern_all(struct walk *w, struct progress *x, const u64 *keys, u32 capacity,
           struct path *path)
{
    u32 half = capacity / 2;
    u32 n = x->n;
    u64 mask = node_mask_now();
    int err = path_start(w, path, x->end);

    w->info.omitted = n > capacity ? n - capacity : 0;
    if (n > capacity) {
        for (u32 i = 0; i < half && !err; i++)
            err = add_key(w, path, keys[half + (n - 1 - i - half) % half], mask);
        if (!err)
            err = path_add(w, path, node_key(0, NODE_OMITTED), mask);
        path->depth += w->info.omitted - 1;
        n = half;
    }
    while (n-- > 0 && !err)
        err = add_key(w, path, keys[n], mask);
    return err;
}

int
walk_whole(struct walk *w, struct progress *x, u64 *keys, struct path *path)
{
    collect_all(x, keys, w->capacity);
    return intern_all(w, x, keys, w->capacity, path);
}

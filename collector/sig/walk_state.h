/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the walk share; see collector/sig/walk.h. Runs in signal handlers.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_WALK_STATE_H
#define ERTOOLS_COLLECTOR_SIG_WALK_STATE_H

#include "collector/sig/node.h"
#include "collector/sig/step.h"
#include "collector/sig/walk_info.h"
#include "share/types.h"

/*
 * A kept frame. Written and read by words, never copied as a whole: a load of two words
 * that were just stored one by one would wait for the stores.
 */
struct frame {
    u64 pc;
    u64 sp;
    u64 bp;
    u64 place; /* address that it is shown as; valid if frame_has_place() */
    u32 how;   /* enum frame_flag; with FRAME_PLAIN also the low half of the rule */
    u32 depth; /* number of frames shown, from the root to here */
    u32 node;  /* node of this frame; of its caller when the frame is not shown */
    u32 hash;  /* hash of that node */
    u32 checks; /* how many of walk.checks, from the root on, prove its callers */
    u32 join;   /* with FRAME_JOIN: the node that becomes the parent */
};

/* A stack slot, and the word that the last walk found there. */
struct check {
    const u64 *at;
    u64 word;
};

/*
 * Bits 8 to 19, which a fast rule does not use, are the node's flags (8 to 15) and
 * ours. Bits from 20 on are ours only in frames that are not plain.
 */
enum frame_flag {
    FRAME_PLAIN = STEP_FAST,
    FRAME_FLAGS_SHIFT = 8,
    FRAME_EXACT = NODE_EXACT << FRAME_FLAGS_SHIFT,
    FRAME_HIDDEN = 1 << 16, /* the collector's own: no node */
    FRAME_ROOT = 1 << 17,   /* the pc alone says that this is a root */
    FRAME_JOIN = 1 << 18,   /* hidden, and what is below has another parent: join.h */
    FRAME_BP = 1 << 19,     /* in kept only: an outer frame depends on this bp */
    FRAME_PLACE = 1 << 20,
};

/*
 * 1 if the frame is an interpreter's, shown as the place in the code that it
 * interprets.
 */
static inline int
frame_has_place(const struct frame *f)
{
    return (f->how & (FRAME_PLAIN | FRAME_PLACE)) == FRAME_PLACE;
}

static inline u64
frame_key(const struct frame *f)
{
    u32 flags = f->how >> FRAME_FLAGS_SHIFT & 0xff;

    if (ER_UNLIKELY(frame_has_place(f)))
        return node_key(f->place, flags | NODE_EXACT);
    return node_key(f->pc, flags);
}

struct walk {
    u64 lo; /* [lo, hi): the thread's stack */
    u64 hi;
    u64 busy;        /* address of the running walk's C frame, 0 = none */
    u64 nested_busy; /* the same, of a walk that interrupted it */
    struct frame *kept; /* the last walk, root first */
    u32 count;          /* frames in kept; 0 while a walk runs */
    u32 capacity;
    u32 end; /* how kept ends: enum walk_end */
    u32 generation; /* objtab_generation that kept belongs to */
    struct frame *scratch; /* the present walk's new frames, leaf first */
    struct check *checks;  /* at most two for each frame in kept */
    u64 *nested;           /* node keys of a nested walk */
    u32 misses; /* deep walks in a row that reused little */
    u32 rest;   /* number of walks left that do not try to reuse */
    u32 odd; /* index in kept: the innermost frame that is not plain, or 0 */
    u32 simple; /* 1 = kept ends at a root, and the checks prove all of it */
    struct walk_after after;
    struct node_batch batch;
    struct walk_info info;
};

/* A walk in progress. */
struct progress {
    const struct regs *regs; /* registers where it began */
    u32 regs_exact;
    struct step start;
    struct stepper t;
    struct step s;
    u32 end;
    u32 base; /* how many frames of kept stay */
    u32 n;    /* how many frames or keys were collected above these */
};

/* The present end of a path of nodes. */
struct path {
    u32 node;
    u32 hash;
    u32 depth;
};

/*
 * Extend a path by the child with this key. 0, -ENOSPC. A cached child is found here;
 * path_add_new() does the rest. mask: node_mask, which the caller has loaded once.
 */
int path_add_new(struct walk *w, struct path *path, u64 key, u32 hash);

static inline int
path_add(struct walk *w, struct path *path, u64 key, u64 mask)
{
    u32 hash = node_hash(path->hash, key);
    u32 id = node_cached(path->node, key, hash, mask);

    if (ER_UNLIKELY(id == 0))
        return path_add_new(w, path, key, hash);
    path->node = id;
    path->hash = hash;
    path->depth++;
    return 0;
}

/*
 * The path so far is the native stack. Add a joined node, whose parent is `parent` (may
 * be 0 if flags has NODE_WAITING); the path continues below it. 0, -ENOSPC.
 */
int path_join(struct walk *w, struct path *path, u32 parent, u32 flags);

/*
 * A waiting node for node, if the thread waits after its work (struct walk_after); else
 * node, also without room for nodes.
 */
u32 walk_after_work(struct walk *w, u32 node);

/* Begin a path for a walk with this end. 0, -ENOSPC. */
int path_start(struct walk *w, struct path *path, u32 end);

/*
 * Step from the frame at x->s to its caller. Sets f->how, and f->place and f->join if
 * the frame has them. 0, -ENODATA, -ENOENT; -ESRCH when there is no frame here.
 */
int walk_step(struct progress *x, struct frame *f);

/* Index of the innermost frame, from kept[i] outwards, that is not plain; or 0. */
u32 walk_find_odd(const struct walk *w, u32 i);

/* Intern the new frames and keep them above those that stay. 0, -ENOSPC. */
int walk_keep(struct walk *w, struct progress *x, struct path *path);

/*
 * Walk from x->s to the end without looking at the last walk, and intern the frames.
 * keys: room for w->capacity of them. 0 with the leaf in *path, -ENOSPC.
 */
int walk_whole(struct walk *w, struct progress *x, u64 *keys, struct path *path);

#endif

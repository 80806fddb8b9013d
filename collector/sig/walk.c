/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/walk.h"

#include <errno.h>

#include "collector/sig/objtab.h"
#include "collector/sig/step.h"

/* A kept frame. Flags in the low byte are those of the node. */
struct frame {
    u64 pc;
    u64 sp;
    u64 bp;
    u32 node; /* of this frame; of its caller when the frame is not shown */
    u32 hash;
    int16_t slot; /* FRAME_PLAIN: *(the caller's sp + slot) is the caller's bp, or pc */
    uint16_t flags;
    u32 depth; /* frames shown, from the root to here */
};

enum frame_flag {
    FRAME_NODE_FLAGS = 0xff,
    FRAME_HIDDEN = 0x100, /* the collector's own: no node */
    FRAME_PLAIN = 0x200,  /* slot and *(the caller's sp - 8) prove the caller */
    FRAME_BP = 0x400,     /* slot has the caller's bp, else pc once more */
    FRAME_ROOT = 0x800,   /* the pc alone says that this is a root */
};

/* When walks find little to reuse, most are made without trying. */
enum {
    ADAPT_DEPTH = 8,  /* shallower walks tell nothing */
    ADAPT_MISSES = 4, /* this many in a row change the way */
    ADAPT_REST = 64,  /* walks made without, then two are tried */
};

struct walk {
    u64 lo; /* [lo, hi): the thread's stack */
    u64 hi;
    u64 busy;        /* address of the running walk's frame, 0 = none */
    u64 nested_busy; /* of the one that interrupted it */
    struct frame *kept; /* the last walk, root first */
    u32 count;          /* frames in kept; 0 while a walk runs */
    u32 capacity;
    u32 end; /* of kept: enum walk_end */
    u32 generation; /* objtab_generation that kept belongs to */
    struct frame *scratch; /* the present walk's new frames, leaf first */
    u64 *nested;           /* node keys of a nested walk */
    u32 misses;
    u32 rest;
    struct node_batch batch;
    struct walk_info info;
};

/* A walk in progress. */
struct progress {
    const struct regs *regs; /* where it began */
    u32 regs_exact;
    struct step start;
    struct stepper t;
    struct step s;
    u32 end;
    u32 base; /* frames of kept that stay */
    u32 n;    /* frames or keys collected above them */
};

static void
begin(const struct walk *w, struct progress *x)
{
    u64 sp = x->regs->r[REGS_SP];
    /* Below the stack pointer a stack that grows may not be mapped yet. */
    u64 lo = sp >= w->lo && sp < w->hi ? sp : w->hi;

    stepper_init(&x->t, lo, w->hi, x->regs, x->regs_exact);
    x->s = x->start;
    x->base = 0;
    x->n = 0;
}

u64
walk_bytes(u32 frames)
{
    return sizeof(struct walk) + (u64)frames * (2 * sizeof(struct frame) + sizeof(u64));
}

struct walk *
walk_init(void *mem, u32 frames, u64 lo, u64 hi)
{
    struct walk *w = mem;

    w->capacity = frames;
    w->kept = (struct frame *)(w + 1);
    w->scratch = w->kept + frames;
    w->nested = (u64 *)(w->scratch + frames);
    walk_set_bounds(w, lo, hi);
    return w;
}

void
walk_set_bounds(struct walk *w, u64 lo, u64 hi)
{
    w->lo = lo;
    w->hi = hi;
    w->count = 0;
}

const struct walk_info *
walk_info(const struct walk *w)
{
    return &w->info;
}

static u32
flags_of(const struct step *s, u64 rule)
{
    u32 flags = s->exact ? NODE_EXACT : 0;

    if (ER_UNLIKELY(rule & (RULE_OURS | RULE_UNKNOWN))) {
        flags |= rule & RULE_OURS ? FRAME_HIDDEN : 0;
        flags |= rule & RULE_UNKNOWN ? NODE_UNKNOWN : 0;
    }
    if (ER_UNLIKELY(rule_kind(rule) == RULE_SIGNAL))
        flags |= NODE_SIGNAL;
    return flags;
}

/*
 * Fill in what the frame is, and step to its caller. 0, -ENODATA, -ENOENT; -ESRCH when
 * there is no frame here.
 */
static inline int
step_frame(struct progress *x, struct frame *f)
{
    u64 rule = step_rule(&x->t, &x->s);
    u32 flags = flags_of(&x->s, rule);

    if (ER_LIKELY(step_fast(&x->t, &x->s, rule))) {
        u32 at_cfa = rule_bp(rule) == RULE_BP_AT_CFA;

        f->slot = at_cfa ? (int16_t)rule_bp_offset(rule) : -8;
        f->flags = (uint16_t)(flags | FRAME_PLAIN | (at_cfa ? FRAME_BP : 0));
        return 0;
    }
    if (rule_kind(rule) == RULE_ROOT)
        flags |= FRAME_ROOT;
    f->flags = (uint16_t)flags;
    if (rule_kind(rule) == RULE_NO_CODE)
        return -ESRCH;
    return step_slow(&x->t, &x->s, rule);
}

static int
same_step(const struct frame *f, const struct step *s)
{
    return f->pc == s->pc && f->bp == s->bp && f->sp == s->sp &&
           !(f->flags & NODE_EXACT) == !s->exact;
}

static void
step_at(struct step *s, const struct frame *f)
{
    s->pc = f->pc;
    s->sp = f->sp;
    s->bp = f->bp;
    s->exact = (f->flags & NODE_EXACT) != 0;
}

/* 1 if a real step from kept[i] still arrives at kept[i - 1], or at the same end. */
static int
verify_by_step(struct walk *w, struct progress *x, u32 i)
{
    struct frame dummy;
    int err;

    step_at(&x->s, &w->kept[i]);
    err = step_frame(x, &dummy);
    if (i > 0)
        return !err && same_step(&w->kept[i - 1], &x->s);
    return err && (err == -ENODATA) == (w->end == WALK_ROOT);
}

/*
 * kept[i] is on the stack now: which of its callers are still the same? Returns the
 * index of the last good frame, whose caller is another now; -1 when all are good.
 */
static int
verify(struct walk *w, struct progress *x, u32 i)
{
    for (; i > 0; i--) {
        const struct frame *f = &w->kept[i];
        const struct frame *g = f - 1;
        u64 expected = f->flags & FRAME_BP ? g->bp : g->pc;

        if (ER_LIKELY(f->flags & FRAME_PLAIN)) {
            if (step_load(g->sp - 8) != g->pc ||
                step_load(g->sp + (u64)(int64_t)f->slot) != expected)
                return (int)i;
        } else if (!verify_by_step(w, x, i)) {
            return (int)i;
        }
    }
    if (w->kept[0].flags & FRAME_ROOT)
        return -1;
    return verify_by_step(w, x, 0) ? -1 : 0;
}

/* Note how the walk ended, by step_frame()'s error at the last frame. */
static void
ended(struct progress *x, int err)
{
    x->end = err == -ENODATA ? WALK_ROOT : WALK_TRUNCATED;
    if (err == -ESRCH && x->n > 1)
        x->n--;
}

/*
 * Kept frames from kept[from] outwards to kept[to] are on the stack, but their callers
 * are others: take them over as if walked.
 */
static int
take_over(struct walk *w, struct progress *x, u32 from, u32 to)
{
    if (x->n + (from - to + 1) > w->capacity)
        return -E2BIG;
    for (u32 i = from + 1; i-- > to;)
        w->scratch[x->n++] = w->kept[i];
    step_at(&x->s, &w->kept[to]);
    return 0;
}

/* Collect the frames that differ from the last walk. 0, -E2BIG. */
static int
collect_changes(struct walk *w, struct progress *x, u32 kept)
{
    int err = 0;

    for (;;) {
        struct frame *f;

        while (kept > 0 && w->kept[kept - 1].sp < x->s.sp)
            kept--;
        if (kept > 0 && same_step(&w->kept[kept - 1], &x->s)) {
            int good = verify(w, x, kept - 1);

            if (good < 0) {
                x->base = kept;
                x->end = w->end;
                return 0;
            }
            if (take_over(w, x, kept - 1, (u32)good))
                return -E2BIG;
            kept = (u32)good;
            f = &w->scratch[x->n - 1];
        } else {
            if (x->n == w->capacity)
                return -E2BIG;
            f = &w->scratch[x->n++];
            f->pc = x->s.pc;
            f->sp = x->s.sp;
            f->bp = x->s.bp;
        }
        err = step_frame(x, f);
        if (ER_UNLIKELY(err)) {
            ended(x, err);
            return 0;
        }
    }
}

/* Where a path of nodes has got to. */
struct path {
    u32 node;
    u32 hash;
    u32 depth;
};

static int
path_add(struct walk *w, struct path *path, u64 key)
{
    u32 hash = node_hash(path->hash, key);
    u32 id = node_cached(path->node, key, hash);

    if (ER_UNLIKELY(id == 0)) {
        id = node_intern(&w->batch, path->node, key, hash);
        if (id == 0)
            return -ENOSPC;
    }
    path->node = id;
    path->hash = hash;
    path->depth++;
    return 0;
}

/* Begin a path for a walk with this end. */
static int
path_start(struct walk *w, struct path *path, u32 end)
{
    int err;

    *path = (struct path){ .hash = NODE_ROOT_HASH };
    if (end == WALK_ROOT)
        return 0;
    err = path_add(w, path, node_key(0, NODE_TRUNCATED));
    path->depth = 0;
    return err;
}

/* Intern the new frames and keep them above those that stay. 0, -ENOSPC. */
static int
keep_changes(struct walk *w, struct progress *x, struct path *path)
{
    struct frame *to = w->kept + x->base;

    if (x->base > 0) {
        path->node = to[-1].node;
        path->hash = to[-1].hash;
        path->depth = to[-1].depth;
    } else if (path_start(w, path, x->end)) {
        return -ENOSPC;
    }
    for (u32 i = x->n; i-- > 0; to++) {
        *to = w->scratch[i];
        if (!(to->flags & FRAME_HIDDEN) &&
            path_add(w, path, node_key(to->pc, to->flags & FRAME_NODE_FLAGS)))
            return -ENOSPC;
        to->node = path->node;
        to->hash = path->hash;
        to->depth = path->depth;
    }
    return 0;
}

/* The leaf's half of keys is kept, and the root's, in a ring behind it. */
static inline void
add_key(struct progress *x, u64 *keys, u32 capacity, u64 key)
{
    u32 half = capacity / 2;

    if (ER_LIKELY(x->n < capacity))
        keys[x->n] = key;
    else
        keys[half + (x->n - half) % half] = key;
    x->n++;
}

/* Collect the node keys of all frames. */
static void
collect_all(struct progress *x, u64 *keys, u32 capacity)
{
    struct frame f;
    int err = 0;

    for (u32 steps = 0; steps < WALK_STEPS; steps++) {
        u64 pc = x->s.pc;

        err = step_frame(x, &f);
        if (err == -ESRCH && x->n > 0)
            break;
        if (!(f.flags & FRAME_HIDDEN))
            add_key(x, keys, capacity, node_key(pc, f.flags & FRAME_NODE_FLAGS));
        if (err)
            break;
    }
    x->end = err == -ENODATA ? WALK_ROOT : WALK_TRUNCATED;
}

/* Intern the keys that collect_all() left. 0, -ENOSPC. */
static int
intern_all(struct walk *w, struct progress *x, const u64 *keys, u32 capacity,
           struct path *path)
{
    u32 half = capacity / 2;
    u32 n = x->n;
    int err = path_start(w, path, x->end);

    w->info.omitted = n > capacity ? n - capacity : 0;
    if (n > capacity) {
        for (u32 i = 0; i < half && !err; i++)
            err = path_add(w, path, keys[half + (n - 1 - i - half) % half]);
        if (!err)
            err = path_add(w, path, node_key(0, NODE_OMITTED));
        path->depth += w->info.omitted - 1;
        n = half;
    }
    while (n-- > 0 && !err)
        err = path_add(w, path, keys[n]);
    return err;
}

static u32
finish(struct walk *w, struct progress *x, const struct path *path, u32 reused, int err)
{
    if (err) {
        w->info.dropped++;
        return 0;
    }
    w->info.depth = path->depth;
    w->info.reused = reused;
    w->info.end = x->end;
    if (x->end == WALK_TRUNCATED)
        w->info.truncated++;
    return path->node;
}

static u32
walk_all(struct walk *w, struct progress *x, u64 *keys)
{
    struct path path = { 0 };
    int err;

    collect_all(x, keys, w->capacity);
    err = intern_all(w, x, keys, w->capacity, &path);
    return finish(w, x, &path, 0, err);
}

static void
adapt(struct walk *w, u32 depth, u32 reused)
{
    if (depth < ADAPT_DEPTH)
        return;
    if (reused >= depth / 4) {
        w->misses = 0;
    } else if (++w->misses >= ADAPT_MISSES) {
        w->misses = ADAPT_MISSES - 2;
        w->rest = ADAPT_REST;
    }
}

static u32
walk_changes(struct walk *w, struct progress *x)
{
    u32 generation = __atomic_load_n(&objtab_generation, __ATOMIC_ACQUIRE);
    u32 kept = generation == w->generation ? w->count : 0;
    struct path path = { 0 };
    int err;

    w->count = 0;
    if (w->rest > 0) {
        w->rest--;
        return walk_all(w, x, (u64 *)w->scratch);
    }
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    err = collect_changes(w, x, kept);
    if (err || x->base + x->n > w->capacity) {
        begin(w, x);
        return walk_all(w, x, (u64 *)w->scratch);
    }
    err = keep_changes(w, x, &path);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (!err) {
        w->generation = generation;
        w->end = x->end;
        w->count = x->base + x->n;
        w->info.omitted = 0;
        adapt(w, w->count, x->base);
    }
    return finish(w, x, &path, x->base, err);
}

/*
 * 1 if the walk whose frame is at busy can be no more: the thread runs above it on the
 * same stack, so somebody has jumped out of the handler that interrupted it.
 */
static int
is_dead(const struct walk *w, u64 busy, u64 sp)
{
    return busy >= w->lo && sp < w->hi && sp > busy;
}

static u32
walk_nested(struct walk *w, struct progress *x, u64 here)
{
    u32 node;

    if (w->nested_busy && !is_dead(w, w->nested_busy, x->s.sp)) {
        w->info.dropped++;
        return 0;
    }
    w->nested_busy = here;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    node = walk_all(w, x, w->nested);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    w->nested_busy = 0;
    return node;
}

static u32
walk_from(struct walk *w, struct progress *x)
{
    u64 here = (u64)(uintptr_t)__builtin_frame_address(0);
    u32 node;

    begin(w, x);
    w->info.walks++;
    if (ER_UNLIKELY(w->busy)) {
        if (!is_dead(w, w->busy, x->s.sp))
            return walk_nested(w, x, here);
        w->nested_busy = 0;
    }
    w->busy = here;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    node = walk_changes(w, x);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    w->busy = 0;
    return node;
}

u32
sig_walk(struct walk *w, const ucontext_t *uc)
{
    struct progress x;
    struct regs regs;

    regs_from_context(&regs, uc);
    x.regs = &regs;
    x.regs_exact = 1;
    x.start = (struct step){ regs.pc, regs.r[REGS_SP], regs.r[REGS_BP], 1 };
    return walk_from(w, &x);
}

u32
sig_walk_from(struct walk *w, const struct walk_start *start)
{
    struct progress x;

    x.regs = &start->here;
    x.regs_exact = 1;
    x.start = (struct step){ start->pc, start->sp, start->bp, 0 };
    return walk_from(w, &x);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/walk.h"

#include <errno.h>

#include "collector/sig/objtab.h"
#include "collector/sig/walk_state.h"

/* When walks find little to reuse, most are made without trying. */
enum {
    ADAPT_DEPTH = 8,  /* shallower walks tell nothing */
    ADAPT_MISSES = 4, /* this many in a row change the way */
    ADAPT_REST = 64,  /* walks made without, then two are tried */
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
    return sizeof(struct walk) + sizeof(struct frame) +
           (u64)frames * (2 * sizeof(struct frame) + sizeof(u64));
}

struct walk *
walk_init(void *mem, u32 frames, u64 lo, u64 hi)
{
    struct walk *w = mem;

    w->capacity = frames;
    w->kept = (struct frame *)(w + 1) + 1;
    w->kept[-1].sp = ~(u64)0; /* a stop for those who look outwards from any frame */
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
    err = walk_step(x, &dummy);
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

/*
 * x->s is on the stack as it was in the last walk, as **k. 1 if all the rest is, too; 0
 * with the unchanged part taken over, x->s its last frame and *k the next; -E2BIG.
 */
static int
reuse(struct walk *w, struct progress *x, const struct frame **k)
{
    u32 from = (u32)(*k - w->kept);
    int good = verify(w, x, from);

    if (good < 0) {
        x->base = from + 1;
        x->end = w->end;
        return 1;
    }
    *k = w->kept + good - 1;
    return take_over(w, x, from, (u32)good);
}

/*
 * Walk plain frames into to, at most max, up to one that is not plain or that *kept has
 * as it is now. *kept moves outwards; the frame before the root's is a stop. Returns
 * their number.
 */
static u32
run_changes(struct progress *x, const struct frame **kept, struct frame *to, u32 max)
{
    const struct stepper *t = &x->t;
    const struct frame *k = *kept;
    u64 pc = x->s.pc, sp = x->s.sp, bp = x->s.bp;
    u32 n;

    for (n = 0; n < max; n++, to++) {
        u64 rule = rule_get(rule_key(pc, 0));

        while (k->sp < sp)
            k--;
        if (k->sp == sp && k->pc == pc && k->bp == bp && !(k->flags & NODE_EXACT))
            break;
        to->pc = pc;
        to->sp = sp;
        to->bp = bp;
        if (!step_fast(t, rule, &pc, &sp, &bp))
            break;
        set_plain(to, rule, 0);
    }
    *kept = k;
    x->s.pc = pc;
    x->s.sp = sp;
    x->s.bp = bp;
    return n;
}

/* Collect the frames that differ from the last walk. 0, -E2BIG. */
static int
collect_changes(struct walk *w, struct progress *x, u32 count)
{
    const struct frame *k = w->kept + count - 1;
    int err;

    for (;;) {
        struct frame *f = &w->scratch[x->n];

        if (!x->s.exact)
            x->n += run_changes(x, &k, f, w->capacity - x->n);
        if (x->n == w->capacity)
            return -E2BIG;
        while (k->sp < x->s.sp)
            k--;
        if (k >= w->kept && same_step(k, &x->s)) {
            err = reuse(w, x, &k);
            if (err)
                return err < 0 ? err : 0;
            f = &w->scratch[x->n - 1];
        } else {
            f = &w->scratch[x->n++];
            f->pc = x->s.pc;
            f->sp = x->s.sp;
            f->bp = x->s.bp;
        }
        err = walk_step(x, f);
        if (err) {
            ended(x, err);
            return 0;
        }
    }
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

    err = walk_whole(w, x, keys, &path);
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
        w->rest = ADAPT_REST; /* too deep to be kept: the next ones need not try */
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

/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/walk.h"

#include <errno.h>

#include "collector/sig/insn.h"
#include "collector/sig/objtab.h"
#include "collector/sig/walk_state.h"

/* When walks find little to reuse, most are made without trying. */
enum {
    ADAPT_DEPTH = 8,  /* shallower walks tell nothing */
    ADAPT_MISSES = 4, /* this many in a row change the way */
    ADAPT_REST = 64,  /* walks made without, then two are tried */
    WARY_WALKS = 16, /* after one that met a frame whose callers were others */
    WARY_FRAMES = 3, /* this many in a row are wanted meanwhile */
    MANY_WALKS = 1024, /* not in a short process that is only sampled */
    OWN_CALLS = 8, /* frames at most of libc's below a call of the collector's */
};

static inline __attribute__((always_inline)) void
begin(const struct walk *w, struct progress *x)
{
    u64 sp = x->regs->r[REGS_SP];
    /* Below the stack pointer a stack that grows may not be mapped yet. */
    u64 lo = sp >= w->lo && sp < w->hi ? sp : w->hi;

    stepper_init(&x->t, lo, w->hi, x->regs, x->regs_exact);
    x->s.pc = x->start.pc;
    x->s.sp = x->start.sp;
    x->s.bp = x->start.bp;
    x->s.exact = x->start.exact;
    x->base = 0;
    x->n = 0;
    x->interpreted = 0;
}

u64
walk_bytes(u32 frames)
{
    return sizeof(struct walk) + sizeof(struct frame) +
           (u64)frames *
               (2 * (sizeof(struct frame) + sizeof(struct check)) + sizeof(u64));
}

struct walk *
walk_init(void *mem, u32 frames, u64 lo, u64 hi)
{
    struct walk *w = mem;

    w->capacity = frames;
    w->kept = (struct frame *)(w + 1) + 1;
    w->kept[-1].sp = ~(u64)0; /* a stop for those who look outwards from any frame */
    w->scratch = w->kept + frames;
    w->checks = (struct check *)(w->scratch + frames);
    w->nested = (u64 *)(w->checks + 2 * frames);
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

int
walk_on_stack(const struct walk *w, u64 addr)
{
    return addr >= w->lo && addr < w->hi;
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
           !(f->how & FRAME_EXACT) == !s->exact;
}

static void
step_at(struct step *s, const struct frame *f)
{
    s->pc = f->pc;
    s->sp = f->sp;
    s->bp = f->bp;
    s->exact = (f->how & FRAME_EXACT) != 0;
}

/* 1 if a real step from kept[i] still arrives at kept[i - 1], or at the same end. */
static int
verify_by_step(struct walk *w, struct progress *x, u32 i)
{
    struct frame dummy;
    int err;

    step_at(&x->s, &w->kept[i]);
    err = walk_step(x, &dummy);
    if ((w->kept[i].how ^ dummy.how) & FRAME_JOIN)
        return 0;
    if (dummy.how & FRAME_JOIN && dummy.join != w->kept[i].join)
        return 0;
    if (i > 0)
        return !err && same_step(&w->kept[i - 1], &x->s);
    return err && (err == -ENODATA) == (w->end == WALK_ROOT);
}

/* The last of n checks that fails, counted from 1; 0 when none does. */
static u32
run_checks(const struct check *checks, u32 n)
{
    const struct check *c = checks + n;

    while (c - checks >= 4) {
        if (ER_UNLIKELY(*c[-1].at != c[-1].word || *c[-2].at != c[-2].word ||
                        *c[-3].at != c[-3].word || *c[-4].at != c[-4].word))
            break;
        c -= 4;
    }
    while (c != checks && *c[-1].at == c[-1].word)
        c--;
    return (u32)(c - checks);
}

/*
 * kept[i] is on the stack now: which of its callers are still the same? Returns the
 * index of the last good frame, whose caller is another now; -1 when all are good.
 */
static int
verify(struct walk *w, struct progress *x, u32 i)
{
    u32 n = w->kept[i].checks;

    while ((n = run_checks(w->checks, n)) > 0) {
        while (w->kept[i - 1].checks >= n)
            i--;
        if ((w->kept[i].how & FRAME_PLAIN) || !verify_by_step(w, x, i))
            return (int)i;
        n = w->kept[--i].checks;
    }
    if (w->kept[0].how & FRAME_ROOT)
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

/* Where a walk has got to beside the last one. */
struct beside {
    const struct frame *kept; /* the first that is not below the present frame */
    u32 same; /* frames in a row, up to the present one, that both walks have */
};

static void
look_beside(struct beside *b, const struct step *s)
{
    while (b->kept->sp < s->sp)
        b->kept--;
    b->same = same_step(b->kept, s) ? b->same + 1 : 0;
}

/* 1 if one of n frames, from f to the leaf's side, is an interrupted one. */
static int
has_exact(const struct frame *f, u32 n)
{
    u32 any = 0;

    while (n-- > 0)
        any |= f++->how;
    return (any & FRAME_EXACT) != 0;
}

/*
 * x->s is on the stack as it was in the last walk. 1 if all the rest is, too; 0 with
 * the unchanged part taken over, and x->s its last frame; -E2BIG.
 */
static int
reuse(struct walk *w, struct progress *x, struct beside *b)
{
    u32 from = (u32)(b->kept - w->kept);
    int good = verify(w, x, from);

    if (good < 0) {
        x->n -= b->same - 1;
        x->base = from + b->same;
        x->end = w->end;
        w->wary -= w->wary > 0;
        return 1;
    }
    w->wary = WARY_WALKS;
    b->kept = w->kept + good - 1;
    b->same = 0;
    if (take_over(w, x, from, (u32)good))
        return -E2BIG;
    x->n--;
    return 0;
}

/*
 * Walk plain frames into to, at most max, up to one that is not plain, or that ends a
 * row of `enough` frames as they were in the last walk. Returns their number.
 *
 * A frame may be as it was though those that called it are not. To see that costs more
 * than a few frames: where it happens, `enough` is larger than 1.
 */
static u32
run_changes(struct progress *x, struct beside *b, struct frame *to, u32 max, u32 enough)
{
    u64 hi = x->t.fast_hi;
    struct rule_sets sets = rule_sets();
    const struct frame *k = b->kept, *begin = to, *end = to + max;
    u64 pc = x->s.pc, sp = x->s.sp, bp = x->s.bp;
    u32 same = b->same;

    for (; to != end; to++) {
        u64 rule = rule_get_in(sets, rule_key(pc, 0)), differ;

        while (k->sp < sp)
            k--;
        differ = (k->sp ^ sp) | (k->pc ^ pc) | (k->bp ^ bp);
        /* Nobody could foresee where a branch on this goes. */
        same = (same + 1) & -(u32)(differ == 0);
        if (same == enough)
            break;
        to->pc = pc;
        to->sp = sp;
        to->bp = bp;
        to->how = (u32)rule;
        if (!step_fast(hi, rule, &pc, &sp, &bp))
            break;
    }
    b->kept = k;
    b->same = ER_UNLIKELY(has_exact(k, same)) ? 0 : same;
    x->s.pc = pc;
    x->s.sp = sp;
    x->s.bp = bp;
    return (u32)(to - begin);
}

/* Collect the frames that differ from the last walk. 0, -E2BIG. */
static int
collect_changes(struct walk *w, struct progress *x, u32 count)
{
    struct beside b = { w->kept + count - 1, 0 };
    u32 enough = w->wary ? WARY_FRAMES : 1;
    int err;

    for (;;) {
        struct frame *f;

        if (x->s.exact)
            look_beside(&b, &x->s);
        else
            x->n += run_changes(x, &b, &w->scratch[x->n], w->capacity - x->n, enough);
        if (x->n == w->capacity)
            return -E2BIG;
        if (b.same > 0) {
            err = reuse(w, x, &b);
            if (err)
                return err < 0 ? err : 0;
            continue;
        }
        f = &w->scratch[x->n++];
        f->pc = x->s.pc;
        f->sp = x->s.sp;
        f->bp = x->s.bp;
        err = walk_step(x, f);
        if (err) {
            ended(x, err);
            return 0;
        }
    }
}

/* A check that always fails: the frame's caller is to be proved by a step. */
static const u64 nothing;

/* Note what proves that the caller of kept frame f is f[-1]. */
static inline void
add_checks(struct walk *w, struct frame *f)
{
    struct check *c = w->checks + f[-1].checks;
    int plain = f->how & FRAME_PLAIN, at_cfa = plain && (f->how & STEP_BP_AT_CFA);

    c[0].at = plain ? (const u64 *)(uintptr_t)(f[-1].sp - 8) : &nothing;
    c[0].word = plain ? f[-1].pc : 1;
    /* Written in any case, and there only if the frame has saved bp. */
    c[1].at = (const u64 *)(uintptr_t)(f[-1].sp + step_slot(f->how));
    c[1].word = f[-1].bp;
    f->checks = f[-1].checks + 1 + (at_cfa != 0);
}

/* Intern the new frames and keep them above those that stay. 0, -ENOSPC. */
static int
keep_changes(struct walk *w, struct progress *x, struct path *path)
{
    struct frame *to = w->kept + x->base;
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

        to->pc = from->pc;
        to->sp = from->sp;
        to->bp = from->bp;
        to->how = from->how;
        if (ER_UNLIKELY(from->how & FRAME_JOIN)) {
            to->join = from->join;
            if (path_join(w, path, from->join, NODE_JOINED))
                return -ENOSPC;
        } else if (!(from->how & FRAME_HIDDEN) &&
                   path_add(w, path, frame_key(from->pc, from->how), mask)) {
            return -ENOSPC;
        }
        to->node = path->node;
        to->hash = path->hash;
        to->depth = path->depth;
        if (ER_LIKELY(to != w->kept))
            add_checks(w, to);
        else
            to->checks = 0;
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
    u32 kept = generation == w->generation && !w->interpreted ? w->count : 0;
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
        w->interpreted = x->interpreted;
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
    if (ER_UNLIKELY(++w->info.walks % MANY_WALKS == 0)) {
        rule_spread();
        node_spread();
    }
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
    return walk_after_work(w, walk_from(w, &x));
}

static int
is_ours(u64 pc, struct objtab_object *object)
{
    return objtab_find(pc, object) && object->flags & OBJTAB_OURS;
}

/*
 * The node of the program's frame that called our code which called the leaf's; 0 if
 * ours did not call it. Known if the last walk is the one that found the leaf.
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
                           insn_calls_within(f->pc, object.lo, object.hi)
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

u32
sig_walk_from(struct walk *w, const struct walk_start *start)
{
    struct progress x;

    x.regs = &start->here;
    x.regs_exact = 1;
    x.start = (struct step){ start->pc, start->sp, start->bp, 0 };
    return walk_from(w, &x);
}

u32
sig_walk_place(struct walk *w, u64 pc)
{
    struct path path = { 0 };

    if (path_start(w, &path, WALK_TRUNCATED) ||
        path_add(w, &path, node_key(pc, 0), node_mask_now()))
        return 0;
    return path.node;
}

u32
sig_walk_child(struct walk *w, u32 parent, u64 pc)
{
    struct path path = { .node = parent, .hash = parent };

    if (path_add(w, &path, node_key(pc, NODE_EXACT), node_mask_now()))
        return parent;
    return path.node;
}

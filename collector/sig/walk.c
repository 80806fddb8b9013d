/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/walk.h"

#include <errno.h>

#include "collector/sig/objtab.h"
#include "collector/sig/walk_state.h"

/* If walks find little to reuse, most of the next ones do not try. */
enum {
    ADAPT_DEPTH = 8,  /* shallower walks are not counted */
    ADAPT_MISSES = 4, /* failures in a row after which walks stop trying */
    ADAPT_REST = 64,  /* walks without a try, then two with one */
    MANY_WALKS = 1024, /* number of walks after which the caches use more sets */
};

static inline __attribute__((always_inline)) void
begin(const struct walk *w, struct progress *x)
{
    u64 sp = x->regs->r[REGS_SP];
    /*
     * Memory below the stack pointer may not be mapped yet, where the stack grows on
     * demand.
     */
    u64 lo = sp >= w->lo && sp < w->hi ? sp : w->hi;

    stepper_init(&x->t, lo, w->hi, x->regs, x->regs_exact);
    x->s.pc = x->start.pc;
    x->s.sp = x->start.sp;
    x->s.bp = x->start.bp;
    x->s.exact = x->start.exact;
    x->base = 0;
    x->n = 0;
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
    w->kept[-1].sp = ~(u64)0; /* a sentinel for searches from any frame outwards */
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

/*
 * 1 if *s is the same frame as the kept one. Their bp may differ if no caller is found
 * by bp.
 */
static int
same_step(const struct frame *f, const struct step *s)
{
    return f->pc == s->pc && f->sp == s->sp &&
           (f->bp == s->bp || !(f->how & FRAME_BP)) &&
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

/*
 * 1 if both frames show the same place of interpreted code: that changes while the
 * frame's pc, sp and bp stay the same.
 */
static int
same_place(const struct frame *a, const struct frame *b)
{
    return frame_has_place(a) == frame_has_place(b) &&
           (!frame_has_place(a) || a->place == b->place);
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
    if (!same_place(&w->kept[i], &dummy))
        return 0;
    if (i > 0)
        return !err && same_step(&w->kept[i - 1], &x->s);
    return err && (err == -ENODATA) == (w->end == WALK_ROOT);
}

/* The first check in [c, end) that fails; end if none does. */
static const struct check *
first_failing(const struct check *c, const struct check *end)
{
    while (end - c >= 4) {
        if (ER_UNLIKELY(*c[0].at != c[0].word || *c[1].at != c[1].word ||
                        *c[2].at != c[2].word || *c[3].at != c[3].word))
            break;
        c += 4;
    }
    while (c != end && *c->at == c->word)
        c++;
    return c;
}

/* The last of n checks that fails, counted from 1; 0 when none does. */
static u32
last_failing(const struct check *checks, u32 n)
{
    while (n > 0 && *checks[n - 1].at == checks[n - 1].word)
        n--;
    return n;
}

/*
 * kept[i] is on the stack now: which of its callers are still the same? Returns the
 * index of the last good frame, whose caller has changed; -1 when all are good.
 */
static int
verify(struct walk *w, struct progress *x, u32 i)
{
    u32 n = w->kept[i].checks;

    while ((n = last_failing(w->checks, n)) > 0) {
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

/* Set x->end, by walk_step()'s error at the last frame. */
static void
ended(struct progress *x, int err)
{
    x->end = err == -ENODATA ? WALK_ROOT : WALK_TRUNCATED;
    if (err == -ESRCH && x->n > 1)
        x->n--;
}

/*
 * Where a walk is in comparison with the last one. All frames that were kept from `odd`
 * to above `floor` still have the callers that they had: a walk that comes to one of
 * them need not continue. Frames below the floor have to be walked.
 */
struct beside {
    const struct frame *kept; /* the first that is not below the present frame */
    u64 floor;
    u32 odd; /* index of the frame whose caller verify() proves, not checks */
};

static void
aim_at_nothing(struct beside *b)
{
    b->floor = ~(u64)0;
}

/* Set b to kept[i]. All frames after kept[odd], up to kept[i], are plain. */
static void
aim(const struct walk *w, struct beside *b, u32 i, u32 odd)
{
    const struct check *end = w->checks + w->kept[i].checks;
    const struct check *c = first_failing(w->checks + w->kept[odd].checks, end);

    b->kept = w->kept + i;
    b->odd = odd;
    /* The frame above the changed word has changed, too: mostly that word is its pc. */
    b->floor = c == end ? 0 : (u64)(uintptr_t)(c->at + 1);
}

/* Begin with the innermost kept frame that is not below the stack pointer. */
static void
aim_first(const struct walk *w, struct beside *b, u32 count, u64 sp)
{
    const struct frame *k = w->kept + count - 1;
    u32 i, odd;

    while (k->sp < sp)
        k--;
    if (k < w->kept) {
        aim_at_nothing(b);
        return;
    }
    i = (u32)(k - w->kept);
    odd = ER_LIKELY(w->odd <= i) ? w->odd : walk_find_odd(w, i);
    aim(w, b, i, odd);
}

/*
 * x->s is the frame b->kept of the last walk. 1 if all its callers are unchanged, too;
 * else 0, and the frame has to be walked like others.
 */
static int
reuse(struct walk *w, struct progress *x, struct beside *b)
{
    u32 from = (u32)(b->kept - w->kept);
    struct step s = x->s;
    int good = verify(w, x, from < b->odd ? from : b->odd);

    if (good < 0) {
        x->base = from + 1;
        x->end = w->end;
        return 1;
    }
    x->s = s;
    if (good > 0)
        aim(w, b, (u32)good - 1, walk_find_odd(w, (u32)good - 1));
    else
        aim_at_nothing(b);
    return 0;
}

/*
 * Walk plain frames and store them in `to`, at most max, up to one that is not plain,
 * or is above the floor. Returns their number.
 */
static u32
run_new(struct progress *x, u64 floor, struct frame *to, u32 max)
{
    u64 hi = x->t.fast_hi;
    struct rule_sets sets = rule_sets();
    const struct frame *begin = to, *end = to + max;
    u64 pc = x->s.pc, sp = x->s.sp, bp = x->s.bp;

    for (; to != end && sp <= floor; to++) {
        u64 rule = rule_get_in(sets, rule_key(pc, 0));

        to->pc = pc;
        to->sp = sp;
        to->bp = bp;
        to->how = (u32)rule;
        if (!step_fast(hi, rule, &pc, &sp, &bp))
            break;
    }
    x->s.pc = pc;
    x->s.sp = sp;
    x->s.bp = bp;
    return (u32)(to - begin);
}

/* Is the present frame, above the floor, one of the last walk? */
static int
is_kept(struct beside *b, const struct step *s)
{
    while (b->kept->sp < s->sp)
        b->kept--;
    return same_step(b->kept, s);
}

/* Collect the frames that differ from the last walk. 0, -E2BIG. */
static int
collect_changes(struct walk *w, struct progress *x, u32 count)
{
    struct beside b;
    int err;

    aim_first(w, &b, count, x->s.sp);
    for (;;) {
        u64 floor = b.floor;
        struct frame *f;

        if (x->s.sp > floor) {
            if (is_kept(&b, &x->s) && reuse(w, x, &b))
                return 0;
            floor = x->s.sp;
        }
        if (!x->s.exact) {
            u32 n = run_new(x, floor, &w->scratch[x->n], w->capacity - x->n);

            x->n += n;
            if (n)
                continue;
        }
        if (x->n == w->capacity)
            return -E2BIG;
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
        w->rest = ADAPT_REST; /* too deep to be kept: the next walks need not try */
        return walk_all(w, x, (u64 *)w->scratch);
    }
    err = walk_keep(w, x, &path);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (!err) {
        w->generation = generation;
        w->end = x->end;
        w->simple = !w->odd && w->kept[0].how & FRAME_ROOT;
        w->count = x->base + x->n;
        w->info.omitted = 0;
        adapt(w, w->count, x->base);
    }
    return finish(w, x, &path, x->base, err);
}

/*
 * 1 if the walk that has set w->busy to its frame has ended without clearing it: the
 * thread runs above that frame on the same stack, so a handler that had interrupted the
 * walk was left by a jump.
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

/*
 * The node of the last walk, if the thread still has that stack and the checks are
 * enough to prove it; else 0.
 */
static u32
walk_again(struct walk *w, const struct walk_start *start)
{
    const struct frame *leaf;
    const struct check *end;
    u32 node = 0;

    if (ER_UNLIKELY(w->busy))
        return 0;
    w->busy = (u64)(uintptr_t)__builtin_frame_address(0);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    leaf = w->kept + w->count - 1;
    if (leaf->sp == start->sp && leaf->pc == start->pc && leaf->bp == start->bp &&
        !(leaf->how & FRAME_EXACT) && w->simple &&
        w->generation == __atomic_load_n(&objtab_generation, __ATOMIC_ACQUIRE) &&
        (w->info.walks + 1) % MANY_WALKS) {
        end = w->checks + leaf->checks;
        if (first_failing(w->checks, end) == end)
            node = leaf->node;
    }
    if (ER_LIKELY(node)) {
        w->info.walks++;
        w->info.depth = leaf->depth;
        w->info.reused = w->count;
        w->info.end = w->end;
        w->info.omitted = 0;
        adapt(w, w->count, w->count);
    }
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    w->busy = 0;
    return node;
}

u32
sig_walk_from(struct walk *w, const struct walk_start *start)
{
    struct progress x;
    u32 node = walk_again(w, start);

    if (node)
        return node;
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

/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include "collector/sig/guess.h"
#include "collector/sig/hotspot.h"
#include "collector/sig/hotspot_method.h"
#include "collector/sig/objtab.h"
#include "collector/sig/rule.h"

enum {
    CODE_BYTES = 24,  /* bytes of code read around a pc */
    BEFORE_BYTES = 8, /* how many of these are before the pc */
    ARGUMENT_BYTES = 1 << 19, /* locals between two frames of the interpreter */
    STUB_BYTES = 1 << 14,     /* no stub is longer */
    STUB_WORDS = 48,          /* stack words that a stub without a frame may use */
};

/* Where a frame's return address and the saved bp are; bp_at 0 = bp is unchanged. */
struct place {
    u64 ra_at;
    u64 bp_at;
};

static int
is_return_address(u64 ra)
{
    return ra && !(ra >> REGS_PC_BITS) &&
           (hotspot_holds(ra) || objtab_code(ra - 1) != CODE_NONE);
}

/*
 * 1 if a method has popped its frame and bp before pc: the code at p is the machine's
 * safepoint poll and the return, or a jump to elsewhere.
 */
static int
is_behind_frame(const unsigned char *p)
{
    static const unsigned char compare_far[] = { 0x49, 0x3b, 0xa7 };
    static const unsigned char compare[] = { 0x49, 0x3b, 0x67 };
    int poll = p[0] == 0x0f && p[1] == 0x87;

    if (p[0] == 0xc3 || (p[0] == 0xf3 && p[1] == 0xc3))
        return 1;
    if (poll && (!memcmp(p - 7, compare_far, 3) || !memcmp(p - 4, compare, 3)))
        return 1;
    if (p[0] == 0x41 && p[1] == 0x85 && p[3] == 0xc3) /* test %eax, (%r10); ret */
        return 1;
    return p[-1] == 0x5d &&
           (!memcmp(p, compare_far, 3) || !memcmp(p, compare, 3) || p[0] == 0xe9 ||
            (p[0] == 0x4d && p[1] == 0x8b) || (p[0] == 0x85 && p[1] == 0x05));
}

static int
is_popped(struct mem *m, u64 pc, u64 sp, struct place *place)
{
    const unsigned char *p = (const unsigned char *)(uintptr_t)pc;

    if (!mem_ok(m, pc - BEFORE_BYTES, CODE_BYTES))
        return 0;
    if (is_behind_frame(p))
        *place = (struct place){ .ra_at = sp };
    else if (p[0] == 0x5d && is_behind_frame(p + 1))
        *place = (struct place){ .ra_at = sp + 8, .bp_at = sp };
    else
        return 0;
    return 1;
}

/* Set *pc, *sp and *bp to the caller's. 0, or -ENOENT: no return address is there. */
static int
step_to(struct mem *m, const struct place *place, u64 *pc, u64 *sp, u64 *bp)
{
    u64 ra, saved = *bp;

    if (!mem_load(m, place->ra_at, &ra) ||
        (place->bp_at && !mem_load(m, place->bp_at, &saved)) || !is_return_address(ra))
        return -ENOENT;
    *pc = ra;
    *sp = place->ra_at + 8;
    *bp = saved;
    return 0;
}

/*
 * Step from a frame of a known size. At the beginning of a method the frame is not
 * complete yet, and at the end it is gone.
 */
static int
step_compiled(struct mem *m, const struct hotspot_blob *blob, struct hotspot_frame *f)
{
    u64 *pc = &f->pc, *sp = &f->sp, *bp = &f->bp;
    u64 cfa = *sp + blob->frame, entry, osr_entry, from = *sp;
    struct place place = { .ra_at = cfa - 8, .bp_at = cfa - 16 };
    u32 ra;
    int slot;

    if (f->exact) {
        hotspot_entries(blob, &entry, &osr_entry);
        if (entry && *pc < entry) {
            place = (struct place){ .ra_at = *sp };
        } else if ((entry && guess_java_begins(m, entry, *pc, &ra, &slot)) ||
                   (osr_entry && guess_java_begins(m, osr_entry, *pc, &ra, &slot)) ||
                   (!entry && guess_java_begins(m, blob->code, *pc, &ra, &slot))) {
            place.ra_at = *sp + ra;
            place.bp_at = slot < 0 ? 0 : *sp + (u64)slot;
        } else {
            is_popped(m, *pc, *sp, &place);
        }
    }
    if (step_to(m, &place, pc, sp, bp))
        return -ENOENT;
    if (hotspot_is_method(blob)) {
        cfa = place.ra_at + 8;
        f->code = blob->code;
        f->rule = rule_pack(RULE_SP, place.bp_at ? RULE_BP_AT_CFA : RULE_BP_SAME, 0,
                            place.bp_at ? (int)(place.bp_at - cfa) : 0,
                            (int)(cfa - from));
    }
    return 0;
}

/*
 * How likely it is that the word at `at` is the return address of the code at pc. 2: it
 * follows a direct call of that code; 1: an indirect call, or it is in the interpreter;
 * else 0.
 */
static int
quality(struct mem *m, u64 at, u64 pc)
{
    struct hotspot_blob blob;
    u64 ra, target;

    if (!mem_load(m, at, &ra) || !is_return_address(ra))
        return 0;
    if (guess_after_call(m, ra, &target))
        return !target || (target <= pc && pc - target < STUB_BYTES)
                   ? 1 + (target != 0) : 0;
    return !hotspot_find(ra, &blob) && blob.kind == HOTSPOT_INTERPRETER;
}

/*
 * Step from a stub. A stub has a frame with bp, or none; a stub without a frame may
 * have pushed words, and then has not changed bp.
 */
static int
find_stub(struct mem *m, u32 exact, u64 *pc, u64 *sp, u64 *bp)
{
    struct place by_bp = { .ra_at = *bp + 8, .bp_at = *bp }, by_sp = { .ra_at = *sp };
    int has_bp = guess_is_frame(m, *bp, *sp - 8);
    int bp_quality = has_bp ? quality(m, by_bp.ra_at, *pc) : 0;
    int sp_quality = exact ? quality(m, *sp, *pc) : 0;

    if (exact && is_popped(m, *pc, *sp, &by_sp))
        return step_to(m, &by_sp, pc, sp, bp);
    if (sp_quality == 2)
        return step_to(m, &by_sp, pc, sp, bp);
    if (bp_quality == 2 || (bp_quality && !exact))
        return step_to(m, &by_bp, pc, sp, bp);
    for (u32 i = 1; exact && i < STUB_WORDS; i++) {
        struct place place = { .ra_at = *sp + 8 * i };

        if (quality(m, place.ra_at, *pc) == 2)
            return step_to(m, &place, pc, sp, bp);
    }
    if (sp_quality)
        return step_to(m, &by_sp, pc, sp, bp);
    return bp_quality ? step_to(m, &by_bp, pc, sp, bp) : -ENOENT;
}

/*
 * Step from a stub, and set its rule if it has one: a stub that is never freed and has
 * called something always has the same frame with bp. There is no rule for a pc that is
 * hotspot_heap_frames, since each walk must notice that (step_java()).
 */
static int
step_stub(struct mem *m, const struct hotspot_blob *blob, struct hotspot_frame *f)
{
    u64 from = f->pc;

    if (find_stub(m, f->exact, &f->pc, &f->sp, &f->bp))
        return -ENOENT;
    if (!f->exact && hotspot_stays(blob) &&
        from != __atomic_load_n(&hotspot_heap_frames, __ATOMIC_RELAXED))
        f->rule = rule_pack(RULE_BP, RULE_BP_AT_CFA, 0, -16, 16);
    return 0;
}

/*
 * Step from a frame of the interpreter: bp is the frame pointer, and the word below
 * where it points is the caller's stack pointer. Arguments and locals may lie between
 * the two.
 */
static int
step_interpreted(struct mem *m, u64 *pc, u64 *sp, u64 *bp)
{
    u64 at = *bp, saved, ra, caller;

    if (!guess_is_frame(m, at, *sp - 8) || !mem_load(m, at - 8, &caller) ||
        !mem_load(m, at, &saved) || !mem_load(m, at + 8, &ra))
        return -ENOENT;
    if ((caller & 7) || caller < at + 16 || caller - at > ARGUMENT_BYTES ||
        !is_return_address(ra))
        return -ENOENT;
    *pc = ra;
    *sp = caller;
    *bp = saved;
    return 0;
}

/*
 * Step from the interpreter at the entry of a method, before the frame is complete. r13
 * is the caller's stack pointer, as later in the frame. The return address is on the
 * stack, or in rax while room for locals is made below it.
 */
static int
step_entered(struct mem *m, const struct regs *regs, u64 *pc, u64 *sp, u64 *bp)
{
    u64 caller = regs->r[REGS_R13], ra, saved;

    if ((caller & 7) || caller < *sp || caller - *sp > ARGUMENT_BYTES)
        return -ENOENT;
    if (mem_load(m, *bp - 8, &saved) && saved == caller && *bp >= *sp && *bp < caller)
        return -ENOENT; /* the frame is there */
    if (*bp == *sp && mem_load(m, *sp + 8, &ra) && is_return_address(ra) &&
        mem_load(m, *sp, &saved)) {
        *bp = saved;
    } else if ((!mem_load(m, *sp, &ra) || !is_return_address(ra)) &&
               (!mem_load(m, *sp + 8, &ra) || !is_return_address(ra))) {
        ra = regs->r[REGS_RAX];
        if (!is_return_address(ra))
            return -ENOENT;
    }
    *pc = ra;
    *sp = caller;
    return 0;
}

/*
 * Step from the interpreter between `leave` and the jump back: rbx is the caller's
 * stack pointer.
 */
static int
step_left(struct mem *m, const struct regs *regs, u64 *pc, u64 *sp)
{
    const unsigned char *p = (const unsigned char *)(uintptr_t)*pc;
    u64 caller = regs->r[REGS_RBX], ra;

    if (!mem_ok(m, *pc - BEFORE_BYTES, CODE_BYTES) || p[-1] != 0xc9 || (caller & 7) ||
        caller < *sp || caller - *sp > ARGUMENT_BYTES || !mem_load(m, *sp, &ra) ||
        !is_return_address(ra))
        return -ENOENT;
    *pc = ra;
    *sp = caller;
    return 0;
}

/*
 * The address of the bytecode that a frame of the interpreter runs: it is in r13, or in
 * the frame while the method calls. entered: the frame is not there yet, and rbx is the
 * method. HOTSPOT_ANY_PLACE if it is not known.
 */
static u64
place_of(struct mem *m, const struct hotspot_frame *f, int entered)
{
    const struct hotspot_layout *l = &hotspot_layout;
    int (*find)(struct mem *, u64, struct hotspot_method *) =
        __atomic_load_n(&hotspot_find_method, __ATOMIC_ACQUIRE);
    struct hotspot_method method;
    u64 address = entered ? f->regs->r[REGS_RBX] : 0, at = 0;

    if (!find || (!entered && !mem_load(m, f->bp - 8 * l->frame_method, &address)))
        return HOTSPOT_ANY_PLACE;
    if (find(m, address, &method))
        return HOTSPOT_ANY_PLACE;
    if (entered || !method.size)
        return method.code;
    if (f->exact && f->regs && f->regs->r[REGS_R13] - method.code < method.size)
        return f->regs->r[REGS_R13];
    if (mem_load(m, f->bp - 8 * l->frame_bcp, &at) && at - method.code < method.size)
        return at;
    return HOTSPOT_ANY_PLACE;
}

static int
step_interpreter(struct mem *m, struct hotspot_frame *f)
{
    struct hotspot_frame next = *f;

    if (f->exact && f->regs &&
        !step_entered(m, f->regs, &next.pc, &next.sp, &next.bp)) {
        next.place = place_of(m, f, 1);
        *f = next;
        return 0;
    }
    if (f->exact && f->regs && !step_left(m, f->regs, &f->pc, &f->sp))
        return 0;
    if (step_interpreted(m, &next.pc, &next.sp, &next.bp))
        return -ENOENT;
    next.place = place_of(m, f, 0);
    *f = next;
    return 0;
}

int
hotspot_step(struct mem *m, struct hotspot_frame *f)
{
    struct hotspot_blob blob;

    f->place = HOTSPOT_NO_PLACE;
    f->rule = f->code = 0;
    if (hotspot_find(f->exact ? f->pc : f->pc - 1, &blob))
        return -ENOENT;
    mem_trust(m, blob.memory, blob.memory_end);
    switch (blob.kind) {
    case HOTSPOT_COMPILED:
        return step_compiled(m, &blob, f);
    case HOTSPOT_INTERPRETER:
        return step_interpreter(m, f);
    default:
        return step_stub(m, &blob, f);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include "collector/sig/guess.h"
#include "collector/sig/objtab.h"
#include "collector/sig/regs.h"

/*
 * Methods that HotSpot has compiled begin in one of two ways (JDK 8 to 21). A method
 * that may call others first touches the stack far below sp:
 *     mov %eax, -FAR(%rsp); push %rbp; [mov %rsp, %rbp;] sub $SIZE, %rsp
 * A method that calls nothing:
 *     sub $SIZE, %rsp; mov %rbp, SIZE-8(%rsp)
 * Without `mov %rsp, %rbp`, the method uses bp like any other register; its frame has a
 * constant size.
 */
enum {
    REACH = 32 << 10,     /* bytes before pc that are searched for a beginning */
    BEGIN_BYTES = 24,     /* no beginning is longer */
    CACHE_CELLS = 1024,
    CACHE_BITS = 15,
    ARGUMENT_BYTES = 4096,
    TOUCH_BYTES = 7,
    RETURN_BYTES = 16,
};

_Static_assert(REACH <= 1 << CACHE_BITS, "a distance fits beside a pc");

u32 guess_java;

struct method {
    u64 start;
    u32 pushed; /* bytes from start to after the push of bp, or after the sub */
    u32 body;   /* bytes from start to after the beginning */
    u32 size;   /* bytes from sp to the return address, in the body */
    u32 touches; /* it touches the stack, as it may call others */
    u32 has_fp; /* bp is the frame pointer */
};

/* pc << CACHE_BITS | distance from the beginning of its method, 0 = none was found. */
static ER_LARGE u64 cache[CACHE_CELLS];

static u32
word_at(const unsigned char *p)
{
    u32 word;

    memcpy(&word, p, sizeof(word));
    return word;
}

/* Match sub $SIZE, %rsp, and set *size. Returns the instruction's length, or 0. */
static u32
parse_sub(const unsigned char *p, u32 *size)
{
    u32 head = word_at(p) & 0xffffff;

    if (head == 0xec8348) {
        *size = p[3];
        return p[3] < 0x80 ? 4 : 0;
    }
    *size = head == 0xec8148 ? word_at(p + 3) : 0;
    return head == 0xec8148 && *size < 1 << 24 ? 7 : 0;
}

static int
parse_calling(const unsigned char *p, struct method *method)
{
    u32 far = word_at(p + 3), at = TOUCH_BYTES + 1, len, size;

    if ((word_at(p) & 0xffffff) != 0x248489 || (far & 0xfff) || far >> 24 != 0xff ||
        p[TOUCH_BYTES] != 0x55)
        return 0;
    method->pushed = at;
    method->has_fp = (word_at(p + at) & 0xffffff) == 0xec8b48 ||
                     (word_at(p + at) & 0xffffff) == 0xe58948;
    if (method->has_fp)
        at += 3;
    len = parse_sub(p + at, &size);
    method->touches = 1;
    method->body = at + len;
    method->size = size + 8;
    return len != 0;
}

static int
parse_leaf(const unsigned char *p, struct method *method)
{
    u32 size, len = parse_sub(p, &size), head, slot;

    if (len != 7)
        return 0;
    head = word_at(p + 7);
    if (head != 0x246c8948 && head != 0x24ac8948)
        return 0;
    slot = head == 0x246c8948 ? p[11] : word_at(p + 11);
    method->pushed = 7;
    method->has_fp = 0;
    method->touches = 0;
    method->body = head == 0x246c8948 ? 12 : 15;
    method->size = size;
    return slot + 8 == size;
}

static int
parse(const unsigned char *p, struct method *method)
{
    return parse_calling(p, method) || parse_leaf(p, method);
}

static int
parse_at(struct mem *m, u64 start, struct method *method)
{
    if (!mem_ok(m, start, BEGIN_BYTES))
        return 0;
    method->start = start;
    return parse((const unsigned char *)(uintptr_t)start, method);
}

/* Find the last beginning at or before pc, within REACH. 1 with *method set, or 0. */
static int
search(struct mem *m, u64 pc, struct method *method)
{
    u64 readable = pc;

    for (u64 at = pc; pc - at < REACH; at--) {
        const unsigned char *p = (const unsigned char *)(uintptr_t)at;

        if (at < readable + BEGIN_BYTES) {
            u64 page = (at - BEGIN_BYTES) & ~(u64)0xfff;

            if (!mem_ok(m, at, BEGIN_BYTES) || !mem_ok(m, page, 8))
                return 0;
            readable = page;
        }
        if ((p[0] == 0x89 || p[0] == 0x48) && parse(p, method)) {
            method->start = at;
            return 1;
        }
    }
    return 0;
}

static int
find_method(struct mem *m, u64 pc, struct method *method)
{
    u64 *cell = &cache[(pc ^ pc >> 10) % CACHE_CELLS];
    u64 word = __atomic_load_n(cell, __ATOMIC_RELAXED);
    u64 distance = word & ((1u << CACHE_BITS) - 1);
    int found;

    if (word >> CACHE_BITS == pc) {
        if (!distance)
            return 0;
        if (parse_at(m, pc - distance, method))
            return 1;
    }
    found = search(m, pc, method);
    word = pc << CACHE_BITS | (found ? pc - method->start : 0);
    __atomic_store_n(cell, word, __ATOMIC_RELAXED);
    return found;
}

/*
 * 1 if the method has popped bp before pc, so that a safepoint poll or the return comes
 * next.
 */
static int
is_return(struct mem *m, u64 pc)
{
    static const unsigned char compare[] = { 0x49, 0x3b, 0xa7 };
    static const unsigned char test[] = { 0x41, 0x85, 0x02, 0xc3 };
    const unsigned char *p = (const unsigned char *)(uintptr_t)pc;

    if (!mem_ok(m, pc - 8, RETURN_BYTES))
        return 0;
    if (p[0] == 0xc3 || !memcmp(p, test, sizeof(test)))
        return 1;
    if (!memcmp(p, compare, sizeof(compare)) && p[7] == 0x0f && p[8] == 0x87)
        return 1;
    if (p[0] == 0x0f && p[1] == 0x87 && !memcmp(p - 7, compare, sizeof(compare)))
        return 1;
    return p[-1] == 0x5d && p[0] == 0x4d && p[1] == 0x8b;
}

/*
 * Find the offsets from sp of the return address, and of the saved bp (-1 = it is not
 * saved).
 */
static void
measure(struct mem *m, const struct method *method, u64 pc, u32 exact, u32 *ra, int *bp)
{
    u64 at = pc - method->start;
    const unsigned char *p = (const unsigned char *)(uintptr_t)pc;

    *ra = method->size;
    *bp = (int)method->size - 8;
    if (!exact)
        return;
    if (at < method->pushed) {
        *ra = 0;
        *bp = -1;
    } else if (at < method->body) {
        *ra = method->touches ? 8 : method->size;
        *bp = method->touches ? 0 : -1;
    } else if (is_return(m, pc)) {
        *ra = 0;
        *bp = -1;
    } else if (mem_ok(m, pc, 2) && p[0] == 0x5d && is_return(m, pc + 1)) {
        *ra = 8;
        *bp = 0;
    }
}

/*
 * 1 if ra may be the return address of the method at pc, which begins at start. A
 * direct call must not go to an address between start and pc: another method would
 * begin there. If no call instruction precedes ra, only the interpreter can have made
 * the call: then ra must be in made code, and bp a frame pointer.
 */
static int
is_caller(struct mem *m, u64 start, u64 pc, u64 ra, u64 bp, u64 sp)
{
    enum objtab_code code = ra >> REGS_PC_BITS || !ra ? CODE_NONE : objtab_code(ra - 1);
    u64 target;

    if (code == CODE_NONE)
        return 0;
    if (!guess_after_call(m, ra, &target))
        return code == CODE_MADE && guess_is_frame(m, bp, sp);
    return target <= start || target > pc;
}

static int
step_compiled(struct mem *m, const struct method *method, u32 exact, u64 *pc, u64 *sp,
              u64 *bp)
{
    u64 ra, caller = *bp;
    u32 at;
    int slot;

    measure(m, method, *pc, exact, &at, &slot);
    if (!mem_load(m, *sp + at, &ra) ||
        (slot >= 0 && !mem_load(m, *sp + (u64)slot, &caller)))
        return -ENOENT;
    if (!is_caller(m, method->start, *pc, ra, caller, *sp + at))
        return -ENOENT;
    *pc = ra;
    *sp += at + 8;
    *bp = caller;
    return 0;
}

/*
 * Step from a frame of the interpreter: bp is the frame pointer, and the word below
 * where it points is the caller's stack pointer. Between the two there may be arguments
 * that the caller does not know of.
 */
static int
step_interpreted(struct mem *m, u64 *pc, u64 *sp, u64 *bp)
{
    u64 at = *bp, saved, ra, caller;

    if (!guess_is_frame(m, at, *sp - 8) || !mem_load(m, at - 8, &caller) ||
        !mem_load(m, at, &saved) || !mem_load(m, at + 8, &ra))
        return -ENOENT;
    if ((caller & 7) || caller < at + 16 || caller - at > ARGUMENT_BYTES ||
        !is_caller(m, 0, 0, ra, saved, at))
        return -ENOENT;
    *pc = ra;
    *sp = caller;
    *bp = saved;
    return 0;
}

int
guess_java_step(struct mem *m, u32 exact, u64 *pc, u64 *sp, u64 *bp)
{
    struct method method;

    if (!find_method(m, *pc, &method))
        return step_interpreted(m, pc, sp, bp);
    if (method.has_fp && (!exact || *pc - method.start >= method.body))
        return -ENOENT;
    return step_compiled(m, &method, exact, pc, sp, bp);
}

int
guess_java_begins(struct mem *m, u64 start, u64 pc, u32 *ra, int *bp)
{
    struct method method;

    if (pc < start || pc - start >= BEGIN_BYTES || !parse_at(m, start, &method) ||
        pc - start >= method.body)
        return 0;
    measure(m, &method, pc, 1, ra, bp);
    return 1;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include "collector/sig/guess.h"
#include "collector/sig/objtab.h"
#include "collector/sig/regs.h"

enum {
    CALL_BYTES = 7,           /* the longest call whose bytes we look at */
    FUNCTION_BYTES = 1 << 16, /* assume that no function begins more bytes before pc */
    FRAME_BYTES = 1 << 20, /* the largest frame believed from a frame pointer */
    SHORT_BYTES = 512, /* assume a return address near sp in a function this short */
    SHORT_WORDS = 16,  /* stack words that are near */
    ALIGNED = 4096,
    ALIGNED_BYTES = 1 << 18, /* the largest page-aligned frame */
};

u64 guess_entry;

static int
load_code(struct mem *m, u64 address, void *bytes, u32 len)
{
    if (address >> REGS_PC_BITS || !mem_ok(m, address, len))
        return 0;
    memcpy(bytes, (const void *)(uintptr_t)address, len);
    return 1;
}

/* The length of the indirect call (ff /2) that starts with these bytes, else 0. */
static u32
indirect_call_len(const unsigned char *p)
{
    u32 mod = p[1] >> 6;
    u32 rm = p[1] & 7;
    u32 sib = mod != 3 && rm == 4;

    if (p[0] != 0xff || (p[1] >> 3 & 7) != 2)
        return 0;
    if (mod == 3)
        return 2;
    if (mod == 0)
        return rm == 5 || (sib && (p[2] & 7) == 5) ? 6 + sib : 2 + sib;
    return 2 + sib + (mod == 1 ? 1 : 4);
}

/*
 * The target of a `jmp *disp(%rip)` at address, which may follow an endbr64; if there
 * is no such jump, address itself.
 */
static u64
through_plt(struct mem *m, u64 address)
{
    unsigned char p[12];
    u32 at = 0;
    int32_t disp;
    u64 slot, target;

    if (!load_code(m, address, p, sizeof(p)))
        return address;
    if (!memcmp(p, "\xf3\x0f\x1e\xfa", 4))
        at = 4;
    if (p[at] == 0xf2)
        at++;
    if (p[at] != 0xff || p[at + 1] != 0x25)
        return address;
    memcpy(&disp, p + at + 2, sizeof(disp));
    slot = address + at + 6 + (u64)(int64_t)disp;
    return mem_load(m, slot, &target) ? target : address;
}

/*
 * 0 if a "retpoline" is at address (a thunk that jumps to where a register says); else
 * address.
 */
static u64
through_thunk(struct mem *m, u64 address)
{
    /* The thunk: a call past pause, lfence and a jump back to these. */
    static const char thunk[] = "\xe8\x07\x00\x00\x00\xf3\x90\x0f\xae\xe8\xeb\xf9";
    unsigned char p[sizeof(thunk) - 1];

    return load_code(m, address, p, sizeof(p)) && !memcmp(p, thunk, sizeof(p))
               ? 0 : address;
}

int
guess_after_call(struct mem *m, u64 address, u64 *target)
{
    unsigned char p[CALL_BYTES + 2] = { 0 };
    int32_t disp;

    if (address < CALL_BYTES || !load_code(m, address - CALL_BYTES, p, CALL_BYTES))
        return 0;
    if (p[2] == 0xe8) {
        memcpy(&disp, p + 3, sizeof(disp));
        if (target)
            *target = through_thunk(m, through_plt(m, address + (u64)(int64_t)disp));
        return 1;
    }
    if (target)
        *target = 0;
    for (u32 len = 2; len <= CALL_BYTES; len++)
        if (indirect_call_len(p + CALL_BYTES - len) == len)
            return 1;
    return 0;
}

int
guess_is_sigreturn(struct mem *m, u64 pc)
{
    /*
     * The code is mov $15, %rax; syscall. The move has a 64-bit or a 32-bit immediate.
     */
    static const char long_form[] = "\x48\xc7\xc0\x0f\x00\x00\x00\x0f\x05";
    static const char short_form[] = "\xb8\x0f\x00\x00\x00\x0f\x05";
    unsigned char p[9];

    if (load_code(m, pc, p, 9) && !memcmp(p, long_form, 9))
        return 1;
    if (load_code(m, pc - 7, p, 9) && !memcmp(p, long_form, 9))
        return 1;
    if (load_code(m, pc, p, 7) && !memcmp(p, short_form, 7))
        return 1;
    return load_code(m, pc - 5, p, 7) && !memcmp(p, short_form, 7);
}

int
guess_is_realigned_end(struct mem *m, u64 pc)
{
    unsigned char p[4];

    if (!load_code(m, pc, p, 1))
        return 0;
    if (p[0] == 0xc3)
        return 1;
    /* lea -8(register), %rsp */
    return (p[0] & 0xfe) == 0x48 && load_code(m, pc, p, 4) && p[1] == 0x8d &&
           (p[2] & 0xf8) == 0x60 && p[3] == 0xf8;
}

int
guess_is_context_start(struct mem *m, u64 start)
{
    unsigned char p[10];

    if (!load_code(m, start, p, sizeof(p)) || memcmp(p, "\x48\x89\xdc", 3))
        return 0;
    /* The code is mov %rbx, %rsp; mov (%rsp), %rdi or pop %rdi; test %rdi, %rdi. */
    return !memcmp(p + 3, "\x48\x8b\x3c\x24\x48\x85\xff", 7) ||
           !memcmp(p + 3, "\x5f\x48\x85\xff", 4);
}

/*
 * 1 if a goroutine returns to this address at its end, which is one byte into a
 * function that nobody calls: nop; call; nop (Go, runtime/asm_amd64.s: goexit).
 */
static int
is_goroutine_start(struct mem *m, u64 address)
{
    unsigned char p[7];

    return load_code(m, address - 1, p, sizeof(p)) && p[0] == 0x90 && p[1] == 0xe8 &&
           p[6] == 0x90;
}

/*
 * 1 if a function that Boost.Context has started on its own stack returns to this
 * address:
 *  xor %rdi, %rdi; call _exit; hlt (make_fcontext).
 */
static int
is_context_end(struct mem *m, u64 address)
{
    unsigned char p[9];

    return load_code(m, address, p, sizeof(p)) && !memcmp(p, "\x48\x31\xff\xe8", 4) &&
           p[8] == 0xf4;
}

/*
 * 1 if a thread's function returns to this address in musl, which has no call frame
 * information for it: mov %eax, %edi; xor %eax, %eax; mov $60, %al; syscall (exit).
 */
static int
is_thread_end(struct mem *m, u64 address)
{
    unsigned char p[8];

    return load_code(m, address, p, sizeof(p)) &&
           !memcmp(p, "\x89\xc7\x31\xc0\xb0\x3c\x0f\x05", sizeof(p));
}

static int
is_code(u64 address)
{
    return address && objtab_code(address - 1) != CODE_NONE;
}

/* 1 if sp is where the kernel put argc, or one word below. */
static int
is_at_entry(u64 sp)
{
    return guess_entry && guess_entry - sp <= sizeof(u64);
}

int
guess_is_end(struct mem *m, u32 exact, u64 pc, u64 sp)
{
    return is_at_entry(sp) ||
           (!exact && (is_goroutine_start(m, pc) || is_context_end(m, pc) ||
                       is_thread_end(m, pc)));
}

/*
 * How likely it is that value is the return address of the function at pc. 3: it
 * follows a direct call of that function, which is short; 2: a direct call of that
 * function; 1: an indirect call, or it is where a goroutine ends; 0: value is not a
 * return address; -1: it follows a direct call of another function.
 */
static int
return_address_quality(struct mem *m, u64 value, u64 pc)
{
    u64 target;

    if (value >> REGS_PC_BITS || value < 1 << MEM_PAGE_SHIFT || !is_code(value))
        return 0;
    if (!guess_after_call(m, value, &target))
        return is_goroutine_start(m, value);
    if (target == 0)
        return 1;
    if (target <= pc && pc - target < FUNCTION_BYTES)
        return pc - target < SHORT_BYTES ? 3 : 2;
    return -1;
}

int
guess_is_frame(const struct mem *m, u64 bp, u64 sp)
{
    return !(bp & 7) && bp > sp && bp - sp <= FRAME_BYTES &&
           (m->hi == 0 || (bp >= m->lo && bp < m->hi));
}

/*
 * Find the caller by the frame pointer: bp points at the saved bp and the return
 * address. made: the code was made at run time. Such code may return to an address that
 * no call precedes (an interpreter's does), which is accepted if the chain of frame
 * pointers continues; and its caller may have no frame pointer. 1, or 0 = not found.
 */
static int
by_frame_pointer(struct mem *m, int made, u64 *pc, u64 *sp, u64 *bp)
{
    u64 saved, ra;

    if ((*bp & 7) || *bp < *sp || *bp - *sp > FRAME_BYTES)
        return 0;
    if (*sp <= guess_entry && *bp + 16 > guess_entry)
        return 0;
    if (!mem_load(m, *bp, &saved) || !mem_load(m, *bp + 8, &ra))
        return 0;
    if (return_address_quality(m, ra, *pc) == 0) {
        if (!made || !ra || ra >> REGS_PC_BITS || objtab_code(ra - 1) != CODE_MADE ||
            !guess_is_frame(m, saved, *bp))
            return 0;
    } else if (!made && saved && (saved & 7 || saved <= *bp)) {
        return 0;
    }
    *sp = *bp + 16;
    *bp = saved;
    *pc = ra;
    return 1;
}

/*
 * 1 if the chain of frame pointers ends here, as at the start of an Erlang process,
 * whose stack is not the thread's: its first function returns to other made code, which
 * did not call it.
 */
static int
is_outermost(struct mem *m, u64 sp, u64 bp)
{
    u64 saved, ra;

    return !(bp & 7) && bp >= sp && bp - sp <= FRAME_BYTES && mem_load(m, bp, &saved) &&
           mem_load(m, bp + 8, &ra) && saved == 0 && ra && !(ra >> REGS_PC_BITS) &&
           objtab_code(ra) == CODE_MADE && !guess_after_call(m, ra, NULL);
}

/*
 * Find the caller in code made at run time that has switched to the thread's own stack
 * before it called C, as Erlang's does: the frame pointer still points to the other
 * stack.
 */
static int
by_other_stack(struct mem *m, u64 *pc, u64 *sp, u64 *bp)
{
    u64 saved, ra;

    if ((*bp & 7) || (*bp >= *sp && *bp - *sp <= FRAME_BYTES) ||
        !mem_load(m, *bp, &saved) || !mem_load(m, *bp + 8, &ra) ||
        ra >> REGS_PC_BITS || objtab_code(ra - 1) != CODE_MADE ||
        !guess_after_call(m, ra, NULL) ||
        (saved && (saved & 7 || saved <= *bp || saved - *bp > FRAME_BYTES)))
        return 0;
    *sp = *bp + 16;
    *bp = saved;
    *pc = ra;
    return 1;
}

/*
 * Find the first of the next `words` stack words that is a return address of at least
 * this quality. 1 with *pc and *sp set.
 */
static int
by_scan(struct mem *m, u32 words, int quality, u64 *pc, u64 *sp)
{
    for (u32 i = 0; i < words; i++) {
        u64 at = *sp + 8 * (u64)i;
        u64 value;

        if (at == guess_entry || !mem_load(m, at, &value))
            return 0;
        if (return_address_quality(m, value, *pc) >= quality) {
            *pc = value;
            *sp = at + 8;
            return 1;
        }
    }
    return 0;
}

/*
 * Find the caller of a short function, which may have no frame of its own. Then bp may
 * be its caller's, and would lead to the caller's caller, or to another stack if this
 * function switches stacks.
 */
static int
by_near_call(struct mem *m, u64 *pc, u64 *sp, u64 *bp)
{
    if (!by_scan(m, SHORT_WORDS, 3, pc, sp))
        return 0;
    return *sp - 16 != *bp || mem_load(m, *bp, bp);
}

int
guess_aligned_step(struct mem *m, u64 base, u64 *pc, u64 *sp, u64 *bp)
{
    u64 found = *pc, at = base, saved;

    if ((*sp & (ALIGNED - 1)) || (base & 7) || base <= *sp ||
        base - *sp > ALIGNED_BYTES || objtab_code(*pc) != CODE_OBJECT ||
        !mem_load(m, base + 8, &saved) || !by_scan(m, SHORT_WORDS, 1, &found, &at))
        return -ENOENT;
    *pc = found;
    *sp = at;
    *bp = saved;
    return 0;
}

/*
 * For code in no object, the stack is not searched: many words on it could look like a
 * return address. At most the word at sp is tried.
 */
int
guess_step(struct mem *m, u32 exact, u64 *pc, u64 *sp, u64 *bp)
{
    enum objtab_code code = objtab_code(exact ? *pc : *pc - 1);

    if ((*sp & 7) || *sp == 0)
        return -ENOENT;
    if (guess_is_end(m, exact, *pc, *sp))
        return -ENODATA;
    if (code == CODE_MADE && guess_java && !guess_java_step(m, exact, pc, sp, bp))
        return 0;
    if (exact && by_scan(m, 1, 2, pc, sp))
        return 0;
    if (exact && code == CODE_OBJECT && by_near_call(m, pc, sp, bp))
        return 0;
    if (code == CODE_MADE && is_outermost(m, *sp, *bp))
        return -ENODATA;
    if (by_frame_pointer(m, code == CODE_MADE, pc, sp, bp))
        return 0;
    if (exact && by_scan(m, 1, 1, pc, sp))
        return 0;
    if (code == CODE_OBJECT &&
        (by_scan(m, GUESS_SCAN_WORDS, 2, pc, sp) || by_scan(m, 64, 1, pc, sp)))
        return 0;
    if (code == CODE_MADE)
        return !exact && by_other_stack(m, pc, sp, bp) ? 0 : -ENOENT;
    return guess_entry - *sp < 8 * GUESS_SCAN_WORDS ? -ENODATA : -ENOENT;
}

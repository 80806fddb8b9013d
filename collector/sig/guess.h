/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unwinding without call frame information, by inspecting code and stack. Runs in
 * signal handlers. Each guess is checked, and is refused if the check fails.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_GUESS_H
#define ERTOOLS_COLLECTOR_SIG_GUESS_H

#include "collector/sig/mem.h"
#include "share/types.h"

enum {
    GUESS_SCAN_WORDS = 1024, /* stack words searched for a return address */
};

/*
 * The stack pointer that the process began with: argc is there, and no frame is at or
 * above it. 0 = unknown. Set before the first walk.
 */
extern u64 guess_entry;

/*
 * 1 if the bytes before address look like a call instruction. Then also sets *target,
 * unless target is NULL: the function that is called, looked up through a PLT stub if
 * need be; 0 if the instruction does not say.
 */
int guess_after_call(struct mem *m, u64 address, u64 *target);

/* 1 if pc is inside the code to which signal handlers return. */
int guess_is_sigreturn(struct mem *m, u64 pc);

/*
 * For a pc in a function that realigned its stack: 1 if it is at one of the function's
 * last two instructions, before which bp was restored.
 */
int guess_is_realigned_end(struct mem *m, u64 pc);

/*
 * 1 if a frame at pc, without call frame information, is the outermost one of a stack.
 */
int guess_is_end(struct mem *m, u32 exact, u64 pc, u64 sp);

/* 1 if the function at start is where a makecontext() stack begins. */
int guess_is_context_start(struct mem *m, u64 start);

/*
 * Step from a frame without call frame information. exact: it was interrupted at pc, or
 * is a leaf. 0 with the caller's state in *pc, *sp and *bp; -ENODATA when this is the
 * stack's root; -ENOENT when no guess passes its check.
 */
int guess_step(struct mem *m, u32 exact, u64 *pc, u64 *sp, u64 *bp);

/*
 * The rule for a frame at pc, found by decoding the code from there to the function's
 * return, or from the function's beginning to there. A rule is accepted only if there
 * is a return address where it says. 0 = not found. Takes some us, at worst 200.
 */
u64 guess_ahead(struct mem *m, u32 exact, u64 pc, u64 sp, u64 bp);

/*
 * Step from an interrupted function without call frame information that has aligned its
 * stack pointer to a page, as OpenBLAS's kernels do. base: value of the register with
 * the former stack pointer, at which the caller's rbx and bp are saved. 0; -ENOENT: the
 * function is not of this kind.
 */
int guess_aligned_step(struct mem *m, u64 base, u64 *pc, u64 *sp, u64 *bp);

/*
 * 1 if pc is in the last part of a function that transfers an exception to its handler
 * (__builtin_eh_return), where libgcc overwrites the registers saved in the frame: the
 * function will return, with another stack pointer, to the one that has the handler.
 */
int guess_is_landing(struct mem *m, u64 pc);

/*
 * Step from a pc for which guess_is_landing() is 1 to the function that has the
 * handler; if that cannot be found, to the caller. 0, -ENOENT.
 */
int guess_landing_step(struct mem *m, u64 *pc, u64 *sp, u64 *bp);

/*
 * Step from code that RPython's JIT compiler (PyPy's) has made. Search for its frame at
 * the first `words` words from sp on, and step to that frame's caller. words: 1 for
 * code that has such a frame itself; more for a helper, which such code calls, and
 * whose caller is then skipped. 0; -ENOENT: there is no such frame.
 */
int guess_rpython_step(struct mem *m, u32 words, u64 *pc, u64 *sp, u64 *bp);

/*
 * 1 if bp may be a frame pointer: aligned, above sp but not far, in m's stack if known.
 */
int guess_is_frame(const struct mem *m, u64 bp, u64 sp);

/*
 * Set if HotSpot is in the process: code made at run time is assumed to be HotSpot's.
 */
extern u32 guess_java;

/*
 * Step from a method that HotSpot has compiled, by decoding the method's beginning, or
 * from a method that HotSpot's interpreter runs. 0, -ENOENT.
 */
int guess_java_step(struct mem *m, u32 exact, u64 *pc, u64 *sp, u64 *bp);

/*
 * 1 if pc is in the first instructions of the method at start, where its frame is not
 * complete. *ra, *bp: offset from sp of the return address, and of the saved bp (-1 =
 * not saved).
 */
int guess_java_begins(struct mem *m, u64 start, u64 pc, u32 *ra, int *bp);

#endif

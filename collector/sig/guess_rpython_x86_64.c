/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "collector/sig/guess.h"
#include "collector/sig/objtab.h"
#include "collector/sig/regs.h"

/*
 * RPython's JIT compiler makes functions whose frames have one size, in words. Near
 * the frame's end is a record for profilers, which links such frames: the address of
 * the next record, the frame's own stack pointer, and a 3.
 */
enum {
    WORD = 8,
    AT_BP = 12,    /* the caller's bp */
    AT_SELF = 20,  /* the frame's stack pointer */
    AT_MARK = 21,
    AT_RETURN = 23,
    MARK = 3,
};

/* 1 if such a frame begins at `at`: *ra is its return address. */
static int
is_frame(struct mem *m, u64 at, u64 *ra)
{
    u64 self, mark;

    return mem_load(m, at + AT_SELF * WORD, &self) && self == at &&
           mem_load(m, at + AT_MARK * WORD, &mark) && mark == MARK &&
           mem_load(m, at + AT_RETURN * WORD, ra) && *ra && !(*ra >> REGS_PC_BITS) &&
           objtab_code(*ra - 1) != CODE_NONE && guess_after_call(m, *ra, NULL);
}

int
guess_rpython_step(struct mem *m, u32 words, u64 *pc, u64 *sp, u64 *bp)
{
    u64 at = *sp, ra;

    for (u32 i = 0; i < words; i++, at += WORD) {
        if (is_frame(m, at, &ra)) {
            if (!mem_load(m, at + AT_BP * WORD, bp))
                return -ENOENT;
            *pc = ra;
            *sp = at + (AT_RETURN + 1) * WORD;
            return 0;
        }
    }
    return -ENOENT;
}

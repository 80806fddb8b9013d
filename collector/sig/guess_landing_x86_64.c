/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include "collector/sig/guess.h"
#include "collector/sig/regs.h"

/*
 * Indexes of words in libgcc's struct _Unwind_Context, which describes a frame: where
 * each register was saved, and then the frame's stack pointer.
 */
enum {
    AT_BP = 6,
    AT_RA = 16,
    AT_SP = 18,
    FRAME_WORDS = 256, /* assume that the unwinder's own frame is no larger */
    END_BYTES = 512,   /* assume that the last part of its code is no longer */
    CALL_BYTES = 5,
};

int
guess_is_landing(struct mem *m, u64 pc)
{
    /*
     * The end of such a function: mov %rcx, %rsp; then pop %rcx and jmp *%rcx, or ret.
     */
    static const unsigned char end[] = { 0x48, 0x89, 0xcc };
    const unsigned char *p = (const unsigned char *)(uintptr_t)pc;
    int32_t distance;
    u32 calls = 0;

    if (!mem_ok(m, pc, END_BYTES))
        return 0;
    for (u32 i = 0; i < END_BYTES - CALL_BYTES && calls < 2; i++) {
        if (!memcmp(p + i, end, sizeof(end)) && (p[i + 3] == 0x59 || p[i + 3] == 0xc3))
            return 1;
        memcpy(&distance, p + i + 1, sizeof(distance));
        calls += p[i] == 0xe8 && distance > -(1 << 20) && distance < 1 << 20;
    }
    return 0;
}

/*
 * Find the _Unwind_Context of the outermost frame in the unwinder's own frame [sp, bp).
 * It is recognised by its stack pointer, which is right above the place of its return
 * address. Two registers that were saved side by side may look so, too, but they belong
 * to frames further in. NULL when there is none.
 */
static const u64 *
find_target(u64 sp, u64 bp)
{
    const u64 *word = (const u64 *)(uintptr_t)sp, *found = NULL;
    u32 n = (u32)(bp - sp) / 8;
    u64 least = bp + 8;

    for (u32 i = 0; i + AT_SP < n; i++, word++) {
        u64 slot = word[AT_RA];

        if (slot > least && word[AT_SP] == slot + 8 && !(slot & 7) &&
            !(slot >> REGS_PC_BITS)) {
            least = slot;
            found = word;
        }
    }
    return found;
}

int
guess_landing_step(struct mem *m, u64 *pc, u64 *sp, u64 *bp)
{
    const u64 *target = NULL;
    u64 ra, saved, there;

    if (!mem_load(m, *bp + 8, &ra) || !mem_load(m, *bp, &saved))
        return -ENOENT;
    if (!(*sp & 7) && *bp > *sp && *bp - *sp <= FRAME_WORDS * 8 &&
        mem_ok(m, *sp, (u32)(*bp - *sp)))
        target = find_target(*sp, *bp);
    if (target && mem_load(m, target[AT_RA], &there) &&
        mem_load(m, target[AT_BP], &saved)) {
        *sp = target[AT_SP];
        /*
         * In the last instructions, `there` may be the handler's address already; then
         * the return address is at *bp + 8.
         */
        if (guess_after_call(m, there, NULL))
            ra = there;
    } else {
        *sp = *bp + 16;
    }
    *pc = ra;
    *bp = saved;
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call frame information (CFI): finds the entry for a pc in an object's .eh_frame and
 * interprets it, to make a rule (rule.h) or to unwind one frame with all registers.
 * Runs in signal handlers. The CFI may be broken or hostile: it is read through mem.h,
 * with bounded work, and never crashes the process.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_CFI_H
#define ERTOOLS_COLLECTOR_SIG_CFI_H

#include "collector/sig/cfi_entry.h"
#include "collector/sig/mem.h"
#include "collector/sig/objtab.h"
#include "collector/sig/regs.h"
#include "share/types.h"

/*
 * Find the entry that covers an address: by the table in .eh_frame_hdr, or if that has
 * no table, by reading .eh_frame; for an object without .eh_frame_hdr, in announced CFI
 * (announced.h). 0; -ENOENT when there is none; -EBADMSG when it cannot be parsed.
 */
int cfi_find(struct mem *m, const struct objtab_object *object, u64 address,
             struct cfi_entry *entry);

/*
 * The rule for a frame at pc; exact: pc is the next instruction to run, otherwise a
 * return address. Never fails: if nothing is known of the frame, the rule's kind is
 * RULE_NO_CFI or RULE_NO_CODE.
 */
u64 cfi_rule(struct mem *m, u64 pc, u32 exact);

/*
 * Like cfi_rule(), but also by CFI that the program has given to __register_frame()
 * (announced.h), and never RULE_HOTSPOT. Such CFI can be removed again, so a cache must
 * have announced_number() in its key.
 */
u64 cfi_announced_rule(struct mem *m, u64 pc, u32 exact);

/*
 * One step with all registers, straight from the call frame information: *regs and
 * *exact become the caller's. 0; -ENOENT without information; -ENODATA at the stack's
 * root; -EBADMSG, -EFAULT (a load failed), -EINVAL (a register needed is not known):
 * *regs unchanged. Caller-saved registers are assumed to be unchanged, since some
 * frames of assembly code rely on that; so check the result.
 */
int cfi_step(struct mem *m, struct regs *regs, u32 *exact);

/*
 * Replace the registers of a signal frame (sp points at the kernel's ucontext) by those
 * of the code that the signal interrupted. 0, -EFAULT: *regs unchanged.
 */
int cfi_signal_regs(struct mem *m, struct regs *regs);

#endif

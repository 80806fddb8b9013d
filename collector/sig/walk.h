/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The walk: from a thread's registers to the node of its stack. Runs in signal handlers
 * and, for interposed functions, in normal context; no locks, no allocation, no libc.
 *
 * struct walk belongs to one thread. It keeps the thread's last walk. A new walk
 * checks, from the root on, which stack slots (return addresses, saved bp) are
 * unchanged, and stops at a kept frame above the first slot that has changed: equal
 * slots mean equal callers. A walk that interrupts another one on the same thread does
 * not use this.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_WALK_H
#define ERTOOLS_COLLECTOR_SIG_WALK_H

#include <ucontext.h>

#include "collector/sig/node.h"
#include "collector/sig/regs.h"
#include "collector/sig/walk_info.h"
#include "share/types.h"

struct walk;

/*
 * Bytes of memory that walk_init() needs to keep this many frames (WALK_FRAMES, say).
 */
u64 walk_bytes(u32 frames);

/*
 * Make a walk in mem: walk_bytes(frames) bytes, zeroed, page-aligned, best a mapping
 * that is touched only as it is used (about 120 bytes a frame of real depth). [lo, hi)
 * is the thread's stack: every page of it can be read. lo == hi when it is not known:
 * all works, with a probe (135 ns) a page. The memory stays the caller's.
 */
struct walk *walk_init(void *mem, u32 frames, u64 lo, u64 hi);

/*
 * Set the bounds of another stack; forgets the last walk. Only the owning thread calls
 * it, while no walk runs.
 */
void walk_set_bounds(struct walk *w, u64 lo, u64 hi);

/* Is an address on the thread's stack? 0 if its bounds are not known. */
int walk_on_stack(const struct walk *w, u64 addr);

const struct walk_info *walk_info(const struct walk *w);

/*
 * From now on, hits of this thread are counted as the wait *after; word 0 ends that.
 * Only the owning thread calls it.
 */
void walk_set_after(struct walk *w, const struct walk_after *after);
void walk_get_after(const struct walk *w, struct walk_after *after);

/*
 * The node of the stack that a signal interrupted, from its handler's third argument;
 * 0 when it could not be stored (counted). The leaf has NODE_EXACT.
 */
u32 sig_walk(struct walk *w, const ucontext_t *uc);

/*
 * Did the signal interrupt the program's work or the collector's? node: from
 * sig_walk(). Returns node for the program's work. For the collector's work it returns
 * a node with NODE_COLLECTOR, a child of the program's node that called our code.
 *
 * The collector's work is its own code and functions that it calls directly. A hook
 * calls the function that it replaces through a pointer; that is the program's work.
 */
u32 sig_walk_own(struct walk *w, u32 node, const ucontext_t *uc);

/* Where a walk in normal context begins. */
struct walk_start {
    struct regs here; /* registers in the function that calls sig_walk_here() */
    u64 pc;           /* this and the next two: in that function's caller */
    u64 sp;
    u64 bp;
};

/* The node of the stack at *start; 0 when it could not be stored (counted). */
u32 sig_walk_from(struct walk *w, const struct walk_start *start);

/*
 * A node for pc without callers, as they are not known. 0 without room for nodes.
 */
u32 sig_walk_place(struct walk *w, u64 pc);

/*
 * The node of a function that was called from a node, pc being its first instruction;
 * the node itself without room for nodes.
 */
u32 sig_walk_child(struct walk *w, u32 parent, u64 pc);

/*
 * The node of the caller's stack: the leaf is the return address of the function that
 * contains this call, once inlined. That function gets a frame pointer.
 */
#define sig_walk_here(w)                                        \
    __extension__({                                             \
        struct walk_start walk_start_;                          \
                                                                \
        regs_capture(&walk_start_.here);                        \
        walk_start_caller(&walk_start_,                         \
                          (const u64 *)__builtin_frame_address(0)); \
        sig_walk_from((w), &walk_start_);                       \
    })

static inline void
walk_start_caller(struct walk_start *start, const u64 *frame)
{
    start->bp = frame[0];
    start->pc = frame[1];
    start->sp = (u64)(uintptr_t)(frame + 2);
}

#endif

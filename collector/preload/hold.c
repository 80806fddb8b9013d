/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/hold.h"

#include <linux/futex.h>
#include <stdlib.h>
#include <time.h>

#include "collector/preload/descend.h"
#include "collector/sig/guard.h"
#include "collector/preload/thread.h"
#include "collector/sig/clock.h"
#include "collector/sig/space.h"
#include "collector/sig/sys.h"

enum {
    WAIT_NS = 50000000,        /* between checks whether the launcher still runs */
    UNHEARD_NS = 2000000000, /* if the launcher has not reacted by then, do not wait */
};

/*
 * List the memory of our struct threads, which the scan must ignore: an address in it
 * is not a pointer of the target. *to: the list, which is never freed. Returns its
 * length; 0 also if there is no memory.
 */
static u32
list_own(struct ctl_range **to)
{
    u64 mask = guard_enter();
    u32 n = 0, max = 0;

    guard_lock(&guard_threads);
    for (const struct thread *t = thread_list; t; t = t->next)
        max++;
    *to = sys_map((max + 1) * sizeof(**to));
    for (const struct thread *t = thread_list; t && *to; t = t->next)
        (*to)[n++] = (struct ctl_range){ (u64)(uintptr_t)t->block, t->block_bytes };
    guard_unlock(&guard_threads);
    guard_leave(mask);
    return n;
}

/*
 * Wait until the launcher has scanned the heap, has refused to, has gone, or has not
 * begun within UNHEARD_NS.
 */
static void
await(struct ctl *ctl)
{
    const u64 unheard = clock_mono() + UNHEARD_NS;
    struct timespec wait = { 0, WAIT_NS };

    for (;;) {
        u32 state = __atomic_load_n(&ctl->scan, __ATOMIC_ACQUIRE);

        if (state == SCAN_DONE || !descend_launcher_is_there())
            return;
        if (state == SCAN_ASKED && clock_mono() > unheard &&
            __atomic_compare_exchange_n(&ctl->scan, &state, SCAN_DONE, 0,
                                        __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            return;
        sys_call4(SYS_futex, (long)(uintptr_t)&ctl->scan, FUTEX_WAIT, (long)state,
                  (long)(uintptr_t)&wait);
    }
}

__attribute__((noinline)) void
hold_for_scan(int by_exit)
{
    struct ctl *ctl = space_ctl;
    struct ctl_range *own;
    u32 none = SCAN_NONE;
    u64 frame;

    /*
     * Save the callee-saved registers on the stack, where the launcher's scan finds
     * pointers that only they hold.
     */
    __builtin_unwind_init();
    if (!descend_launcher_is_there() ||
        __atomic_load_n(&ctl->scan, __ATOMIC_RELAXED) != SCAN_NONE)
        return;
    ctl->scan_ranges = list_own(&own);
    ctl->scan_own = (u64)(uintptr_t)own;
    ctl->scan_stack = (u64)(uintptr_t)&frame & ~(u64)7;
    ctl->scan_exit = by_exit ? (u64)(uintptr_t)exit : 0;
    if (!__atomic_compare_exchange_n(&ctl->scan, &none, SCAN_ASKED, 0, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED))
        return;
    space_want(WANT_SCAN);
    await(ctl);
}

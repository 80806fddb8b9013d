/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/stray.h"

#include "collector/preload/thread.h"
#include "collector/sig/gate.h"
#include "collector/sig/guard.h"
#include "collector/sig/walk.h"

static struct thread *stray;

void
stray_forget(void)
{
    stray = NULL;
}

struct thread *
stray_enter(u64 *mask)
{
    u64 before;

    if (!thread_has_words() || (thread_is_ours() && !thread_ours_speaks))
        return NULL;
    before = guard_enter();
    guard_lock(&guard_stray);
    /*
     * The gate was shut after this hook had begun: this is a forked child that is not
     * recorded.
     */
    if (!gate_is_open()) {
        stray_leave(before);
        return NULL;
    }
    if (!stray)
        stray = thread_make_stray();
    if (!stray) {
        stray_leave(before);
        return NULL;
    }
    /* The last walk may have been another thread's, so this one must not reuse it. */
    walk_set_bounds(stray->walk, 0, 0);
    *mask = before;
    return stray;
}

void
stray_leave(u64 mask)
{
    guard_unlock(&guard_stray);
    guard_leave(mask);
}

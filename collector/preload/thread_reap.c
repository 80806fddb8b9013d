/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "collector/sig/guard.h"
#include "collector/preload/stack.h"
#include "collector/preload/thread.h"
#include "collector/sig/clock.h"
#include "collector/source/source.h"

static int
has_gone(const struct thread *t)
{
    return t->tid &&
           sys_call4(SYS_tgkill, (long)space_pid, (long)t->tid, 0, 0) == -ESRCH;
}

static void
reap(struct thread *t)
{
    source_silence(t);
    if (t->row)
        t->row->death = clock_mono();
    writer_seal(&t->profile, FILE_profile);
    writer_seal(&t->overview, FILE_overview);
    writer_seal(&t->hwcounters, FILE_hwcounters);
    writer_seal(&t->objects, FILE_objects);
    *t->link = t->next;
    if (t->next)
        t->next->link = t->link;
    stack_free(t);
    sys_unmap(t->block, t->block_bytes);
}

void
thread_reap(void)
{
    u64 mask = guard_enter();
    struct thread *next;

    guard_lock(&guard_threads);
    for (struct thread *t = thread_list; t; t = next) {
        next = t->next;
        if (has_gone(t))
            reap(t);
    }
    guard_unlock(&guard_threads);
    guard_leave(mask);
}

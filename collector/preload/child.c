/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/child.h"

#include "collector/preload/account.h"
#include "collector/preload/descend.h"
#include "collector/preload/expt.h"
#include "collector/preload/own_signal.h"
#include "collector/preload/report.h"
#include "collector/preload/stray.h"
#include "collector/preload/thread.h"
#include "collector/preload/thread_key.h"
#include "collector/sig/clock.h"
#include "collector/sig/gate.h"
#include "collector/sig/hit_settings.h"
#include "collector/sig/space.h"
#include "collector/source/source.h"

int
child_begin(enum er_how how, u64 *mask)
{
    const char *path;
    int error = descend_join_child(how, &path);

    if (error == 0) {
        thread_leave_all();
        stray_forget();
        error = expt_open_again(path);
    }
    if (error < 0)
        return error;
    clock_align(space_ctl->tick, space_ctl->mono);
    report_reset();
    account_set_base(0, 0);
    space_start_nodes();
    thread_start_rows();
    source_renew();
    gate_open(space_pid);
    thread_begin_child(mask);
    thread_key_set();
    report_sources();
    __atomic_fetch_or(&space_ctl->flags, CTL_ATTACHED, __ATOMIC_ACQ_REL);
    return 0;
}

u64
child_leave(u64 mask)
{
    struct thread *t = thread_self;

    if (!own_signal_is_taken())
        return mask;
    expt_release();
    space_part();
    own_signal_restore();
    if (!t)
        return mask;
    thread_self = NULL;
    return thread_leave_child(t) ? mask | 1ull << (hit_signal - 1) : mask;
}

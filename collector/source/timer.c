/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CLOCK_THREAD_CPUTIME_ID timers: they fire at the kernel's tick, in user and kernel
 * mode alike. The kernel serves them on the way back to user mode, so that no system
 * call is interrupted. Raw system calls: libc's own timer ids and threads are not
 * involved.
 */
#include <signal.h>
#include <string.h>
#include <time.h>

#include "collector/sig/hit.h"
#include "collector/sig/sys.h"
#include "collector/source/source.h"

/*
 * Fill in the event in the kernel's layout: glibc hides the thread id behind _sigev_un.
 */
static void
set_event(struct sigevent *event, u32 tid)
{
    memset(event, 0, sizeof(*event));
    event->sigev_notify = SIGEV_THREAD_ID;
    event->sigev_signo = hit_signal;
    event->sigev_value.sival_ptr = &hit_cookie;
    event->_sigev_un._tid = (int)tid;
}

int
timer_arm(struct thread *t, u64 interval_ns)
{
    struct itimerspec spec;
    struct sigevent event;
    int id = -1;
    long error;

    set_event(&event, t->tid);
    error = sys_call4(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID,
                      (long)(uintptr_t)&event, (long)(uintptr_t)&id, 0);
    if (error < 0)
        return (int)error;
    spec.it_interval.tv_sec = (time_t)(interval_ns / 1000000000u);
    spec.it_interval.tv_nsec = (long)(interval_ns % 1000000000u);
    spec.it_value = spec.it_interval;
    error = sys_call4(SYS_timer_settime, id, 0, (long)(uintptr_t)&spec, 0);
    if (error < 0) {
        sys_call4(SYS_timer_delete, id, 0, 0, 0);
        return (int)error;
    }
    t->timer = id;
    return 0;
}

void
timer_disarm(struct thread *t)
{
    /* Another thread may call this (source_silence()) while the thread itself does. */
    int id = __atomic_exchange_n(&t->timer, -1, __ATOMIC_ACQ_REL);

    if (id >= 0)
        sys_call4(SYS_timer_delete, id, 0, 0, 0);
}

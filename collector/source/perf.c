/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The perf task clock of one thread, user mode only: finer than the kernel's tick, and
 * never fires in a system call. It is mapped, so that it runs on when the target closes
 * its descriptors. The descriptor, by which the period is varied, is moved to a high
 * number, if there is room for it; else it is closed.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>

#include "collector/sig/clock.h"
#include "collector/sig/hit.h"
#include "collector/sig/sys.h"
#include "collector/source/source.h"

enum {
    PAGE = 4096,
    HIGH_NUMBER = 1000, /* lowest number of a descriptor that is kept */
    F_SETSIG_ = 10, /* fcntl(2) */
    F_SETOWN_EX_ = 15,
    OWNER_TID = 0,
    /*
     * To change the period takes 3 us. It is done at each hit if the period is at least
     * VARY_EACH_NS, else at every VARY_SELDOM-th hit.
     */
    VARY_EACH_NS = 5000000,
    VARY_SELDOM = 20,
};

struct owner {
    int type;
    int pid;
};

static long
open_event(u64 period)
{
    struct perf_event_attr attr;

    memset(&attr, 0, sizeof(attr));
    attr.size = sizeof(attr);
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = PERF_COUNT_SW_TASK_CLOCK;
    attr.sample_period = period;
    attr.disabled = 1;
    attr.exclude_kernel = 1;
    attr.exclude_hv = 1;
    attr.wakeup_events = 1;
    return sys_call6(SYS_perf_event_open, (long)(uintptr_t)&attr, 0, -1, -1,
                     PERF_FLAG_FD_CLOEXEC, 0);
}

/*
 * Have the kernel send the event's signals to this thread, as hit_signal, with fd in
 * si_fd.
 */
long
perf_direct(long fd, u32 tid)
{
    struct owner owner = { OWNER_TID, (int)tid };
    long error;

    error = sys_call4(SYS_fcntl, fd, F_SETSIG_, hit_signal, 0);
    if (error >= 0)
        error = sys_call4(SYS_fcntl, fd, F_SETOWN_EX_, (long)(uintptr_t)&owner, 0);
    if (error >= 0)
        error = sys_call4(SYS_fcntl, fd, F_SETFL, O_RDONLY | O_NONBLOCK | O_ASYNC, 0);
    return error;
}

static void
plan_variation(struct perf_clock *perf)
{
    if (perf->fd < 0)
        return;
    perf->every = perf->period >= VARY_EACH_NS ? 1 : VARY_SELDOM;
    perf->phase = perf->every == 1 ? perf->random : 0;
    perf->hits = perf->turn = 0;
    perf->current = perf->period;
    perf->restarted = clock_read(CLOCK_THREAD_CPUTIME_ID);
}

/*
 * 1 if signals of one of t's sources have this number in si_fd. They keep it even after
 * the source's descriptor was closed.
 */
static int
is_number_of(const struct thread *t, long number)
{
    int taken = number == t->perf.number;

    for (u32 i = 0; i < t->counters; i++)
        taken |= number == t->counter[i].number;
    return taken;
}

long
perf_number(const struct thread *t, long fd, long least)
{
    for (;;) {
        long copy = sys_call4(SYS_fcntl, fd, F_DUPFD_CLOEXEC, least, 0);

        if (copy < 0 || !is_number_of(t, copy))
            return copy;
        sys_call4(SYS_close, copy, 0, 0, 0);
        least = copy + 1;
    }
}

/* Duplicate the descriptor to a high number, at which it is kept. -1 = keep none. */
static int
move_up(const struct thread *t, int fd)
{
    long high;

    if (__atomic_sub_fetch(&source_settings.descriptors, 1, __ATOMIC_RELAXED) < 0)
        high = -EMFILE;
    else
        high = perf_number(t, fd, HIGH_NUMBER);
    if (high < 0)
        __atomic_add_fetch(&source_settings.descriptors, 1, __ATOMIC_RELAXED);
    return high < 0 ? -1 : (int)high;
}

static int
start(struct thread *t, int fd)
{
    struct perf_clock *perf = &t->perf;
    long page, error;

    error = sys_call4(SYS_ioctl, fd, PERF_EVENT_IOC_ID, (long)(uintptr_t)&perf->id, 0);
    if (error < 0)
        return (int)error;
    perf->fd = move_up(t, fd);
    perf->number = perf->fd >= 0 ? perf->fd : fd;
    error = perf_direct(perf->number, t->tid);
    page = sys_call6(SYS_mmap, 0, PAGE, PROT_READ, MAP_SHARED, fd, 0);
    perf->page = sys_address(page);
    if (error >= 0 && !perf->page && perf->fd < 0)
        error = page; /* nothing would keep the event alive */
    if (error >= 0)
        error = sys_call4(SYS_ioctl, fd, PERF_EVENT_IOC_ENABLE, 0, 0);
    if (error >= 0)
        plan_variation(perf);
    return (int)(error < 0 ? error : 0);
}

int
perf_arm(struct thread *t)
{
    long fd;
    int error;

    t->perf.period = source_settings.clock_ns;
    fd = open_event(t->perf.period);
    if (fd < 0)
        return (int)fd;
    error = start(t, (int)fd);
    if (error < 0)
        perf_disarm(t);
    sys_call4(SYS_close, fd, 0, 0, 0);
    return error;
}

/* Close our descriptor, unless the target has closed it and reused its number. */
static void
close_own(struct perf_clock *perf)
{
    int fd = __atomic_exchange_n(&perf->fd, -1, __ATOMIC_ACQ_REL);
    u64 id = 0;

    if (fd < 0)
        return;
    if (!sys_call4(SYS_ioctl, fd, PERF_EVENT_IOC_ID, (long)(uintptr_t)&id, 0) &&
        id == perf->id) {
        /*
         * Disable the event first: a forked child may still have it open, which would
         * keep it going.
         */
        sys_call4(SYS_ioctl, fd, PERF_EVENT_IOC_DISABLE, 0, 0);
        sys_call4(SYS_close, fd, 0, 0, 0);
    }
    __atomic_add_fetch(&source_settings.descriptors, 1, __ATOMIC_RELAXED);
}

void
perf_disarm_child(struct thread *t)
{
    struct perf_clock *perf = &t->perf;
    u64 id = 0;

    if (perf->fd >= 0 &&
        sys_call4(SYS_ioctl, perf->fd, PERF_EVENT_IOC_ID, (long)(uintptr_t)&id, 0) ==
            0 &&
        id == perf->id)
        sys_call4(SYS_close, perf->fd, 0, 0, 0);
    perf->fd = perf->number = -1;
}

void
perf_disarm(struct thread *t)
{
    void *page = __atomic_exchange_n(&t->perf.page, NULL, __ATOMIC_ACQ_REL);

    close_own(&t->perf);
    if (page)
        sys_unmap(page, PAGE);
    t->perf.number = -1;
}

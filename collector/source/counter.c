/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counters of one thread: perf events, user mode only, that signal the thread itself at
 * each overflow. Each is mapped with a page of records, from which the handler learns
 * how many overflows its signal stands for, and the address of the data. The mapping
 * also keeps the event alive when the target closes descriptors.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>

#include "collector/sig/hit.h"
#include "collector/sig/sys.h"
#include "collector/source/source.h"

enum {
    PAGE = 4096,
    FIRST_NUMBER = 1001, /* lowest si_fd of counters: out of the target's way */
};

static long
open_as(const struct ctl_counter *how, int physical)
{
    struct perf_event_attr attr;

    memset(&attr, 0, sizeof(attr));
    attr.size = sizeof(attr);
    attr.type = how->type;
    attr.config = how->config;
    attr.config1 = how->config1;
    if (how->flags & COUNTER_PROBE)
        attr.config1 = (u64)(uintptr_t)(space_ctl->probe + how->config1);
    attr.config2 = how->config2;
    attr.sample_period = how->interval;
    attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_ADDR;
    if (physical)
        attr.sample_type |= PERF_SAMPLE_PHYS_ADDR;
    if (how->flags & COUNTER_BRANCHES) {
        attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
        attr.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY;
    }
    attr.precise_ip = how->precise & 3;
    attr.disabled = 1;
    attr.exclude_kernel = 1;
    attr.exclude_hv = 1;
    attr.wakeup_events = 1;
    return sys_call6(SYS_perf_event_open, (long)(uintptr_t)&attr, 0, -1, -1,
                     PERF_FLAG_FD_CLOEXEC, 0);
}

/*
 * Open a counter, with physical addresses or, if these are refused, without: this
 * process may have fewer rights than the one that tried the counter before.
 */
static long
open_counter(const struct ctl_counter *how, u32 *physical)
{
    long fd;

    *physical = (how->flags & COUNTER_PHYSICAL) != 0;
    fd = open_as(how, (int)*physical);
    if (fd >= 0 || !*physical)
        return fd;
    *physical = 0;
    return open_as(how, 0);
}

/*
 * Duplicate fd to a number from FIRST_NUMBER on; if the limit on descriptors forbids
 * that, to any number above fd. The number, or -errno.
 */
static long
move_up(const struct thread *t, long fd)
{
    long high = perf_number(t, fd, FIRST_NUMBER);

    return high < 0 ? perf_number(t, fd, fd + 1) : high;
}

/* Map the event with a page of records; without one if that is refused. 0 or -errno. */
static long
map(struct thread_counter *c, long fd)
{
    long at = 0;

    for (u32 pages = 2; pages; pages--) {
        int prot = pages > 1 ? PROT_READ | PROT_WRITE : PROT_READ;

        at = sys_call6(SYS_mmap, 0, pages * PAGE, prot, MAP_SHARED, fd, 0);
        c->page = sys_address(at);
        if (!c->page)
            continue;
        c->bytes = pages * PAGE;
        return 0;
    }
    return at;
}

static long
arm_one(struct thread *t, struct thread_counter c, long fd)
{
    long high = move_up(t, fd), error = high;

    if (high >= 0)
        error = map(&c, high);
    if (error >= 0)
        error = perf_direct(high, t->tid);
    if (error >= 0)
        error = sys_call4(SYS_ioctl, high, PERF_EVENT_IOC_ENABLE, 0, 0);
    if (error >= 0) {
        c.number = (int)high;
        t->counter[t->counters++] = c;
    } else if (c.page) {
        sys_unmap(c.page, c.bytes);
    }
    if (high >= 0)
        sys_call4(SYS_close, high, 0, 0, 0);
    return error;
}

void
counter_arm(struct thread *t)
{
    u32 n = space_ctl ? __atomic_load_n(&space_ctl->counters, __ATOMIC_ACQUIRE) : 0;

    t->counters = 0;
    for (u32 i = 0; i < n && i < ER_COUNTERS; i++) {
        const struct ctl_counter *how = &space_ctl->counter[i];
        struct thread_counter c = { .index = i };
        long fd, error;

        if (!(how->flags & COUNTER_SAMPLED))
            continue;
        fd = error = open_counter(how, &c.physical);
        if (fd >= 0) {
            error = arm_one(t, c, fd);
            sys_call4(SYS_close, fd, 0, 0, 0);
        }
        if (error < 0) {
            source_settings.counter_error = (int)-error;
            source_settings.counters_refused++;
        }
    }
}

void
counter_disarm(struct thread *t)
{
    for (u32 i = 0; i < t->counters; i++) {
        void *page = __atomic_exchange_n(&t->counter[i].page, NULL, __ATOMIC_ACQ_REL);

        if (page)
            sys_unmap(page, t->counter[i].bytes);
    }
}

void
counter_forget(struct thread *t)
{
    t->counters = 0;
}

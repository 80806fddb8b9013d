/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/counter/counter_open.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * Alignment and emulation faults, which the kernel fixes up for programs: they can be
 * counted, but never happen to 64-bit programs on these processors.
 */
static int
never_happens(const struct ctl_counter *how)
{
#if defined(__x86_64__) || defined(__aarch64__)
    return how->type == PERF_TYPE_SOFTWARE &&
           (how->config == PERF_COUNT_SW_ALIGNMENT_FAULTS ||
            how->config == PERF_COUNT_SW_EMULATION_FAULTS);
#else
    (void)how;
    return 0;
#endif
}

int
counter_open(const struct ctl_counter *how, pid_t pid, enum counter_span span,
             u64 period)
{
    struct perf_event_attr attr;
    long fd;

    if (never_happens(how))
        return -ENOENT;
    memset(&attr, 0, sizeof(attr));
    attr.size = sizeof(attr);
    attr.type = how->type;
    attr.config = how->config;
    attr.config1 = how->config1;
    attr.config2 = how->config2;
    attr.sample_period = period;
    attr.precise_ip = how->precise & 3;
    if (how->flags & COUNTER_ADDRESS)
        attr.sample_type = PERF_SAMPLE_ADDR;
    if (how->flags & COUNTER_PHYSICAL)
        attr.sample_type |= PERF_SAMPLE_PHYS_ADDR;
    if (how->flags & COUNTER_BRANCHES && period) {
        attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
        attr.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY;
    }
    attr.disabled = 1;
    attr.exclude_kernel = !(how->flags & COUNTER_KERNEL);
    attr.exclude_hv = 1;
    attr.enable_on_exec = span == COUNTER_FROM_EXEC;
    attr.inherit = attr.inherit_thread = span != COUNTER_THREAD;
    attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    fd = syscall(SYS_perf_event_open, &attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);
    return fd < 0 ? -errno : (int)fd;
}

const char *
counter_reason(int error, u32 type)
{
    int hardware = type != PERF_TYPE_SOFTWARE && type != PERF_TYPE_TRACEPOINT;

    switch (error) {
    case -ENOENT:
    case -ENODEV:
    case -EOPNOTSUPP:
        return hardware ? "this machine has no such counter, as is usual in virtual "
                          "machines"
                        : "this kernel does not count it";
    case -EACCES:
    case -EPERM:
        return "not permitted: see /proc/sys/kernel/perf_event_paranoid, or the "
               "container's rules";
    case -ENOSYS:
        return "this kernel has no perf events";
    case -EINVAL:
        return "the kernel refuses it";
    default:
        return strerror(-error);
    }
}

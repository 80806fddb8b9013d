/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "collector/inspect/host.h"
#include "collector/session/name.h"

/* Open and close an event of this process in user mode. Returns 0 or -errno. */
static int
try_event(u32 type, u64 config)
{
    struct perf_event_attr attr = {
        .type = type,
        .size = sizeof(attr),
        .config = config,
        .sample_period = 1000000,
        .disabled = 1,
        .exclude_kernel = 1,
        .exclude_hv = 1,
    };
    long fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

    if (fd < 0)
        return -errno;
    close((int)fd);
    return 0;
}

static int
try_timer(void)
{
    struct sigevent event = { .sigev_notify = SIGEV_NONE };
    timer_t timer;

    if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) < 0)
        return -errno;
    timer_delete(timer);
    return 0;
}

static void
print_row(const char *what, int result, const char *good)
{
    printf("  %-26s %s\n", what, result < 0 ? strerror(-result) : good);
}

static void
print_clocks(const struct host *h)
{
    char tick[64];

    snprintf(tick, sizeof(tick), "yes, at the kernel's tick of %u Hz", h->hz);
    if (h->paranoid == HOST_NO_PERF)
        printf("  %-26s this kernel has none\n", "perf events");
    else
        printf("  %-26s %d\n", "perf_event_paranoid", h->paranoid);
    print_row("perf task clock, user mode",
              try_event(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK), "yes");
    print_row("CPU-time timers", try_timer(), tick);
    printf("  %-26s %s\n", "time stamps",
           h->tsc ? "time stamp counter" : "CLOCK_MONOTONIC");
}

static void
print_counters(void)
{
    int ret = try_event(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);

    if (ret == -ENOENT || ret == -EOPNOTSUPP || ret == -ENODEV)
        printf("  %-26s none on this machine\n", "hardware counters");
    else
        print_row("hardware counters", ret, "present: collect -h lists them");
}

void
machine_print(void)
{
    char name[NAME_MAX_BYTES];
    struct host host;

    host_read(&host);
    if (name_choose(AT_FDCWD, NULL, name) == 0)
        printf("\nThe next experiment here would be %s.\n", name);
    printf("\nThis machine (%s, %u CPUs, Linux %s) can measure with\n", host.cpu,
           host.cpus, host.kernel);
    print_clocks(&host);
    print_counters();
}

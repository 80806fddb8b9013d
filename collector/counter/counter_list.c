/* SPDX-License-Identifier: Apache-2.0 */
/* collect -h: lists the counters that this machine and the user's permissions allow. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collector/counter/counter.h"
#include "collector/counter/probe.h"
#include "collector/inspect/host.h"

/* Try to open an event as a recording would. 0 or -errno. */
static int
try_event(const struct counter_event *event)
{
    struct ctl_counter how = {
        .type = event->type,
        .flags = event->in_kernel ? COUNTER_KERNEL : COUNTER_SAMPLED,
        .precise = event->precise,
        .config = event->config,
        .config1 = event->config1,
        .config2 = event->config2,
    };
    u64 period = event->in_kernel ? 0 : counter_interval(event->pace, "lo");
    int fd = counter_open(&how, 0, COUNTER_THREAD, period);

    if (fd >= 0)
        close(fd);
    return fd < 0 ? fd : 0;
}

static void
print_usable(void)
{
    struct counter_event event;
    const char *name, *doc;
    u32 n = 0;

    for (u32 i = 0; (name = counter_row(i, &doc, &event)); i++) {
        if (try_event(&event) < 0)
            continue;
        printf("  %-26s %s%s\n", name, doc,
               event.in_kernel ? " (counted, not sampled)" : "");
        n++;
    }
    if (!n)
        printf("  none\n");
}

/*
 * From row `from` on, print the names of all counters that are unavailable for this
 * reason.
 */
static void
print_unusable_as(u32 from, int error, u32 type)
{
    const char *why = counter_reason(error, type), *name, *doc;
    struct counter_event event;
    int column = printf("  %s:", why);

    for (u32 i = from; (name = counter_row(i, &doc, &event)); i++) {
        int ret = try_event(&event);

        if (ret == 0 || strcmp(counter_reason(ret, event.type), why) != 0)
            continue;
        if (column + strlen(name) > 78 || i == from)
            column = printf("\n   ") - 1;
        column += printf(" %s", name);
    }
    putchar('\n');
}

/* Print the unavailable counters, grouped by reason. Returns the number of reasons. */
static u32
print_unusable(void)
{
    const char *told[4] = { NULL }, *doc;
    struct counter_event event;
    u32 n = 0;

    for (u32 i = 0; counter_row(i, &doc, &event) && n < ER_COUNT(told); i++) {
        int ret = try_event(&event), is_new = ret < 0;

        for (u32 k = 0; k < n; k++)
            is_new &= strcmp(told[k], counter_reason(ret, event.type)) != 0;
        if (!is_new)
            continue;
        told[n++] = counter_reason(ret, event.type);
        print_unusable_as(i, ret, event.type);
    }
    return n;
}

struct pmu_list {
    u32 good, bad;
    int error;
};

static void
print_pmu(void *context, const char *name)
{
    struct pmu_list *list = context;
    struct counter_event event;
    int ret = counter_find_pmu(name, &event);

    if (ret == 0)
        ret = try_event(&event);
    if (ret < 0) {
        list->bad++;
        list->error = ret;
        return;
    }
    if (!list->good++)
        printf("\nEvents of PMUs:\n");
    printf("  %s\n", name);
}

static void
print_others(void)
{
    struct counter_event event;
    void *pfm = dlopen("libpfm.so.4", RTLD_LAZY | RTLD_LOCAL);
    int ret = counter_find_tracepoint("sched:sched_switch", &event);

    printf("\nTracepoints (SUBSYSTEM:EVENT) %s.\n",
           ret == 0 && try_event(&event) == 0 ? "can be counted"
                                              : "cannot be counted here");
    ret = probe_try();
    printf("Probes of functions (uprobe/PATH:FUNCTION/) %s%s.\n",
           ret < 0 ? "cannot be counted here: " : "can be counted",
           ret < 0 ? probe_reason(ret) : "");
    printf("Names of processors' manuals: libpfm4 is %s.\n",
           pfm ? "installed" : "not installed");
    if (pfm)
        dlclose(pfm);
}

static void
print_level(void)
{
    struct host host;

    host_read(&host);
    if (host.paranoid == HOST_NO_PERF)
        printf("\nThis kernel has no perf events.\n");
    else
        printf("\nThe kernel's perf_event_paranoid is %d%s.\n", host.paranoid,
               geteuid() == 0 ? ", and this is root" : "");
}

void
counter_print(void)
{
    struct pmu_list list = { 0 };

    printf("Counters that can be recorded here, collect -h NAME[,INTERVAL]:\n");
    print_usable();
    counter_each_pmu(print_pmu, &list);
    printf("\nNot here:\n");
    if (!print_unusable() && !list.bad)
        printf("  nothing\n");
    if (list.bad)
        printf("  %s:\n    %u events that PMUs list in /sys/bus/event_source\n",
               counter_reason(list.error, PERF_TYPE_RAW), list.bad);
    print_others();
    print_level();
}

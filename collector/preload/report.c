/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/report.h"

#include <errno.h>

#include "collector/preload/expt.h"
#include "collector/preload/python.h"
#include "collector/preload/thread.h"
#include "collector/sig/space.h"
#include "collector/source/source.h"
#include "share/fmt.h"

static u32 perf_told; /* perf_refused at the last report */

void
report_sources(void)
{
    const struct thread *t = thread_self;
    const char *what = "nothing";

    python_log();
    if (t && t->source & SOURCE_PERF)
        what = t->source & SOURCE_TIMER ? "a user-mode perf clock and CPU-time timers"
                                        : "a user-mode perf clock";
    else if (t && t->source & SOURCE_TIMER)
        what = "CPU-time timers";
    if (!source_settings.clock_ns)
        return;
    perf_told = source_settings.perf_refused;
    if (t && !(t->source & (SOURCE_PERF | SOURCE_TIMER))) {
        expt_event(EVENT_no_clock, expt_error_name(source_settings.timer_error), NULL,
                   NULL, 0);
        return;
    }
    expt_event(EVENT_sources, what, NULL, NULL, 0);
    if (source_settings.perf_error)
        expt_event(EVENT_perf_denied, expt_error_name(source_settings.perf_error), NULL,
                   NULL, 0);
    if (source_settings.timer_error)
        expt_event(EVENT_timer_failed, expt_error_name(source_settings.timer_error),
                   NULL, NULL, 0);
}

void
report_refusals(void)
{
    if (source_settings.perf_refused > perf_told && !perf_told)
        expt_event(EVENT_perf_partial, expt_error_name(source_settings.perf_error),
                   NULL, NULL, 0);
    perf_told = source_settings.perf_refused;
}

/*
 * Log here that a file was cut: if there was no space for the control page either, the
 * launcher does not learn of it.
 */
static void
log_cut(void)
{
    u32 file = space_ctl->cut - 1;

    if (space_ctl->flags & CTL_CUT && space_ctl->magic != ER_CTL_MAGIC &&
        file < FILE_COUNT)
        expt_event(EVENT_disk_full, er_files[file].name, expt_error_name(ENOSPC), NULL,
                   0);
}

void
report_losses(void)
{
    u64 dropped = thread_dropped();
    char text[24];
    struct fmt f = fmt_start(text, sizeof(text) - 1);

    if (source_settings.perf_refused && thread_self &&
        thread_self->source & SOURCE_PERF)
        expt_event(EVENT_perf_partial, expt_error_name(source_settings.perf_error),
                   NULL, NULL, 0);
    if (source_settings.counters_refused)
        expt_event(EVENT_counter_refused,
                   expt_error_name(source_settings.counter_error), NULL, NULL, 0);
    log_cut();
    if (!dropped)
        return;
    fmt_u64(&f, dropped);
    *f.at = 0;
    expt_event(EVENT_no_room, text, NULL, NULL, 0);
}

void
report_reset(void)
{
    perf_told = 0;
    python_log_again();
}

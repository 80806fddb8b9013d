/* SPDX-License-Identifier: Apache-2.0 */
/* Logs problems of counters at the end of their experiment. */
#include <stdio.h>
#include <unistd.h>

#include "collector/counter/counter.h"
#include "collector/inspect/moment.h"
#include "share/experiment.h"
#include "share/logxml.h"

enum {
    ROWS = 64, /* rows of the file threads that are read at once */
};

/*
 * Log if the kernel has multiplexed a counter. A difference of 1 % is usual at a
 * process's end, and not logged.
 */
static void
log_multiplexed(const struct expdir *e, const struct counter *counter)
{
    u64 value, enabled, running;
    char share[32];

    if (counter_read(counter, &value, &enabled, &running) < 0 ||
        running >= enabled - enabled / 100)
        return;
    snprintf(share, sizeof(share), "%.1f", 100.0 * (double)running / (double)enabled);
    (void)log_event(e->log, EVENT_counter_shared, moment_mono(),
                    counter->name, share, NULL, 0);
}

/*
 * Add up what the rows of the file threads say. Row 0 belongs to no thread, and a row
 * without an id was never written.
 */
static void
add_rows(const struct expdir *e, u64 *lost, u64 *throttled)
{
    u64 count = (u64)e->ctl->threads + 1;
    struct rec_thread row[ROWS];

    _Static_assert(sizeof(row[0]) == ER_THREAD_BYTES, "rows are as they are mapped");
    for (u64 at = 0; at < count;) {
        ssize_t len = pread(e->file[FILE_threads], row, sizeof(row),
                            (off_t)(at * sizeof(row[0])));
        u64 n = len > 0 ? (u64)len / sizeof(row[0]) : 0;

        if (!n)
            return;
        for (u64 i = 0; i < n && at + i < count; i++) {
            *lost += row[i].id ? row[i].count_lost : 0;
            *throttled += row[i].id ? row[i].count_throttled : 0;
        }
        at += n;
    }
}

static void
log_sum(const struct expdir *e, enum er_event event, u64 sum)
{
    char text[24];

    if (!sum)
        return;
    snprintf(text, sizeof(text), "%llu", (unsigned long long)sum);
    (void)log_event(e->log, event, moment_mono(), text, NULL, NULL, 0);
}

void
counter_log_end(const struct counter_set *c, const struct expdir *e)
{
    u64 lost = 0, throttled = 0;

    if (!c->count)
        return;
    for (u32 i = 0; i < c->count; i++)
        log_multiplexed(e, &c->counter[i]);
    add_rows(e, &lost, &throttled);
    log_sum(e, EVENT_counter_throttled, throttled);
    log_sum(e, EVENT_counter_lost, lost);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Start of synchronization tracing: sets the threshold for recorded waits, as the user
 * has asked, or by measuring the cost of a free lock.
 */
#include <errno.h>

#include "collector/sync/sync_real.h"
#include "collector/sync/sync_record.h"
#include "share/fmt.h"

enum {
    PAIRS = 256,      /* how often a lock is acquired and released to measure it */
    TIMES_FREE = 5,   /* the default threshold is the cost of a free lock times this */
    BASE_NS = 100000, /* ns for which the clocks are compared */
};

/* Ticks in 2^16 ns. */
static u64
tick_rate(void)
{
    u64 ns = trace_services->mono(), ticks = trace_before(), ns_then, ticks_then;

    if (!*trace_services->is_tsc)
        return 1 << 16;
    do {
        ns_then = trace_services->mono();
        ticks_then = trace_before();
    } while (ns_then - ns < BASE_NS);
    return ((ticks_then - ticks) << 16) / (ns_then - ns);
}

/*
 * Measure how long a recorded wait for a lock that is free would be: the least ticks
 * for acquiring it, readings of the clock included.
 */
static u64
free_ticks(void)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    u64 least = ~(u64)0;

    for (u32 i = 0; i < PAIRS; i++) {
        u64 before = trace_before(), took;

        sync_real.pthread_mutex_lock(&mutex);
        took = trace_after() - before;
        sync_real.pthread_mutex_unlock(&mutex);
        if (took < least)
            least = took;
    }
    return least;
}

static u64 threshold_ns, free_ns;

static void
log_thresholds(void)
{
    int saved = errno;
    char text[2][24];
    struct fmt f = fmt_start(text[0], sizeof(text[0]) - 1);
    struct fmt g = fmt_start(text[1], sizeof(text[1]) - 1);

    fmt_u64(&f, threshold_ns);
    *f.at = '\0';
    fmt_u64(&g, free_ns);
    *g.at = '\0';
    trace_services->event(EVENT_sync_threshold, text[0], text[1], NULL, 0);
    errno = saved;
}

static void
started(void)
{
    const struct er_params *params = trace_services->params;
    u64 rate, least;

    sync_settings.self = trace_services->self;
    sync_settings.all = params->sync_all != 0;
    if (sync_settings.all)
        return;
    rate = tick_rate();
    least = free_ticks();
    sync_settings.threshold =
        params->sync_ns ? (u64)((unsigned __int128)params->sync_ns * rate >> 16)
                        : least * TIMES_FREE;
    if (!sync_settings.threshold)
        sync_settings.threshold = 1;
    threshold_ns = (sync_settings.threshold << 16) / rate;
    free_ns = (least << 16) / rate;
    log_thresholds();
    sync_thread_forked = log_thresholds;
    __atomic_store_n(&sync_settings.quick, *trace_services->gate, __ATOMIC_RELEASE);
}

__attribute__((constructor)) static void
start(void)
{
    sync_real_start();
    (void)sync_real_syscall();
    trace_start((const void *)(uintptr_t)start, started);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the code for hits and for the target's signals must know before it runs: our
 * signal, and what was asked for. Set in normal context, read in signal handlers.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_HIT_SETTINGS_H
#define ERTOOLS_COLLECTOR_SIG_HIT_SETTINGS_H

#include "share/types.h"

/*
 * Our signal: SIGURG, or SIGWINCH if the target's runtime uses SIGURG itself
 * (preload/program.h). Both are ignored by default, so a stray one does no harm.
 */
extern int hit_signal;

/*
 * 1 = a clock or counters use hit_signal. 0 = its action and mask are the target's own.
 */
extern u32 hit_is_used;

/*
 * Set before the first handler runs. clock_ns may change once more, if no counter can
 * be opened (source_arm()).
 */
struct hit_settings {
    u64 clock_ns;      /* clock-profiling interval, 0 = no clock */
    u64 tick_ns;       /* the kernel's tick, by which it accounts CPU time */
    int sample_signal; /* signal of -l, 0 = none */
    int pause_signal;  /* signal of -y, 0 = none */
    u32 pid;           /* id of the process that is recorded */
};

extern struct hit_settings hit_settings;

#endif

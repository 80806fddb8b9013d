/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parameters that the launcher passes to the preloaded library in the environment
 * variable SP_COLLECTOR_PARAMS: a list `name=number;...`. Any context of launcher and
 * target; no allocation.
 */
#ifndef ERTOOLS_SHARE_PARAMS_H
#define ERTOOLS_SHARE_PARAMS_H

#include "share/fmt.h"
#include "share/types.h"

/* ER_PARAM(name, doc): a row for each parameter. All are unsigned numbers, 0 = off. */
#define ER_PARAMS(ER_PARAM)                                                           \
    ER_PARAM(clock_ns, "clock-profiling interval in ns")                              \
    ER_PARAM(clock_else, "the same where all counters are refused")                   \
    ER_PARAM(tsc, "ticks are TSC, so many a second; 0 = they are CLOCK_MONOTONIC ns") \
    ER_PARAM(sample_signal, "signal that records a sample point")                     \
    ER_PARAM(pause_signal, "signal that toggles pause and resume")                    \
    ER_PARAM(paused, "1 = begin paused")                                              \
    ER_PARAM(no_perf, "1 = do not use perf clocks")                                   \
    ER_PARAM(launcher, "process id of the launcher")                                  \
    ER_PARAM(verbose, "1 = more events in log.xml")                                   \
    ER_PARAM(sync_all, "1 = every synchronization call is an event")                  \
    ER_PARAM(sync_ns, "else: waits from so many ns on are, 0 = as calibrated")        \
    ER_PARAM(wall, "1 = what threads do while they do not run is recorded, too")      \
    ER_PARAM(heap_scan, "1 = at the end the launcher looks which blocks are lost")    \
    ER_PARAM(no_omp, "1 = OpenMP is not looked at")                                   \
    ER_PARAM(no_java, "1 = a Java machine is not asked what it compiles")             \
    ER_PARAM(follow, "1 = descendants are recorded, too")                             \
    ER_PARAM(ranks, "1 = MPI ranks are recorded, 2 = and no other processes")         \
    ER_PARAM(creator, "process id of who handed these down, 0 = the launcher")        \
    ER_PARAM(base_user, "its user CPU time in ns, should it have become this one")    \
    ER_PARAM(base_system, "its system CPU time in ns")

/*
 * Makes the number of variables that the target removes even. They are replaced by
 * pairs that look like entries of the auxiliary vector, so that a search for that
 * vector above the environment skips them.
 */
#define ER_ENV_PAD "SP_COLLECTOR_PAD"

/*
 * AddressSanitizer as a shared library ends the program if another library is preloaded
 * before it, unless an option forbids the check. ER_ASAN_TAIL is appended to
 * ASAN_OPTIONS.
 */
#define ER_ENV_ASAN "ASAN_OPTIONS"
#define ER_ASAN_TAIL "verify_asan_link_order=0"

struct er_params {
#define ER_PARAM(name, doc) u64 name;
    ER_PARAMS(ER_PARAM)
#undef ER_PARAM
};

/*
 * Environment variables by which the launcher passes data to the target; see
 * LD_PRELOAD, too.
 */
#define ER_ENV_PARAMS "SP_COLLECTOR_PARAMS"   /* struct er_params */
#define ER_ENV_EXPNAME "SP_COLLECTOR_EXPNAME" /* absolute path of the experiment */
#define ER_ENV_FOUNDER "SP_COLLECTOR_FOUNDER" /* path of its founder, if another */
#define ER_ENV_PRELOAD "SP_COLLECTOR_PRELOAD" /* what we put into LD_PRELOAD */

/* Append the list; parameters that are 0 are left out. */
void params_format(struct fmt *f, const struct er_params *params);

/* Parse the list. 0; or -EINVAL: the text is not one. Unknown names are skipped. */
int params_parse(const char *text, struct er_params *params);

#endif

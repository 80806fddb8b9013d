/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds out what a seccomp filter does, or would do, to the collector's system calls in
 * a target. Normal context. The filter is only read.
 */
#ifndef ERTOOLS_SHARE_FILTER_H
#define ERTOOLS_SHARE_FILTER_H

#include <linux/filter.h>
#include <linux/seccomp.h>

#include "share/types.h"

/*
 * What system calls are used for. A bit is set if the filter allows all calls of that
 * use.
 */
enum filter_use {
    FILTER_HITS = 1,     /* without these nothing can be recorded */
    FILTER_TIMERS = 2,   /* hits of the CPU-time timer */
    FILTER_VARY = 4,     /* varying the perf clock's period */
    FILTER_WAKE = 8,     /* waking the launcher */
    FILTER_WINDOWS = 16, /* mapping more of a data file */
    FILTER_PROBE = 32,   /* asking whether memory can be read */
    FILTER_PID = 64,     /* getpid(), to recognize a vfork child */
    FILTER_REST = 128,   /* all else: threads, files, descendants, ends */
    FILTER_NAMES = 256,  /* naming the target's descriptors: io/io_name.c */
    FILTER_HOME = 512,   /* asking on which NUMA node memory is */
    FILTER_CLOCK = 1024, /* reading the time, where the TSC is not used */
    FILTER_ALL = 2047,
    /* And of collect -P: */
    FILTER_ENTER = 2048, /* coming in, loading libraries, and leaving */
    FILTER_HAND = 4096,  /* passing the directory, if its path cannot be opened */
};

/*
 * The filter's result for one call: SECCOMP_RET_*. If the filter ends without a return,
 * so that the kernel would not set it, the result is SECCOMP_RET_ALLOW.
 */
u32 filter_run(const struct sock_filter *code, u32 len,
               const struct seccomp_data *data);

/* The uses in FILTER_ALL whose system calls the filter allows. */
u32 filter_allows(const struct sock_filter *code, u32 len);

/*
 * The name of the first system call for one of these uses (enum filter_use) that the
 * filter forbids, so that collect -P cannot record the process; NULL = there is none.
 * The string is static.
 */
const char *filter_forbids(const struct sock_filter *code, u32 len, u32 uses);

#endif

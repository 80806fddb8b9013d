/* SPDX-License-Identifier: Apache-2.0 */
/* Moments of a run, as people type them. Ordinary process context. */
#ifndef ERTOOLS_MANAGE_WHEN_H
#define ERTOOLS_MANAGE_WHEN_H

#include <stdbool.h>
#include <stddef.h>

#include "share/types.h"

/* What is known of the run's times, which is needed to convert moments. */
struct when {
    u64 start_wall; /* ns since 1970; 0 = not known */
    bool running;   /* the run has not ended, so `now` is valid */
    u64 now;        /* ns from the start */
};

/*
 * Parse a moment, a text of `len` bytes, to ns from the start of the run:
 *
 *   12.5  80ms  2m  1:30  1:02:03.5    from the start
 *   @  @+5s  @-1:00                    from now
 *   2026-01-31T12:00:05                wall clock, in local time
 *
 * 0; -EINVAL: it is none of these; -ENODATA: the run has no `now`, or its wall-clock
 * time is not known; -ERANGE: it is before the start, or too large.
 */
int when_parse(const char *text, size_t len, const struct when *when, u64 *ns);

#endif

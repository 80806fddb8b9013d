/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values of options. Normal context of the launcher. Each function parses the whole
 * text and returns 0, -EINVAL (wrong form) or -ERANGE, and sets its outputs only on
 * success.
 */
#ifndef ERTOOLS_LAUNCH_VALUE_H
#define ERTOOLS_LAUNCH_VALUE_H

#include "share/types.h"

/* -p: off, on, lo, hi or NUMBER[m|u] (ms by default), at most 1 s, at least 1 us. */
int value_interval(const char *text, u64 *ns);

/* -S: off, on or seconds (a fraction is allowed) from 0.01 to 86400. */
int value_period(const char *text, u64 *ns);

/*
 * -s: `on` and `off` set both outputs to 0, `all` and 0 set *all to 1; a number of us,
 * optionally with a fraction, up to a day, is put into *ns.
 */
int value_threshold(const char *text, int *all, u64 *ns);

/*
 * -t: N[m|s] or A-B, put into *begin and *end in ns from the target's start; *end 0 =
 * the target's end.
 */
int value_window(const char *text, u64 *begin, u64 *end);

/*
 * -l, -y: a signal's name, with or without SIG, or its number. -ERANGE: KILL and STOP,
 * which cannot be caught; signals of faults; ABRT, SYS; and URG, the clock's signal.
 */
int value_signal(const char *text, int *sig);

/* -L: whole megabytes, at least 1. */
int value_megabytes(const char *text, u64 *mb);

#endif

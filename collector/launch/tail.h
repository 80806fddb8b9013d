/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last lines of log.xml and map.xml. The line before may be incomplete, because of
 * a limit, or because the target was killed. Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_TAIL_H
#define ERTOOLS_LAUNCH_TAIL_H

#include "share/experiment.h"
#include "share/types.h"

/*
 * If the last line of a file is incomplete, end it. fd: open for reading and with
 * O_APPEND.
 */
void tail_mend(int fd);

/*
 * Log how many lines the target could not write itself, if any. mono: now,
 * CLOCK_MONOTONIC ns.
 */
void tail_unsaid(const struct expdir *e, u64 mono);

/* Write the last lines of log.xml and map.xml. */
void tail_put(const struct expdir *e);

/* Write the last line of map.xml. */
void tail_put_map(const struct expdir *e);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ends of log.xml and map.xml. The target, a limit of its own or a kill may have
 * left a line torn there. Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_TAIL_H
#define ERTOOLS_LAUNCH_TAIL_H

#include "share/experiment.h"
#include "share/types.h"

/* What is appended next begins a line. fd: open for reading, too, and to append. */
void tail_mend(int fd);

/* Tell in the log what the target could not write itself. mono: now. */
void tail_unsaid(const struct experiment *e, u64 mono);

/* The last line of each file. */
void tail_put(const struct experiment *e);

/* The last line of map.xml alone. */
void tail_put_map(const struct experiment *e);

#endif

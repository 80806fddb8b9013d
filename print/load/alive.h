/* SPDX-License-Identifier: Apache-2.0 */
/* Does the process of an experiment still run? Ordinary process context. */
#ifndef ERTOOLS_PRINT_LOAD_ALIVE_H
#define ERTOOLS_PRINT_LOAD_ALIVE_H

#include <stdbool.h>

#include "share/types.h"

/*
 * true if process `pid` runs, is older than `mono` (CLOCK_MONOTONIC ns of the run's
 * start) and `host` (NULL = not known) is this machine.
 */
bool alive(u32 pid, u64 mono, const char *host);

#endif

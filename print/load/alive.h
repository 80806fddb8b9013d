/* SPDX-License-Identifier: Apache-2.0 */
/* Does the process of an experiment still run? Ordinary process context. */
#ifndef ERTOOLS_PRINT_LOAD_ALIVE_H
#define ERTOOLS_PRINT_LOAD_ALIVE_H

#include <stdbool.h>

#include "share/types.h"

/*
 * Does process `pid` run on this machine, and did it start before `mono`, the start of
 * the run (CLOCK_MONOTONIC ns)? False if pid is 0. host: where the experiment was
 * recorded; NULL = not known: assume this machine.
 */
bool alive(u32 pid, u64 mono, const char *host);

#endif

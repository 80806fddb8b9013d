/* SPDX-License-Identifier: Apache-2.0 */
/* Does the process of an experiment still run? Ordinary process context. */
#ifndef ERTOOLS_PRINT_LOAD_ALIVE_H
#define ERTOOLS_PRINT_LOAD_ALIVE_H

#include <stdbool.h>

#include "share/types.h"

/*
 * Does process `pid` run on this machine, and is it older than `mono`, the start of the
 * run (CLOCK_MONOTONIC ns)? host: where the experiment was recorded; NULL (not known):
 * false.
 */
bool alive(u32 pid, u64 mono, const char *host);

#endif

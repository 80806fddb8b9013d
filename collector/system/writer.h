/* SPDX-License-Identifier: Apache-2.0 */
/* The helper process that writes one part: a fork of er_kernel, with one thread. */
#ifndef ERTOOLS_SYSTEM_WRITER_H
#define ERTOOLS_SYSTEM_WRITER_H

#include "collector/session/session.h"
#include "collector/system/census.h"
#include "collector/system/feed.h"

/*
 * Write the records that come through the pipe `feed`, up to PART_END. p: the process,
 * with its mappings so far; NULL = the machine. Does not return.
 */
_Noreturn void writer_run(struct recording *s, const struct census_process *p,
                          u32 stack, int feed);

#endif

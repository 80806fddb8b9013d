/* SPDX-License-Identifier: Apache-2.0 */
/* The helper process that samples from outside: a fork of the launcher, one thread. */
#ifndef ERTOOLS_OUTSIDE_HELPER_H
#define ERTOOLS_OUTSIDE_HELPER_H

#include "collector/outside/ring.h"

struct recording;

/*
 * Map files and rings, then write one byte to `ready`, or exit with the errno as
 * status. After that, record the samples in the rings until `stop` can be read or its
 * other end is closed. Does not return.
 */
_Noreturn void helper_run(struct recording *s, struct rings *rings, int ready,
                          int stop);

#endif

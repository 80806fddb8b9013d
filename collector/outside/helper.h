/* SPDX-License-Identifier: Apache-2.0 */
/* The process that samples from outside: a fork of the launcher, with one thread. */
#ifndef ERTOOLS_OUTSIDE_HELPER_H
#define ERTOOLS_OUTSIDE_HELPER_H

#include "collector/outside/ring.h"

struct session;

/*
 * Map what is needed, write one byte to `ready` or end with the errno as exit status;
 * then record what the rings say until the other end of `stop` is closed. Does not
 * return.
 */
_Noreturn void helper_run(struct session *s, struct rings *rings, int ready, int stop);

#endif

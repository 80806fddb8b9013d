/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that collect does not attach to. Normal context of the launcher. */
#ifndef ERTOOLS_COLLECTOR_ATTACH_REFUSE_H
#define ERTOOLS_COLLECTOR_ATTACH_REFUSE_H

#include <stddef.h>
#include <sys/types.h>

/*
 * 1, with a sentence that ends without a full stop, when a process cannot be attached
 * to; found out without changing anything in it. Else 0. *beyond: where it may be
 * sampled from outside all the same, why it does not load the collector; else NULL.
 */
int refuse(pid_t pid, char *why, size_t size, const char **beyond);

/* The sentence after ptrace() has failed with EPERM. Returns 1. */
int refuse_by_kernel(pid_t pid, char *why, size_t size);

#endif

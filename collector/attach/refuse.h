/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that collect does not attach to. Normal context of the launcher. */
#ifndef ERTOOLS_COLLECTOR_ATTACH_REFUSE_H
#define ERTOOLS_COLLECTOR_ATTACH_REFUSE_H

#include <stddef.h>
#include <sys/types.h>

/*
 * Can collect not attach to a process? 1, and a sentence without its full stop in why;
 * else 0. Changes nothing in the process. *beyond: if the process can be sampled from
 * outside instead, the reason why it cannot load the collector; else NULL.
 */
int refuse(pid_t pid, char *why, size_t size, const char **beyond);

/* Write to why the sentence for a ptrace() that has failed with EPERM. Returns 1. */
int refuse_by_kernel(pid_t pid, char *why, size_t size);

#endif

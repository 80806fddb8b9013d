/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Probes: counters of the calls of a function, by the kernel's uprobes. Normal context
 * of the launcher.
 *
 *   uprobe/PATH:FUNCTION/        each time that the function begins; PATH is a program
 *                                or library, nothing for the target itself
 *   uprobe/PATH:FUNCTION+N/      N bytes behind its beginning
 *   uprobe/PATH:0xN/             at this place of the file
 *   uprobe/PATH:FUNCTION%return/ each time that it returns
 *
 * FUNCTION is as the linker has it, or the plain name of a C++ function: ns::Class::f.
 * Such a counter is recorded as FILE:FUNCTION, FILE without its directories.
 */
#ifndef ERTOOLS_LAUNCH_PROBE_H
#define ERTOOLS_LAUNCH_PROBE_H

#include <stdint.h>

#include "collector/launch/counter.h"

/* 1 = spec has the form of a probe. */
int probe_is(const char *spec);

/* Bytes of the probe that spec begins with: its slashes and commas are its own. */
size_t probe_length(const char *spec);

/*
 * Resolve it; program: the target's file. The event's path is malloc'd and never freed.
 * 0, or -EINVAL with a sentence in error. If the kernel has no uprobes, the event's
 * type is PROBE_NONE.
 */
int probe_find(const char *spec, const char *program, struct counter_event *event,
               char name[COUNTER_NAME], char error[COUNTER_ERROR]);

/* The type of an event where the kernel has no probes: none. */
#define PROBE_NONE UINT32_MAX

/*
 * 1 = it counts returns. The kernel puts an address of its own in the place of the one
 * that such a function returns to, which ends walks of the stack, those of C++
 * exceptions too.
 */
int probe_is_return(const struct counter *counter);

/* Why one cannot be counted, in words. */
const char *probe_reason(int error);

/* What collect -h says: 0 if they can be counted here, or -errno. */
int probe_try(void);

#endif

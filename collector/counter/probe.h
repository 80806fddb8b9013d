/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Probes: counters of the calls of a function, by the kernel's uprobes. Normal context
 * of the launcher.
 *
 *   uprobe/PATH:FUNCTION/        each time that the function begins; PATH is a program
 *                                or library, nothing for the target itself
 *   uprobe/PATH:FUNCTION+N/      N bytes after its beginning
 *   uprobe/PATH:0xN/             at this place of the file
 *   uprobe/PATH:FUNCTION%return/ each time that it returns
 *
 * FUNCTION is as the linker has it, or the plain name of a C++ function: ns::Class::f.
 * Such a counter is recorded as FILE:FUNCTION, FILE without its directories.
 */
#ifndef ERTOOLS_COUNTER_PROBE_H
#define ERTOOLS_COUNTER_PROBE_H

#include <stdint.h>

#include "collector/counter/counter_event.h"

/* 1 = spec has the form of a probe. */
int probe_is(const char *spec);

/*
 * The length of the probe with which spec begins; its slashes and commas belong to it.
 */
size_t probe_length(const char *spec);

/*
 * Resolve a probe; program: the target's file. The event's path is malloc'd and never
 * freed. 0, or -EINVAL with a sentence in error. If the kernel has no uprobes, the
 * event's type is PROBE_NONE.
 */
int probe_find(const char *spec, const char *program, struct counter_event *event,
               char name[COUNTER_NAME], char error[COUNTER_ERROR]);

/* The type of a probe's event on a kernel that has no probes. */
#define PROBE_NONE UINT32_MAX

/*
 * 1 = the probe counts returns. For that the kernel replaces the function's return
 * address by an address of its own, at which stack walks end, also those of C++
 * exceptions.
 */
int probe_is_return(const struct counter *counter);

/* Why a probe cannot be counted (-errno), as a phrase. */
const char *probe_reason(int error);

/* For collect -h: 0 if probes can be counted here, or -errno. */
int probe_try(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Code that is copied into the target; see stub_x86_64.c. Offsets from stub_start. */
#ifndef ERTOOLS_COLLECTOR_ATTACH_STUB_H
#define ERTOOLS_COLLECTOR_ATTACH_STUB_H

extern const char stub_start[], stub_end[];
extern const char stub_call[];  /* a stopped thread: makes struct attach_call's call */
extern const char stub_quiet[]; /* the same for a debugger: a function, which returns */
extern const char stub_agent[]; /* our thread's start function: loads the library */

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A frame's registers, numbered as DWARF numbers them, and where the kernel keeps them
 * in a signal's context. Any context.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_REGS_H
#define ERTOOLS_COLLECTOR_SIG_REGS_H

#include <ucontext.h>

#include "share/types.h"

/*
 * Registers of a frame. pc is kept apart: not every architecture has it as a general
 * register.
 */
struct regs {
    u64 r[16];
    u64 pc;
    u32 known; /* bit n: r[n] is known; other registers must not be used */
};

#if defined(__x86_64__)
#include "collector/sig/regs_x86_64.h"
#else
#error "collector/sig: registers of this architecture are not written yet"
#endif

#endif

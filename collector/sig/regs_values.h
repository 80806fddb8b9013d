/* SPDX-License-Identifier: Apache-2.0 */
/* The values of a frame's registers; see collector/sig/regs.h. Any context. */
#ifndef ERTOOLS_COLLECTOR_SIG_REGS_VALUES_H
#define ERTOOLS_COLLECTOR_SIG_REGS_VALUES_H

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

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A frame's registers, numbered as DWARF numbers them, and where the kernel keeps them
 * in a signal's context, for the architecture that this is compiled for. Any context.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_REGS_H
#define ERTOOLS_COLLECTOR_SIG_REGS_H

#if defined(__x86_64__)
#include "collector/sig/regs_x86_64.h"
#else
#error "collector/sig: registers of this architecture are not written yet"
#endif

#endif

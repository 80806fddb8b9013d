/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytecodes of methods that HotSpot interprets, as they are in the class file. HotSpot
 * changes them in memory: its own opcodes are faster, and the operands lead to resolved
 * classes, methods and fields. Runs in signal handlers.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_HOTSPOT_BYTECODE_H
#define ERTOOLS_COLLECTOR_SIG_HOTSPOT_BYTECODE_H

#include "collector/sig/mem.h"
#include "share/types.h"

struct hotspot_bytecodes {
    u64 code;      /* address */
    u32 size;      /* bytes */
    u64 constants; /* address of the ConstantPool */
    u64 ticks;     /* the time of the method's record */
};

/*
 * Record the bytecodes of the last method recorded, and the names that they use. Call
 * with the lock of the sink held. Nothing is recorded if the bytecodes cannot be
 * restored, for example because a debugger has set a breakpoint in the method.
 */
void hotspot_bytecode(struct mem *m, const struct hotspot_bytecodes *method);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Methods that HotSpot's interpreter runs. A frame's place is the address of its
 * present bytecode; stack nodes have it like the address of machine code. Each method's
 * bytecodes are recorded as a function in the file madecode, with name and lines, when
 * a walk first finds the method. Runs in signal handlers.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_HOTSPOT_METHOD_H
#define ERTOOLS_COLLECTOR_SIG_HOTSPOT_METHOD_H

#include "collector/sig/hotspot_method_layout.h"
#include "collector/sig/mem.h"
#include "share/types.h"

/* Set the layout, which is copied. Normal context. */
void hotspot_set_methods(const struct hotspot_method_layout *layout);

/*
 * Forget the layout, and which methods have been recorded. Normal context, while no
 * thread is recorded.
 */
void hotspot_forget_methods(void);

struct hotspot_method {
    u64 code; /* address of its bytecodes */
    u32 size; /* bytes; 0 = the method has no bytecode */
};

/*
 * Read the Method at an address, and record it if that was not done yet. 0; -ENOENT: it
 * is not a Method, or cannot be recorded now: there is no file madecode, or its lock is
 * taken; -ENOSPC: no room for its records.
 */
int hotspot_method(struct mem *m, u64 address, struct hotspot_method *method);

#endif

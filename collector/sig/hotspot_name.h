/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names in HotSpot's structures, and how they are written. Runs in signal handlers.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_HOTSPOT_NAME_H
#define ERTOOLS_COLLECTOR_SIG_HOTSPOT_NAME_H

#include "collector/sig/hotspot_method_layout.h"
#include "collector/sig/mem.h"
#include "share/record.h"
#include "share/types.h"

/* The layout that hotspot_set_methods() was given. */
extern struct hotspot_method_layout hotspot_methods;

/* Load 16 bits into *value; 1, or 0 and *value unchanged. */
int hotspot_load_u16(struct mem *m, u64 at, u32 *value);

/* Set *text to a Symbol's characters, up to 1000, in the VM's memory. 0, -ENOENT. */
int hotspot_symbol(struct mem *m, u64 at, struct er_str *text);

/* Set *text to the Symbol at an index of a ConstantPool. 0, -ENOENT. */
int hotspot_constant(struct mem *m, u64 constants, u32 index, struct er_str *text);

/* A text that is being made; what does not fit is left out. */
struct hotspot_text {
    char *at;
    char *end;
};

void hotspot_put(struct hotspot_text *f, const char *s, u32 len);

/* Append a class as Java writes it: package.Class, or type[]. */
void hotspot_put_class(struct hotspot_text *f, struct er_str class);

/*
 * Append package.Class.method(types), as vm/java_method.c does for compiled methods. An
 * empty class is left out.
 */
void hotspot_put_method(struct hotspot_text *f, struct er_str class, struct er_str name,
                        struct er_str descriptor);

#endif

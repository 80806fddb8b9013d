/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Methods that HotSpot's interpreter runs. A frame's place is the address of its
 * present bytecode; stack nodes have it like the address of machine code. Each method's
 * bytecodes are recorded as a function in the file madecode, with name and lines, when
 * a walk first finds the method. Runs in signal handlers.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_HOTSPOT_METHOD_H
#define ERTOOLS_COLLECTOR_SIG_HOTSPOT_METHOD_H

#include "collector/sig/mem.h"
#include "share/types.h"

/*
 * Where the machine notes which constant a rewritten instruction uses: an array of
 * entries, each with an index of the constant pool.
 */
struct hotspot_entries {
    u32 array; /* in ConstantPoolCache: where the array is; HOTSPOT_NONE: it follows */
    u32 first; /* in the array, or in the ConstantPoolCache: where the entries begin */
    u32 index; /* 16 bits in an entry */
    u32 bytes; /* its size */
};

enum hotspot_use {
    HOTSPOT_FIELDS,
    HOTSPOT_CALLS,
    HOTSPOT_DYNAMIC, /* invokedynamic */
    HOTSPOT_USES,
};

/*
 * Offsets in the machine's structures, in bytes. HOTSPOT_NONE: it has no such member.
 */
struct hotspot_method_layout {
    u32 method_const;    /* Method: its ConstMethod */
    u32 const_constants; /* ConstMethod: its ConstantPool */
    u32 const_flags;
    u32 const_code_size; /* 16 bits, as the next two */
    u32 const_name;      /* indexes of the constant pool */
    u32 const_signature;
    u32 const_bytes; /* its size: bytecodes follow, and the table of lines */
    u32 const_lines; /* flag in const_flags: there is a table of lines */
    u32 pool_holder; /* ConstantPool: the class */
    u32 pool_source; /* 16 bits: index of the source file's name */
    u32 pool_bytes;  /* its size: the constants follow */
    u32 pool_tags;   /* an Array<u1>: the kinds of the constants */
    u32 pool_cache;  /* its ConstantPoolCache */
    u32 cache_references; /* an Array<u2>: what instructions ldc load */
    struct hotspot_entries entries[HOTSPOT_USES];
    u32 small_first; /* in an Array<u1> or Array<u2>: where the elements begin */
    u32 bytecodes;   /* 1 = all that is needed to record bytecodes is known */
    u32 class_name;  /* Klass: a Symbol */
    u32 symbol_length; /* 16 bits */
    u32 symbol_body;
    u32 version; /* of the machine, major */
};

/* Set the layout, which is copied. Called once, in normal context. */
void hotspot_set_methods(const struct hotspot_method_layout *layout);

struct hotspot_method {
    u64 code; /* its bytecodes */
    u32 size; /* 0 = the method has no bytecode */
};

/*
 * Read the Method at an address, and record it if that was not done yet. 0; -ENOENT: it
 * is no Method, or the layout is not known; -ENOSPC: no room for its records.
 */
int hotspot_method(struct mem *m, u64 address, struct hotspot_method *method);

#endif

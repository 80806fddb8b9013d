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
 * Where the machine keeps which constant a rewritten instruction uses: an array of
 * entries, each with an index of the constant pool. Offsets, in bytes:
 */
struct hotspot_entries {
    u32 array; /* ConstantPoolCache: the array's address; HOTSPOT_NONE: see first */
    u32 first; /* the array, or else the ConstantPoolCache: the entries */
    u32 index; /* an entry: the index, 16 bits */
    u32 bytes; /* size of an entry */
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
    u32 const_bytes; /* size of a ConstMethod: bytecodes and line table follow */
    u32 const_lines; /* flag in const_flags: there is a table of lines */
    u32 pool_holder; /* ConstantPool: the class */
    u32 pool_source; /* 16 bits: index of the source file's name */
    u32 pool_bytes;  /* size of a ConstantPool: the constants follow */
    u32 pool_tags;   /* an Array<u1>: the kinds of the constants */
    u32 pool_cache;  /* its ConstantPoolCache */
    u32 cache_references; /* an Array<u2>: what instructions ldc load */
    struct hotspot_entries entries[HOTSPOT_USES];
    u32 small_first; /* Array<u1> or Array<u2>: the first element */
    u32 bytecodes;   /* 1 = all that is needed to record bytecodes is known */
    u32 class_name;  /* Klass: a Symbol */
    u32 symbol_length; /* 16 bits */
    u32 symbol_body;
    u32 version; /* major version of the machine */
};

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

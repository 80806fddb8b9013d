/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the members of methods, constant pools and names are in HotSpot's structures.
 * vm/hotspot_layout.c finds that out in normal context; the walk's readers use it in
 * signal handlers.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_HOTSPOT_METHOD_LAYOUT_H
#define ERTOOLS_COLLECTOR_SIG_HOTSPOT_METHOD_LAYOUT_H

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
 * Offsets in the machine's structures, in bytes. HOTSPOT_NONE (hotspot.h): it has no
 * such member.
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

#endif

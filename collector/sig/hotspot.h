/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames of Java's HotSpot VM. Its structures say where its code is and how large the
 * frames are; libjvm.so exports their layout for debuggers (gHotSpotVMStructs). Signal
 * handlers, except hotspot_set().
 */
#ifndef ERTOOLS_COLLECTOR_SIG_HOTSPOT_H
#define ERTOOLS_COLLECTOR_SIG_HOTSPOT_H

#include "collector/sig/mem.h"
#include "collector/sig/regs.h"
#include "share/types.h"

/*
 * The layout. Members named *_at are addresses of the VM's variables; the others are
 * offsets in its structures, in bytes. HOTSPOT_NONE: this version has no such member.
 */
#define HOTSPOT_NONE (~0u)

struct hotspot_layout {
    u64 heaps_at;      /* CodeCache::_heaps: an array of heaps */
    u64 heap_at;       /* CodeCache::_heap: one heap, in JDK 8 */
    u64 interpreter_at; /* AbstractInterpreter::_code */
    u32 array_length; /* GrowableArrayBase */
    u32 array_data;
    u32 heap_memory; /* CodeHeap */
    u32 heap_segmap;
    u32 heap_log2;
    u32 space_low; /* VirtualSpace */
    u32 space_high;
    u32 space_low_boundary;
    u32 space_high_boundary;
    u32 block_bytes; /* HeapBlock */
    u32 block_used;
    u32 blob_code_begin;  /* CodeBlob: an address, or */
    u32 blob_code_offset; /* bytes from the blob */
    u32 blob_code_end;    /* an address, or */
    u32 blob_data_offset; /* bytes from the blob: what follows the code */
    u32 blob_frame_size;  /* words, with the return address; 0 = it has no frame */
    u32 blob_size;
    u32 blob_name;
    u32 nmethod_verified_entry;  /* nmethod: an address, or */
    u32 nmethod_verified_offset; /* bytes from its code, 16 bits */
    u32 nmethod_osr_entry;
    u32 queue_buffer; /* StubQueue */
    u32 queue_limit;
    u32 frame_method; /* words below where bp points in an interpreter's frame */
    u32 frame_bcp;
};

/* Set the layout, which is copied: the VM is in the process. Once. */
void hotspot_set(const struct hotspot_layout *layout);

/*
 * Where the outermost frame on the stack of a virtual thread returns to while others of
 * it are still in the heap; 0 = not known. What follows on the stack is its carrier's.
 */
extern u64 hotspot_heap_frames;

/* 1 if pc is in the memory that the machine has reserved for its code. */
int hotspot_holds(u64 pc);

enum hotspot_kind {
    HOTSPOT_COMPILED,    /* a method, or a piece of the machine's with a frame */
    HOTSPOT_STUB,        /* a piece without one that it knows of */
    HOTSPOT_INTERPRETER,
};

/* A piece of code. */
struct hotspot_blob {
    u64 start; /* its structure; the code follows */
    u64 code;
    u64 code_end;
    u64 end; /* of all that belongs to it */
    u64 memory; /* [memory, memory_end): it is in; all of this can be read */
    u64 memory_end;
    u32 kind;      /* enum hotspot_kind */
    u32 frame;     /* bytes from sp to behind the return address; 0 = no frame */
};

/* 1 if the piece is a method, compiled or native, and not one of the machine's own. */
int hotspot_is_method(const struct hotspot_blob *blob);

/* 1 if it is one of the pieces that are made as the machine starts, and stay. */
int hotspot_stays(const struct hotspot_blob *blob);

/*
 * Of a compiled method: the address where it is called, and the address where a loop
 * that began in the interpreter enters it (OSR); 0 = there is none.
 */
void hotspot_entries(const struct hotspot_blob *blob, u64 *entry, u64 *osr_entry);

/* The layout, once it is set. */
extern struct hotspot_layout hotspot_layout;

struct hotspot_method;

/* hotspot_method(), once its structures are known, or NULL. */
extern int (*hotspot_find_method)(struct mem *m, u64 address,
                                  struct hotspot_method *method);

/* The piece that pc is in. 0, -ENOENT. */
int hotspot_find(u64 pc, struct hotspot_blob *blob);

/* A frame in the machine's code. */
struct hotspot_frame {
    const struct regs *regs; /* all of its registers, or NULL if they are not known */
    u32 exact;               /* it was interrupted at pc */
    u64 pc;
    u64 sp;
    u64 bp;
    u64 place; /* the address of the bytecode that it interprets, or: */
    u64 rule;  /* after a step: the same for each frame at this pc; 0 = it is not */
    u64 code;  /* with a rule: where its method begins; 0 = what stays for ever */
};

enum {
    HOTSPOT_NO_PLACE = 0, /* it interprets nothing */
    HOTSPOT_ANY_PLACE = 1, /* something, that is not known */
};

/*
 * Step to the caller. 0 with its state in pc, sp and bp, or -ENOENT; in both cases with
 * `place`, which is of the frame that the step began at.
 */
int hotspot_step(struct mem *m, struct hotspot_frame *frame);

#endif

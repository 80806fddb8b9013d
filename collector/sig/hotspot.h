/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames of Java's HotSpot VM. Its structures say where its code is and how large the
 * frames are; libjvm.so exports their layout for debuggers (gHotSpotVMStructs). All
 * functions but hotspot_set() run in signal handlers.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_HOTSPOT_H
#define ERTOOLS_COLLECTOR_SIG_HOTSPOT_H

#include "collector/sig/mem.h"
#include "collector/sig/regs.h"
#include "share/types.h"

/*
 * The layout. Members named *_at are addresses of the VM's variables; the others are
 * offsets in its structures, in bytes. HOTSPOT_NONE: this version has no such member. A
 * comment that begins with a structure's name names it for the next members, too.
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
    u32 blob_code_begin;  /* CodeBlob: the address of its code */
    u32 blob_code_offset; /* or else bytes from the blob to its code */
    u32 blob_code_end;    /* the address of the code's end */
    u32 blob_data_offset; /* or else bytes from the blob to the code's end */
    u32 blob_frame_size;  /* words, with the return address; 0 = it has no frame */
    u32 blob_size;
    u32 blob_name;
    u32 nmethod_verified_entry;  /* nmethod: the entry's address */
    u32 nmethod_verified_offset; /* or else its distance from the code, 16 bits */
    u32 nmethod_osr_entry;
    u32 queue_buffer; /* StubQueue */
    u32 queue_limit;
    /* In an interpreter's frame, both in words below where bp points: */
    u32 frame_method;
    u32 frame_bcp;
};

/* Set the layout, which is copied. Called once, when the VM is in the process. */
void hotspot_set(const struct hotspot_layout *layout);

/*
 * The address to which the outermost frame on a virtual thread's stack returns while
 * further frames of the thread are still in the heap; 0 = not known. The next frames on
 * the stack are those of the carrier thread.
 */
extern u64 hotspot_heap_frames;

/* 1 if pc is in the memory that the machine has reserved for its code. */
int hotspot_holds(u64 pc);

enum hotspot_kind {
    HOTSPOT_COMPILED,    /* a method, or other code with a known frame size */
    HOTSPOT_STUB,        /* code whose frame size the machine does not know */
    HOTSPOT_INTERPRETER,
};

/* A piece of the machine's code (CodeBlob). */
struct hotspot_blob {
    u64 start; /* address of its structure; the code follows */
    u64 code;
    u64 code_end;
    u64 end; /* end of the whole blob, which may have data after the code */
    u64 memory; /* [memory, memory_end): the readable heap that it is in */
    u64 memory_end;
    u32 kind;      /* enum hotspot_kind */
    u32 frame;     /* bytes from sp to the return address's end; 0 = no frame */
};

/* 1 if the blob is a method, compiled or native, not the machine's own code. */
int hotspot_is_method(const struct hotspot_blob *blob);

/* 1 if the blob is one of the machine's StubRoutines, which are never freed. */
int hotspot_stays(const struct hotspot_blob *blob);

/*
 * Find the addresses at which a compiled method is entered: by calls, and by a loop
 * that began in the interpreter (OSR); 0 = there is none.
 */
void hotspot_entries(const struct hotspot_blob *blob, u64 *entry, u64 *osr_entry);

/* The layout, once it is set. */
extern struct hotspot_layout hotspot_layout;

struct hotspot_method;

/* hotspot_method(), or NULL while the layout of methods is not known. */
extern int (*hotspot_find_method)(struct mem *m, u64 address,
                                  struct hotspot_method *method);

/* Find the blob that pc is in. 0, -ENOENT. */
int hotspot_find(u64 pc, struct hotspot_blob *blob);

/* A frame in the machine's code. */
struct hotspot_frame {
    const struct regs *regs; /* all of its registers, or NULL if they are not known */
    u32 exact;               /* 1 = it was interrupted at pc */
    u64 pc;
    u64 sp;
    u64 bp;
    u64 place; /* address of the bytecode that it interprets, or HOTSPOT_*_PLACE */
    u64 rule;  /* after a step: the rule for each frame at this pc; 0 = none */
    u64 code;  /* with a rule: its method's code; 0 = in code that is never freed */
};

enum {
    HOTSPOT_NO_PLACE = 0, /* it interprets nothing */
    HOTSPOT_ANY_PLACE = 1, /* it interprets something unknown */
};

/*
 * Step to the caller. 0 with the caller's state in pc, sp and bp, or -ENOENT. In both
 * cases `place` is set, for the frame where the step began.
 */
int hotspot_step(struct mem *m, struct hotspot_frame *frame);

#endif

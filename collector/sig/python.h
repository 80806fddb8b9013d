/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Python frames of a thread, read from CPython's structures. Runs in signal
 * handlers and, for interposed functions, in normal context; no locks. Every load may
 * fail; an implausible value ends the list of frames there.
 *
 * The frames become a stack of their own, of nodes with NODE_CODE; a node with
 * NODE_MIXED joins it with the native stack. Readers merge the two stacks at the calls
 * of the interpreter's evaluation function.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_PYTHON_H
#define ERTOOLS_COLLECTOR_SIG_PYTHON_H

#include <ucontext.h>

#include "collector/sig/code.h"
#include "collector/sig/regs.h"
#include "collector/sig/thread.h"
#include "share/types.h"

enum {
    PYTHON_FRAMES = 16384, /* maximum; of a deeper stack, the innermost frames */
    PYTHON_KEPT = 512,     /* a deeper stack is not kept for the next time */
};

/* A frame, kept from one reading of the thread's stack for the next. */
struct python_kept {
    u64 frame; /* its address */
    u64 code;  /* address of its code object */
    u32 hint;  /* python_hint() */
    u32 id;    /* this and the next two: struct python_code */
    u32 first;
    u32 until;
    u32 node; /* node of the stack from the root to here */
    u32 hash; /* hash of that node */
    u64 key;  /* node_key() */
};

/* A thread's Python frames, the innermost first. */
struct python_stack {
    u32 n;    /* 0 = none is kept */
    u32 file; /* node_file that the nodes belong to */
    struct python_kept kept[PYTHON_KEPT];
};

enum {
    PYTHON_STACKS = CODE_BUFFER + PYTHON_FRAMES * (int)sizeof(u64), /* an offset */
    PYTHON_MEMORY = PYTHON_STACKS + 2 * (int)sizeof(struct python_stack),
};

/*
 * Give a thread its memory for reading frames: PYTHON_MEMORY bytes, touched only on
 * use.
 */
static inline void
python_memory(struct thread *t, char *mem)
{
    t->code_buffer = mem;
    t->python_keys = (u64 *)(void *)(mem + CODE_BUFFER);
    t->python_stack = (struct python_stack *)(void *)(mem + PYTHON_STACKS);
}

/* How the outermost frame of each call of the evaluation function is recognised. */
enum python_entry {
    PYTHON_EACH,  /* each frame is one: up to 3.10 */
    PYTHON_FLAG,  /* a byte that is not 0 says so: 3.11 */
    PYTHON_OWNER, /* its caller is a frame that the evaluation function owns */
};

/* How a frame stores its current instruction. */
enum python_instr {
    PYTHON_BYTES,   /* an int: an index in bytes */
    PYTHON_UNITS,   /* an int: an index in units of two bytes */
    PYTHON_POINTER, /* the address of an instruction */
};

/* Offsets, in bytes, in an interpreter's structures. */
struct python_layout {
    u32 version; /* 0x030b: 3.11 */
    u32 runtime_head;    /* _PyRuntime: the first interpreter */
    u32 runtime_current; /* the thread state that has the GIL, 0 = look at the status */
    u32 interp_next;
    u32 interp_threads; /* the first thread state, the newest */
    u32 state_prev;
    u32 state_next;
    u32 state_thread; /* pthread_self() */
    u32 state_id;     /* a number, never used again */
    u32 state_status; /* bit 4: it is the running one of its thread */
    u32 state_frame;
    u32 cframe_frame; /* offset + 1; 0 = the state points to the frame itself */
    u32 frame_back;
    u32 frame_globals;
    u32 frame_code;
    u32 frame_instr;
    u32 frame_entry; /* the byte for PYTHON_FLAG and PYTHON_OWNER */
    u32 entry;       /* enum python_entry */
    u32 owner;       /* PYTHON_OWNER: the function's own frames have this or more */
    u32 instr;       /* enum python_instr */
    u32 code_line;   /* int */
    u32 code_name;
    u32 code_file;
    u32 code_lines;
    u32 code_code;  /* where instructions begin, for PYTHON_POINTER */
    u32 code_first; /* int: the first unit that belongs to the frame; 0 = all do */
    u32 table;      /* enum er_code_table */
    u32 ascii;      /* bytes before an ASCII string's characters */
    u32 compact;    /* bytes before other strings' characters */
    u32 kind_shift; /* bit at which a string's state has its characters' size */
    u32 tag;        /* bits of frame_code that do not belong to the address */
    /* Objects, strings and bytes, whose heads are longer without the global lock. */
    u32 object_type;
    u32 text_length; /* a string's hash follows it */
    u32 text_state;
    u32 bytes_size;
    u32 bytes_data;
    /* Without the global lock, 3.14 has a copy of a code's instructions per thread. */
    u32 code_copies; /* the table of copies; 0 = there are none */
    u32 frame_copy;  /* int: the index in that table */
};

/* The interpreter in this process; runtime is set last, 0 = none. */
struct python {
    u64 runtime;   /* _PyRuntime */
    u64 code_type; /* PyCode_Type */
    u64 data_lo;   /* [data_lo, data_hi): the segment that holds _PyRuntime */
    u64 data_hi;
    u32 data_stays;  /* 1 = the segment is the program's own: nobody unmaps it */
    u32 frame_bytes; /* all that is read of a frame lies within these */
    struct python_layout layout;
};

extern struct python python;

/* Set the layout, and frame_bytes from it. Normal context. */
void python_set(const struct python_layout *l);

/*
 * The node of the stack of t, the calling thread, with its Python frames; `native`
 * itself if it has none, or if there was no room. sp: the stack pointer of the
 * interrupted code; sig_python_add() uses that of its own frame.
 */
u32 sig_python_at(struct thread *t, u32 native, u64 sp);
u32 sig_python_add(struct thread *t, u32 native);

static inline u32
sig_python(struct thread *t, u32 native, const ucontext_t *uc)
{
    u64 sp = (u64)uc->uc_mcontext.gregs[regs_context_index(REGS_SP)];

    return ER_UNLIKELY(__atomic_load_n(&python.runtime, __ATOMIC_ACQUIRE)) && native
               ? sig_python_at(t, native, sp)
               : native;
}

/* State of one reading of a thread's Python frames; shared with python_code.c. */
struct mem;

struct python_context {
    struct mem *m;
    const struct python_layout *l;
    struct thread *t;
    u64 ticks; /* when it began */
};

/* The word at an address, 0 when it cannot be read. */
u64 python_load(const struct python_context *k, u64 address);

/* A frame's code object. */
struct python_code {
    u32 id;    /* number of code.h; 0 = it got none */
    u32 first; /* a frame below this index is still being made: skip it */
    u32 until; /* for code_is_believed() */
};

/* The hint for code_quick(). */
static inline u32
python_hint(u64 globals)
{
    return (u32)(globals >> 4);
}

/*
 * Identify the code object of a frame with these globals. 1; 0 = it is not a code
 * object.
 */
int python_code(const struct python_context *k, u64 code, u64 globals,
                struct python_code *out);

#endif

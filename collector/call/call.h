/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of named functions. A slot (a word that a relocation has filled) is redirected
 * to a trampoline, one for each function of each object. The trampoline saves all
 * registers, calls call_enter(), which reads the arguments, calls the real function
 * with a copy of the stack words that its type needs, and calls call_leave(), which
 * writes the record.
 *
 * Normal context of any thread, and of the target's signal handlers. Nothing here
 * changes errno.
 */
#ifndef ERTOOLS_COLLECTOR_CALL_CALL_H
#define ERTOOLS_COLLECTOR_CALL_CALL_H

#include "collector/hook/trace.h"
#include "share/calltype.h"
#include "share/types.h"

enum {
    CALL_FUNCTIONS = 2048,
    CALL_TARGETS = 4096, /* trampolines; the assembly repeats this number */
    CALL_DEPTH = 200,    /* open calls that are kept in the list of a thread */
    CALL_PAGES = 16,     /* pages that a thread remembers as readable */
    /*
     * Bytes for the encoded values of a call. put_varint() may write 8 bytes beyond a
     * value's end.
     */
    CALL_BYTES = CALL_VALUES * CALL_VALUE_BYTES + 8,
};

/* A function named with -T; `row` points into the text of the table. */
struct call_function {
    struct call_type type;
    const char *row;
    const char *name; /* ends with a zero */
    u32 row_len;
    u32 name_len;
    u32 first; /* index of its first target, + 1; 0 = none */
    u32 next;  /* index of the next function with the same hash, + 1; 0 = none */
};

/* One real function, of one object. */
struct call_target {
    u64 real;
    const struct call_function *function; /* NULL = left from an earlier recording */
    /* number of slots, and of results of dlsym(), that lead to its trampoline */
    u32 slots;
    u32 noted; /* pid of the process that has recorded it, with noted_slots; 0 = none */
    u32 noted_slots;
    u32 next;  /* index of the function's next target, + 1; 0 = none */
};

/* A call that has not ended. */
struct call_open {
    u64 frame; /* address of its struct call_frame */
    u64 since; /* ticks when the call began */
    const struct call_target *target;
    u32 node;
    u32 len; /* bytes of values in use */
    unsigned char values[CALL_BYTES];
};

/*
 * What the trampoline saves, on the caller's stack. The assembly uses the offsets of
 * all members before `spare`.
 */
struct call_frame {
    u64 sse[8][2];
    u64 general[6];
    u64 rax;
    u64 r10;
    u64 preserved[5]; /* rbx, r12 to r15 */
    u64 index;        /* index of the target in call_targets */
    u64 words;        /* number of words of the stack to copy */
    u64 real;
    u64 x87;          /* how many results are in x87 registers */
    u64 result[2];    /* rax, rdx */
    u64 result_sse[2][2];
    u64 result_x87[2][2];
    struct call_open *open;
    struct call_open spare; /* for calls that are not in the thread's list */
    u64 bp;           /* the caller's rbp; the trampoline's rbp points here */
    u64 pc; /* where the caller continues */
    u64 stack[];      /* arguments that the caller passed on the stack */
};

/* The open calls of a thread. */
struct call_thread {
    struct thread *thread;
    u32 pid; /* of the process to which the list belongs */
    u32 depth; /* number of calls in `open` */
    /* number of open calls that are not in `open`, but in their frames */
    u32 elsewhere;
    struct {
        u64 page; /* number of a page that could be read: address / page size */
        u64 ticks; /* when it was tested */
    } page[CALL_PAGES];
    struct call_open open[CALL_DEPTH];
};

extern struct call_function *call_functions;
extern u32 call_function_count;
extern struct call_target call_targets[CALL_TARGETS];
extern u32 call_target_count;

/* The table of trampolines; each has 16 bytes. */
extern const char call_trampolines[];

/* Called by the assembly. 1 = record it: copy frame->words words; 0 = jump to real. */
int call_enter(struct call_frame *frame);
void call_leave(struct call_frame *frame);

/*
 * call_table.c: read the functions named with -T from the founder's directory. 0 or
 * -errno; -ENOENT = there are none. Find one by its name; NULL = it is not named.
 */
int call_table_read(const char *directory);
const struct call_function *call_table_find(const char *name);

/*
 * call_slots.c: redirect the slots of all objects. Does nothing if no object was loaded
 * since the last call. If another thread is doing this, it repeats the search.
 */
void call_slots_update(void);

/*
 * A recording begins. In a process that ran before this library was loaded, slots are
 * left alone until call_slots_redirect(1); call_slots_redirect(0) restores them.
 */
void call_slots_begin(void);
void call_slots_redirect(int on);

/*
 * What dlsym() returns instead of found: our trampoline, if the function was named,
 * else found itself. Found itself also while another thread searches slots.
 */
void *call_slots_symbol(const char *name, void *found);

/* call_note.c: write the record of a target, and set target->noted. */
void call_record_target(struct trace_scope *s, struct call_target *target);

/* Call when another recording of this process begins: texts get new numbers there. */
void call_record_begin(void);

/*
 * call_value.c: write the values that are read before the call, and after it, to `to`.
 * Return the end of what was written. *result: set to the function's result as an
 * integer, to judge it, if the type has a result.
 */
unsigned char *call_value_before(struct trace_scope *s, const struct call_frame *frame,
                                 const struct call_function *f, unsigned char *to);
unsigned char *call_value_after(struct trace_scope *s, const struct call_frame *frame,
                                const struct call_function *f, unsigned char *to,
                                int64_t *result);

/*
 * call_text.c: the number of a text, of which at most `limit` bytes are recorded. 0 =
 * the address is NULL, 1 = the text cannot be read or recorded.
 */
u32 call_text_string(struct trace_scope *s, u64 address, u32 limit);
u32 call_text_bytes(struct trace_scope *s, u64 address, u64 len, u32 limit);

/*
 * Can `len` bytes of the target's memory at address be read? May use the result of a
 * test up to 1 ms ago.
 */
int call_text_readable(struct trace_scope *s, u64 address, u32 len);

/* Forget the numbers of all texts: a forked child writes records of its own. */
void call_text_forget(void);

/* The thread's list of open calls, or NULL. It may be from before a fork (pid). */
static inline struct call_thread *
call_thread_of(struct trace_scope *s)
{
    return s->t->trace[TRACE_call].own;
}

#endif

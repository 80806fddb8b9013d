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
    CALL_DEPTH = 200,    /* open calls of a thread that are kept */
    CALL_PAGES = 16,     /* pages of the target's memory known to be readable */
    /* put_varint() writes beyond its end. */
    CALL_BYTES = CALL_VALUES * CALL_VALUE_BYTES + 8,
};

/* A function that was named; its row lies where the table was read. */
struct call_function {
    struct call_type type;
    const char *row;
    const char *name; /* ends with a zero */
    u32 row_len;
    u32 name_len;
    u32 first; /* its targets, + 1 */
    u32 next;  /* of the same hash, + 1 */
};

/* One real function, of one object. */
struct call_target {
    u64 real;
    const struct call_function *function; /* NULL = not of this recording */
    u32 slots; /* words that lead here */
    u32 noted; /* pid whose records name it, with so many slots: */
    u32 noted_slots;
    u32 next;  /* of the same function, + 1 */
};

/* A call that has not ended. */
struct call_open {
    u64 frame; /* address of its struct call_frame */
    u64 since; /* ticks */
    const struct call_target *target;
    u32 node;
    u32 len;
    unsigned char values[CALL_BYTES];
};

/*
 * What the trampoline keeps, on the caller's stack. The assembly has the offsets of
 * what is before `spare`.
 */
struct call_frame {
    u64 sse[8][2];
    u64 general[6];
    u64 rax;
    u64 r10;
    u64 preserved[5]; /* rbx, r12 to r15 */
    u64 index;        /* of the target */
    u64 words;        /* of the stack to copy */
    u64 real;
    u64 x87;          /* how many results are there */
    u64 result[2];    /* rax, rdx */
    u64 result_sse[2][2];
    u64 result_x87[2][2];
    struct call_open *open;
    struct call_open spare; /* for calls that are not kept in the thread's list */
    u64 bp;           /* of the caller: where the trampoline's rbp points */
    u64 pc;
    u64 stack[];      /* arguments of the caller's */
};

/* A thread's. */
struct call_thread {
    struct thread *thread;
    u32 pid;
    u32 depth;
    u32 elsewhere; /* open calls that are not in `open` */
    struct {
        u64 page;
        u64 ticks;
    } page[CALL_PAGES];
    struct call_open open[CALL_DEPTH];
};

extern struct call_function *call_functions;
extern u32 call_function_count;
extern struct call_target call_targets[CALL_TARGETS];
extern u32 call_target_count;

/* The row that the trampolines begin at; each has 16 bytes. */
extern const char call_trampolines[];

/* Called by the assembly. 1 = record it: copy frame->words words; 0 = jump to real. */
int call_enter(struct call_frame *frame);
void call_leave(struct call_frame *frame);

/* call_table.c: read the rows. 0 or -errno. */
int call_table_read(const char *directory);
const struct call_function *call_table_find(const char *name);

/* call_slots.c: redirect slots, first in all objects, later in new ones. */
void call_slots_look(void);

/*
 * A recording begins. In a process that ran before, slots are left alone until
 * call_slots_lead(1), and call_slots_lead(0) restores them.
 */
void call_slots_begin(void);
void call_slots_lead(int on);

/* What dlsym() returns instead of found: our trampoline, if the function was named. */
void *call_slots_symbol(const char *name, void *found);

/* call_note.c: write the record of a target, unless this process has done so. */
void call_note_target(struct trace_scope *s, struct call_target *target);

/* Another recording of this process begins: its texts have other numbers. */
void call_note_begin(void);

/* call_value.c: write values before the call, and after it. Return the new end. */
unsigned char *call_value_before(struct trace_scope *s, const struct call_frame *frame,
                                 const struct call_function *f, unsigned char *to);
unsigned char *call_value_after(struct trace_scope *s, const struct call_frame *frame,
                                const struct call_function *f, unsigned char *to,
                                int64_t *result);

/* call_text.c: the number of a text. 0 = NULL, 1 = it cannot be read or kept. */
u32 call_text_string(struct trace_scope *s, u64 address, u32 limit);
u32 call_text_bytes(struct trace_scope *s, u64 address, u64 len, u32 limit);

/* Is the target's memory readable there? */
int call_text_readable(struct trace_scope *s, u64 address, u32 len);

/* A forked child's records begin anew. */
void call_text_forget(void);

/* This thread's, or NULL. */
static inline struct call_thread *
call_thread_of(struct trace_scope *s)
{
    return s->t->trace[TRACE_call].own;
}

#endif

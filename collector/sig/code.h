/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interpreted code that stack nodes refer to. Each code object gets a number when a
 * walk first finds it, and a record with its name, file and lines. The functions run in
 * signal handlers of all threads and, for interposed functions, in normal context; no
 * locks. code_start() is for normal context.
 *
 * A code object is identified by its address and by a check word, made from a few of
 * its fields. If it is freed and another one is made at the same address, the check
 * differs.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_CODE_H
#define ERTOOLS_COLLECTOR_SIG_CODE_H

#include "share/code.h"
#include "share/record.h"
#include "share/types.h"

struct thread;

enum {
    CODE_BUFFER = 8192, /* bytes of a thread's buffer for the strings of a record */
    CODE_NAME_MAX = 500, /* bytes; longer names are cut */
    CODE_FILE_MAX = 2000, /* bytes; longer paths are cut */
    CODE_PIECE = 3000,      /* bytes of a line table in one record */
    CODE_LINES_MAX = 1 << 18, /* bytes; only smaller tables are copied */
};

_Static_assert(CODE_NAME_MAX + CODE_FILE_MAX + CODE_PIECE <= CODE_BUFFER, "room");

/* Forget all code objects. Call while no handler is running. */
void code_start(void);

/* What is known of a code object. */
struct code_known {
    u32 id;    /* 0 = it is not known */
    u32 weak;  /* argument of code_new(); 0 = address and check identify it */
    u32 saved; /* 1 = its records are written */
    u32 first; /* argument of code_new() */
    u32 until; /* for code_is_believed(); 0 = never assume it unchanged */
};

/*
 * Like code_find(), but without reading the code object, since probing its memory takes
 * a system call. A code object that was found by its check less than a second ago, with
 * the same hint, is assumed to be unchanged. hint: another value that belongs to it.
 * Never finds code objects that are weak, or not saved. 1 = found.
 */
int code_quick(u64 object, u32 hint, u64 ticks, struct code_known *known);

/*
 * May a code object still be assumed to be unchanged at time `ticks`? until: from
 * struct code_known.
 */
int code_is_believed(u32 until, u64 ticks);

/*
 * Look up a code object by address and check. Sets *known, with id 0 if the object is
 * not known, and with until 0.
 */
void code_find(u64 object, u64 check, struct code_known *known);

/*
 * Add a code object. weak: one more word that identifies it (0 = none), which callers
 * of code_find() must compare. first: any value that the interpreter's reader wants
 * back. Returns the code object's number; 0 = no number is left.
 */
u32 code_new(u64 object, u64 check, u32 weak, u32 first);

/* Set `saved`: the records of this code object have been written. */
void code_saved(u64 object, u64 check);

/*
 * Record for code_quick() that a code object was found by its check, with this hint.
 * Returns `until` for struct code_known; 0 also if the object is weak or not saved.
 */
u32 code_seen(u64 object, u64 check, u32 hint, u64 ticks);

/*
 * Block all signals but SIGBUS while a code's records are made and written, so that no
 * handler uses the thread's buffer. *before: for code_unblock(). 1, or 0 on failure.
 */
int code_block(u64 *before);
void code_unblock(u64 before);

/*
 * Write the records of a code object, with signals blocked. what->name and what->file
 * may be in the thread's buffer, but not in its last CODE_PIECE bytes: there lines()
 * copies `len` bytes of the line table from offset `at`, or returns 0 if it cannot; the
 * rest of the table is then left out. Returns 1 = written, 0 = no room: try again when
 * a walk finds this code object again.
 */
typedef int code_lines(void *arg, u32 at, char *to, u32 len);
int code_write(struct thread *t, struct rec_code *what, code_lines *lines, void *arg);

#endif

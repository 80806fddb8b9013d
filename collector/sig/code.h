/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interpreted code that stack nodes name: each gets a number when it is first met, and
 * a record with its name, file and lines. Signal handlers of all threads and, for
 * interposed functions, normal context; no locks. code_start() is normal context.
 *
 * A code is known by where it is and by a word of check, which holds what its
 * interpreter can say of it with few loads. Where code is freed and other code comes to
 * lie at its place, the check differs, and that is another code.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_CODE_H
#define ERTOOLS_COLLECTOR_SIG_CODE_H

#include "collector/sig/thread.h"
#include "share/code.h"
#include "share/record.h"
#include "share/types.h"

enum {
    CODE_BUFFER = 8192, /* of a thread, for what goes into a record */
    CODE_NAME_MAX = 500, /* bytes; longer names are cut */
    CODE_FILE_MAX = 2000,
    CODE_PIECE = 3000,      /* of a table of lines, in a record */
    CODE_LINES_MAX = 1 << 18, /* longer tables are not copied */
};

_Static_assert(CODE_NAME_MAX + CODE_FILE_MAX + CODE_PIECE <= CODE_BUFFER, "room");

/* Forget all. No handler is running. */
void code_start(void);

/* A code that is known. */
struct code_known {
    u32 id;    /* 0 = it is not known */
    u32 weak;  /* argument of code_new(): 0 = place and check are enough */
    u32 saved; /* 1 = its records are written */
    u32 first; /* argument of code_new() */
};

/*
 * The same without a look at the code itself, whose memory would have to be asked for:
 * hint is what else goes with it. What was found by its check less than a second ago is
 * believed to be there still. For code that is not weak. 1 = it is known.
 */
int code_quick(u64 object, u32 hint, u64 ticks, struct code_known *known);

void code_find(u64 object, u64 check, struct code_known *known);

/*
 * Know a code from now on; weak: more that identifies it (0 = nothing), which
 * whoever finds it has to compare; first: whatever its interpreter wants to know again.
 * Its number.
 */
u32 code_new(u64 object, u64 check, u32 weak, u32 first);

/* The records of this code are written. */
void code_saved(u64 object, u64 check);

/* It has been found by its check, and with this hint: for code_quick(). */
void code_seen(u64 object, u64 check, u32 hint, u64 ticks);

/*
 * While a code's records are made and written: all signals but SIGBUS are blocked, so
 * that the thread's buffer is nobody else's. 0 = that is not possible.
 */
int code_block(u64 *before);
void code_unblock(u64 before);

/*
 * Write the records of a code, signals blocked. what->name and what->file may be in the
 * thread's buffer, but not in its last CODE_PIECE bytes, where lines() is to copy `len`
 * bytes of the table from `at`; it returns 0 when it cannot. 1 = written, 0 = no room:
 * try again when it is met again.
 */
typedef int code_lines(void *arg, u32 at, char *to, u32 len);
int code_write(struct thread *t, struct rec_code *what, code_lines *lines, void *arg);

#endif

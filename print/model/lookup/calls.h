/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that the user has named, the texts that their arguments had, and the
 * single calls of them, which call/callbuild.h reads. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_LOOKUP_CALLS_H
#define ERTOOLS_PRINT_MODEL_LOOKUP_CALLS_H

#include <stdbool.h>

#include "print/model/tracescan.h"
#include "share/calltype.h"
#include "share/record.h"

/*
 * A function; one entry for all experiments in which it was named by the same row of
 * -T.
 */
struct call_name {
    const char *row; /* ends with a zero */
    const char *name;
    u32 row_len;
    u32 slots;  /* words that led to it, over all processes */
    bool known; /* its type is known */
    struct call_type type;
};

struct call_made {
    u32 experiment;
    u32 slot;  /* thread: index in threads.row + 1, 0 = none */
    u32 name;  /* index in calls.name */
    u32 node;  /* for stacks_of() */
    u32 end;   /* enum er_call_end */
    u32 error; /* errno, 0 = none or not known */
    u64 since; /* ns from the start of the run to its end */
    u64 took;  /* ns */
    u64 self;  /* ns: took, less that of recorded calls inside it */
    struct er_str values; /* lives as long as the session has the experiment */
};

/* A text; id within its experiment. */
struct call_text {
    u32 experiment;
    u32 id;
    bool cut;
    struct er_str text;
};

struct calls {
    bool recorded; /* an experiment has data of calls, or -T asked for them */
    struct call_made *made; /* by experiment, thread and end */
    u64 count;
    struct call_name *name;
    u32 names;
    struct call_text *text; /* by experiment and id */
    u32 texts;
    struct pool *pool;
};

void calls_free(struct calls *calls);

/* A named function, by the id that it has in one experiment. */
struct callee {
    u32 id;
    u32 slots;
    u32 name; /* index in calls.name */
};

/* The reading of names and texts of one experiment into `calls`. */
struct callee_reader {
    struct calls *calls;
    u32 experiment;
    struct callee *callee; /* sorted by id after calls_sort_callees() */
    u32 callees, callee_room, text_room, name_room;
    bool no_memory;
};

/* The fields of the records that calls_read_text() and calls_read_callee() read. */
#define CALLS_TEXT_WISH { "calltext", { "id", "cut", "text" } }
#define CALLS_CALLEE_WISH { "callee", { "id", "slots", "row" } }

/* Add the text or the named function of a record. One thread at a time. */
void calls_read_text(struct callee_reader *reader, const struct trace_row *row);
void calls_read_callee(struct callee_reader *reader, const struct trace_row *row);

/* The index in calls.name of the function with that row of -T, added if it is new. */
u32 calls_name(struct callee_reader *reader, struct er_str row);
void calls_sort_callees(struct callee_reader *reader);

/* Find the callee with that id; NULL if there is none. Sort them before. */
const struct callee *calls_callee(const struct callee_reader *reader, u32 id);

/* Sort the texts, for calls_text(). */
void calls_sort_texts(struct calls *calls);

#define CALLS_NO_NAME UINT32_MAX

/*
 * The named functions and the texts of one experiment, not filtered. (*name)[id] is the
 * name of a callee, or CALLS_NO_NAME, for ids below *ids; the caller frees it. 0 and
 * *out for calls_free(), or -ENOMEM. If the experiment has no such data, both are
 * empty.
 */
int calls_names(struct session *session, u32 experiment, struct calls *out, u32 **name,
                u32 *ids);

/* The text with that number; NULL if there is none. */
const struct call_text *calls_text(const struct calls *calls, u32 experiment, u32 id);

static inline bool
call_has_failed(const struct call_made *made)
{
    return made->end == CALL_FAILED;
}

static inline bool
call_was_left(const struct call_made *made)
{
    return made->end > CALL_FAILED;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that the user has named (collect -T), the texts of their arguments, and
 * their single calls, which call/callbuild.h reads. Ordinary process context.
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
    const char *row; /* the row of -T, with a final zero */
    const char *name;
    u32 row_len; /* bytes of `row`, without the zero */
    u32 slots;  /* slots that led to it, over all processes */
    bool known; /* its type is known */
    struct call_type type;
};

/* A single call. */
struct call_made {
    u32 experiment; /* index in the session */
    u32 slot;  /* thread: index in threads.row + 1, 0 = none */
    u32 name;  /* index in calls.name */
    u32 node;  /* the experiment's node id, for stacks_of() */
    u32 end;   /* enum er_call_end */
    u32 error; /* errno, 0 = none or not known */
    u64 since; /* ns from the start of the run to the call's end */
    u64 took;  /* ns */
    u64 self;  /* ns: took, less the time of recorded calls inside it */
    /* the record's field `values`; lives as long as the session has the experiment */
    struct er_str values;
};

/* A text of an argument. */
struct call_text {
    u32 experiment;
    u32 id;   /* within the experiment */
    bool cut; /* the program's text was longer */
    struct er_str text;
};

struct calls {
    bool recorded; /* an experiment has data of calls, or -T asked for them */
    struct call_made *made; /* sorted by experiment, thread and end */
    u64 count; /* elements of `made` */
    struct call_name *name;
    u32 names;
    struct call_text *text; /* sorted by experiment and id */
    u32 texts;
    struct pool *pool;
};

void calls_free(struct calls *calls);

/* A named function, with the id that it has in one experiment. */
struct callee {
    u32 id;
    u32 slots;
    u32 name; /* index in calls.name */
};

/* The state of reading names and texts of one experiment into `calls`. */
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

/*
 * The index in calls.name of the function with that row of -T, added if it is new. 0
 * and no_memory if memory runs out.
 */
u32 calls_name(struct callee_reader *reader, struct er_str row);
/* Sort the callees, for calls_callee(). */
void calls_sort_callees(struct callee_reader *reader);

/* The callee with that id; NULL = none. Call this after calls_sort_callees(). */
const struct callee *calls_callee(const struct callee_reader *reader, u32 id);

/* Sort the texts, for calls_text(). */
void calls_sort_texts(struct calls *calls);

#define CALLS_NO_NAME UINT32_MAX

/*
 * Read the named functions and the texts of one experiment, not filtered. (*name)[id],
 * for ids below *ids, is the callee's index in out->name, or CALLS_NO_NAME; the caller
 * frees *name. 0 and *out for calls_free(), or -ENOMEM. If the experiment has no such
 * data, *out is empty, *name NULL and *ids 0.
 */
int calls_names(struct session *session, u32 experiment, struct calls *out, u32 **name,
                u32 *ids);

/* The text with that id; NULL = none. Call this after calls_sort_texts(). */
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

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The single calls of functions that the user has named, as far as they pass the
 * filter. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_CALL_CALLS_H
#define ERTOOLS_PRINT_MODEL_CALL_CALLS_H

#include <stdbool.h>

#include "print/model/session.h"
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

/* 0 and *out for calls_free(), or -errno. */
int calls_build(struct session *session, struct calls *out);
void calls_free(struct calls *calls);

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

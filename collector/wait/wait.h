/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hooks of calls that may wait (collect -p wall). Contexts as in trace.h. Nothing here
 * changes errno.
 *
 *   return WAIT_IN(MSTATE_IO, WAIT_REAL(read)(fd, buf, size));
 *
 * The thread's row in the file threads says since when and where the thread waits, in
 * case the call never returns; so the stack is walked before the call. For calls that
 * rarely wait, WAIT_BRIEFLY walks the stack afterwards, and only for a wait that is
 * long enough for a record.
 */
#ifndef ERTOOLS_COLLECTOR_WAIT_WAIT_H
#define ERTOOLS_COLLECTOR_WAIT_WAIT_H

#include "collector/hook/trace.h"
#include "collector/wait/wait_leaf.h"
#include "share/types.h"

/* A call, on the stack of its hook. */
struct wait_scope {
    struct thread *t; /* NULL = nothing is recorded */
    u32 state;        /* enum er_mstate */
    u32 node; /* the stack, with the leaf; 0 = not walked yet */
    u64 leaf;   /* the address of the function that is called; 0 = not known */
    u64 since;  /* ticks when the call began */
    u64 inside; /* `inside` of struct wall before the call: ticks of all waits so far */
    u64 took;   /* ticks of this wait, without those within it; set after the call */
    /*
     * State of the call that a handler of the target has interrupted; outer_since:
     * ticks, 0 = there is no such call.
     */
    u64 outer_since;
    u64 outer_frame;
    u32 outer_state;
    u32 outer_node;
    struct walk_start start;
};

/*
 * Call before the call that may wait; s->t must be NULL. Sets s->t, unless nothing is
 * recorded. has_start: 1 = `start` is filled in, and the stack is walked now.
 */
void wait_enter(struct wait_scope *s, u32 state, u32 has_start);

/*
 * Call after the call. 1 if this wait, with earlier short ones in the same state, is
 * long enough for a record: then call wait_record().
 */
int wait_leave(struct wait_scope *s);

/* Record the wait; `start` must be filled in. */
void wait_record(struct wait_scope *s);

static inline int
wait_is_on(void)
{
    return trace_is_on() && *trace_services->wall_is_on;
}

/*
 * The address of the real function for the hook that contains this macro: both have the
 * same name.
 */
#define WAIT_LEAF(cached) \
    (ER_LIKELY(cached) ? (cached) : ((cached) = wait_leaf(__func__)))

#define WAIT_IN(state, call)                   \
    __extension__({                            \
        static u64 leaf_;                      \
        struct wait_scope scope_;              \
        __typeof__(call) result_;              \
                                               \
        scope_.t = NULL;                       \
        if (ER_LIKELY(wait_is_on())) {         \
            scope_.leaf = WAIT_LEAF(leaf_);    \
            TRACE_CAPTURE(&scope_.start);      \
            wait_enter(&scope_, (state), 1);   \
        }                                      \
        result_ = call;                        \
        if (ER_LIKELY(scope_.t != NULL) && wait_leave(&scope_)) \
            wait_record(&scope_);              \
        result_;                               \
    })

#define WAIT_BRIEFLY(state, call)              \
    __extension__({                            \
        static u64 leaf_;                      \
        struct wait_scope scope_;              \
        __typeof__(call) result_;              \
                                               \
        scope_.t = NULL;                       \
        if (ER_LIKELY(wait_is_on())) {         \
            scope_.leaf = WAIT_LEAF(leaf_);    \
            wait_enter(&scope_, (state), 0);   \
        }                                      \
        result_ = call;                        \
        if (ER_LIKELY(scope_.t != NULL) && wait_leave(&scope_)) { \
            TRACE_CAPTURE(&scope_.start);      \
            wait_record(&scope_);              \
        }                                      \
        result_;                               \
    })

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hooks of calls that may wait (collect -p wall). Contexts as in trace.h. Nothing here
 * changes errno.
 *
 *   return WAIT_IN(MSTATE_IO, WAIT_REAL(read)(fd, buf, size));
 *
 * The thread's row says since when and where it waits, in case the call never returns;
 * so the stack is walked before the call. For calls that rarely wait, WAIT_BRIEFLY
 * walks the stack afterwards, and only for a wait that is long enough for a record.
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
    u32 node;
    u64 leaf;   /* the address of the function that is called; 0 = not known */
    u64 since;  /* ticks */
    u64 inside; /* of the thread's account, before */
    u64 took;   /* ticks, once it is over */
    u64 outer_since; /* of the call in which a handler of the target made this one */
    u64 outer_frame;
    u32 outer_state;
    u32 outer_node;
    struct walk_start start;
};

/* Before the call; walks if `start` is filled in and has_start says so. */
void wait_enter(struct wait_scope *s, u32 state, u32 has_start);

/* After it: 1 if that was long enough, and wait_record() is to be called. */
int wait_leave(struct wait_scope *s);

/* With start filled in. */
void wait_record(struct wait_scope *s);

static inline int
wait_is_on(void)
{
    return trace_is_on() && *trace_services->wall_is_on;
}

/* Of the hook that this stands in, which has the name of what it calls. */
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

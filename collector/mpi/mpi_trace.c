/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/mpi/mpi_trace.h"

#include <errno.h>

#include "collector/mpi/mpi_comm.h"
#include "collector/mpi/mpi_open.h"
#include "collector/mpi/mpi_put.h"
#include "collector/mpi/mpi_request.h"
#include "collector/sig/walk_state.h"

enum {
    UNKNOWN = 2, /* value of `looked`: a library that we do not know */
};

static u32 owner;  /* id of the process to which the tables belong */
static u32 looked; /* 1 = mpi_abi is known */

static __attribute__((noinline)) void
change_owner(void)
{
    if (owner) {
        mpi_comm_forget_all();
        mpi_request_forget_all();
        mpi_call_break_lock();
    }
    owner = *trace_services->pid;
}

/*
 * Is the hook whose struct mpi_call is at `frame` still active? `here` is an address on
 * the present stack.
 */
static int
is_alive(const struct thread *t, u64 frame, u64 here)
{
    const struct mpi_call *c = (const struct mpi_call *)(uintptr_t)frame;
    u64 lo = t->walk->lo, hi = t->walk->hi;

    if (here < lo || here >= hi || frame < lo || frame >= hi)
        return 1; /* another stack: assume that the hook waits there */
    return frame > here && c->magic == (MPI_MAGIC ^ frame);
}

static __attribute__((noinline)) int
start_abi(void)
{
    const char *name;

    looked = mpi_abi_start() ? 1 : UNKNOWN;
    if (looked == 1)
        return 1;
    name = *mpi_abi_library() ? mpi_abi_library() : "it does not say what it is";
    /*
     * If there is not even MPI_Init(), there is no MPI library: the program has only
     * tested for one.
     */
    if (mpi_abi_find("MPI_Init"))
        trace_services->event(EVENT_mpi_unknown, name, NULL, NULL, 0);
    return 0;
}

/* Can the call last? Calls that only query something are not written as open calls. */
static int
may_last(const struct mpi_row *row)
{
    return row->mode != MPI_MODE_LOCAL || row->kind < MPI_KIND_GROUP;
}

/*
 * Before the call, walk the stack, which the record written after the call has, too;
 * and write that the call has begun.
 */
static void
begin_call(struct mpi_call *c)
{
    if (!may_last(c->row) || !trace_enter(&c->s))
        return;
    if (!c->s.paused) {
        c->node = trace_walk(&c->s, &c->start);
        c->walked = 1;
        if (c->row->mode != MPI_MODE_LOCAL) {
            c->ticks = trace_before();
            mpi_put_runs(c);
        }
        mpi_open_begin(c);
    }
    trace_leave(&c->s);
}

int
mpi_trace_enter(struct mpi_call *c, const struct mpi_row *row, long *a)
{
    u64 frame = (u64)(uintptr_t)c;
    struct thread *t;
    struct trace *trace;

    if (ER_UNLIKELY(!trace_is_on()))
        return 0;
    t = trace_thread();
    if (ER_UNLIKELY(!t || looked == UNKNOWN || (!looked && !start_abi())))
        return 0;
    trace = &t->trace[TRACE_mpi];
    if (trace->last_begin && is_alive(t, trace->last_begin, frame))
        return 0;
    if (ER_UNLIKELY(owner != *trace_services->pid))
        change_owner();
    c->requests = 0;
    c->walked = c->opened = c->node = c->idle = 0;
    c->magic = MPI_MAGIC ^ frame;
    trace->last_begin = frame;
    c->t = t;
    c->row = row;
    c->a = a;
    if (row->recipe->before)
        row->recipe->before(c);
    begin_call(c);
    if (!c->opened)
        c->since = trace_before();
    return 1;
}

static int
error_class(int result)
{
    int class = 0;

    if (ER_LIKELY(!result))
        return 0;
    return mpi_real.Error_class(result, &class) == 0 && class > 0 ? class : result;
}

/* Begin the records of a call that has returned. 0 = recording has ended for good. */
static int
begin_records(struct mpi_call *c, int result)
{
    c->result = result;
    if (!trace_enter(&c->s))
        return 0;
    c->recorded = !c->s.paused;
    if (c->recorded && !c->walked)
        c->node = trace_walk(&c->s, &c->start);
    c->r = (struct rec_mpi){ .call = c->row->call, .kind = c->row->kind };
    c->r.error = (u32)error_class(result);
    return 1;
}

void
mpi_trace_leave(struct mpi_call *c, long result)
{
    int saved = errno;

    /*
     * Record nothing if the recording in which this call began has ended: its memory
     * may be unmapped.
     */
    if (ER_UNLIKELY(!trace_is_on() || trace_thread() != c->t ||
                    c->t->trace[TRACE_mpi].last_begin != (u64)(uintptr_t)c)) {
        c->magic = 0;
        return;
    }
    c->ticks = trace_after();
    mpi_open_end(c);
    if (begin_records(c, (int)result)) {
        mpi_call_lock(c);
        c->row->recipe->after(c);
        mpi_call_unlock(c);
        mpi_put_call(c);
        trace_leave(&c->s);
    }
    c->magic = 0;
    c->t->trace[TRACE_mpi].last_begin = 0;
    errno = saved;
}

void
mpi_trace_leave_early(struct mpi_call *c)
{
    c->ticks = c->since = trace_after();
    if (!begin_records(c, 0))
        return;
    mpi_put_call(c);
    trace_leave(&c->s);
}

void
mpi_trace_begin_late(void)
{
    int started = 0, ended = 1, level = 0;

    change_owner();
    looked = 0;
    mpi_call_set_threaded(0);
    if (!mpi_abi_find("MPI_Init") || !start_abi())
        return;
    /* MPI allows every thread to call these two at any time. */
    mpi_real.Initialized(&started);
    mpi_real.Finalized(&ended);
    if (started && !ended && mpi_real.Query_thread(&level) == 0)
        mpi_call_set_threaded(level >= mpi_abi.thread_multiple);
}

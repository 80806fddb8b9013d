/* SPDX-License-Identifier: Apache-2.0 */
/* State of threads for the tracing families and for regions. */
#include "collector/preload/thread.h"

#include "collector/preload/trace_slow.h"

void (*thread_note_regions)(struct thread *t);

static u64
reserved_of(enum er_file file)
{
    return __atomic_load_n(&space_ctl->file[file].reserved, __ATOMIC_ACQUIRE);
}

static void
seal_trace(struct trace *trace, enum er_file file)
{
    if (trace->own)
        trace->ended(trace->own);
    trace->own = NULL;
    writer_seal(&trace->main, file);
    writer_seal(&trace->nested, file);
}

void
thread_seal_traces(struct thread *t)
{
    for (int i = 0; i < TRACE_COUNT; i++)
        seal_trace(&t->trace[i], er_traces[i].file);
    if (reserved_of(FILE_regions))
        seal_trace(&t->region, FILE_regions);
}

u64
thread_dropped_of(const struct thread *t)
{
    u64 sum = t->dropped + t->count_dropped;

    /*
     * A family that is not traced has no file. Its counters are not read: that would
     * only allocate a page of zeros.
     */
    for (int i = 0; i < TRACE_COUNT; i++)
        if (reserved_of(er_traces[i].file))
            sum += t->trace[i].dropped;
    if (reserved_of(FILE_regions))
        sum += t->region.dropped;
    return sum;
}

int
thread_in_hook(void)
{
    for (int i = 0; thread_self && i < TRACE_COUNT; i++)
        if (thread_self->trace[i].busy)
            return 1;
    return thread_self && thread_self->region.busy;
}

/*
 * Renew the regions of a forked child's thread: it stays in those in which its parent
 * called fork().
 */
static void
renew_regions(struct thread *t)
{
    void (*ended)(void *) = t->region.ended;
    void *own = t->region.own;

    if (!own)
        return;
    trace_renew(&t->region);
    t->region.own = own;
    t->region.ended = ended;
}

void
thread_renew_traces(struct thread *t)
{
    for (int i = 0; i < TRACE_COUNT; i++)
        trace_renew(&t->trace[i]);
    renew_regions(t);
}

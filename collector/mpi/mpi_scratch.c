/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/mpi/mpi_scratch.h"

#include "collector/mpi/mpi_call.h"
#include "collector/sig/sys.h"

/* A thread's scratch memory; what mpi_scratch_get() returns follows it. */
struct scratch {
    u64 bytes; /* including this head */
    struct thread *t;
    struct mpi_open_place open;
    struct mpi_polls polls;
};

static void
free_scratch(struct scratch *s)
{
    sys_unmap(s, s->bytes);
}

/*
 * The thread or the process ends: write the last records, and release the scratch
 * memory.
 */
static void
release_scratch(void *own)
{
    struct scratch *s = own;
    struct mpi_call c = { .t = s->t };

    if (s->polls.runs && !s->t->trace[TRACE_mpi].busy && trace_is_on() &&
        trace_thread() == s->t && trace_enter(&c.s)) {
        c.ticks = trace_before();
        mpi_polls_flush(&c, &s->polls);
        trace_leave(&c.s);
    }
    free_scratch(s);
}

void *
mpi_scratch_get(struct mpi_call *c, u64 bytes)
{
    struct trace *trace = &c->t->trace[TRACE_mpi];
    struct scratch *s = trace->own, head = { .t = c->t };
    u64 need = (bytes + sizeof(*s) + 65535) & ~65535ull;

    if (s && s->bytes >= need)
        return s + 1;
    if (s) {
        head = *s;
        free_scratch(s);
    }
    trace->own = NULL;
    s = sys_map(need);
    if (!s)
        return NULL;
    *s = head;
    s->bytes = need;
    trace->own = s;
    trace->ended = release_scratch;
    return s + 1;
}

struct mpi_open_place *
mpi_scratch_open_place(struct mpi_call *c, int make)
{
    const struct trace *trace = &c->t->trace[TRACE_mpi];

    if (!trace->own && (!make || !mpi_scratch_get(c, 1)))
        return NULL;
    return &((struct scratch *)trace->own)->open;
}

struct mpi_polls *
mpi_scratch_polls(struct mpi_call *c, int make)
{
    const struct trace *trace = &c->t->trace[TRACE_mpi];

    if (!trace->own && (!make || !mpi_scratch_get(c, 1)))
        return NULL;
    return &((struct scratch *)trace->own)->polls;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/mpi/mpi_call.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "collector/mpi/mpi_mem.h"
#include "collector/sig/guard.h"
#include "collector/sig/walk_state.h"
#include "collector/sig/sys.h"
#include "share/fmt.h"

enum {
    COMM_BYTES = ER_RECORD_MAX + ER_STR_MAX + TRACE_BYTES,
    UNKNOWN = 2, /* value of `looked`: a library that we do not know */
};

/* A thread's scratch memory. */
struct scratch {
    u64 bytes; /* including this head */
    struct thread *t;
    struct mpi_open_place open;
    struct mpi_polls polls;
};

static u32 owner;       /* id of the process to which the tables belong */
static u32 looked;      /* 1 = mpi_abi is known */
static u32 threaded;    /* 1 = several threads may be in MPI at once */
static u32 lock;

int
mpi_call_is_threaded(void)
{
    return (int)__atomic_load_n(&threaded, __ATOMIC_RELAXED);
}

void
mpi_call_lock(struct mpi_call *c)
{
    c->locked = __atomic_load_n(&threaded, __ATOMIC_RELAXED);
    while (c->locked && __atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
        __builtin_ia32_pause();
}

void
mpi_call_unlock(struct mpi_call *c)
{
    if (c->locked)
        __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

static __attribute__((noinline)) void
change_owner(void)
{
    if (owner) {
        mpi_comm_forget_all();
        mpi_request_forget_all();
        lock = 0;
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
            mpi_polls_flush(c);
        }
        mpi_open_begin(c);
    }
    trace_leave(&c->s);
}

int
mpi_call_enter(struct mpi_call *c, const struct mpi_row *row, long *a)
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

/*
 * Copy the numbers of events into the thread's row of the file threads, so that they
 * are known even if the process is killed.
 */
static inline void
copy_counts(struct mpi_call *c)
{
    const struct trace *trace = &c->t->trace[TRACE_mpi];

    if (ER_LIKELY(c->t->row != NULL)) {
        c->t->row->mpi_seen = trace_seen(trace);
        c->t->row->mpi_dropped = trace->dropped;
    }
}

#define PUT(c, name, r)                                                           \
    do {                                                                          \
        struct trace *trace_ = &(c)->t->trace[TRACE_mpi];                         \
        struct chunk_writer *w_ =                                                 \
            trace_open(&(c)->s, trace_, FILE_mpitrace, (c)->ticks);               \
                                                                                  \
        if (ER_LIKELY(w_ != NULL))                                                \
            trace_close(&(c)->s, trace_, w_,                                      \
                        rec_put_##name(&w_->codec, trace_at(w_), (r)));           \
        copy_counts(c);                                                           \
    } while (0)

static u64
shifted(u64 ticks)
{
    return ticks >> SHIFT_mpitrace;
}

void
mpi_call_put_done(struct mpi_call *c, struct rec_done *r)
{
    u64 begun = shifted(r->posted);

    if (!c->recorded)
        return;
    mpi_polls_flush(c);
    r->time = shifted(c->ticks);
    r->waited = trace_between(shifted(c->since), r->time);
    r->posted = trace_between(begun, r->time);
    r->node = c->node;
    PUT(c, done, r);
}

void
mpi_call_put_start(struct mpi_call *c, struct rec_start *r)
{
    if (!c->recorded)
        return;
    mpi_polls_flush(c);
    r->time = shifted(c->ticks);
    r->took = trace_between(shifted(c->since), r->time);
    r->node = c->node;
    PUT(c, start, r);
}

/*
 * Record a neighbor in a communicator's topology, also while recording is paused:
 * later neighborhood collectives need it.
 */
void
mpi_call_put_partner(struct mpi_call *c, struct rec_partner *r)
{
    mpi_polls_flush(c);
    r->time = shifted(c->ticks);
    PUT(c, partner, r);
}

/*
 * Write a record with strings. Signals are blocked, since a handler of the target could
 * fork while the record is written: see trace_renew().
 */
#define PUT_LONG(c, name, r)                                                       \
    do {                                                                           \
        struct trace *trace_ = &(c)->t->trace[TRACE_mpi];                          \
        u64 mask_ = guard_enter();                                                 \
        struct chunk_writer *w_ = trace_open_for(&(c)->s, trace_, FILE_mpitrace,   \
                                                 (c)->ticks, COMM_BYTES);          \
                                                                                   \
        if (w_)                                                                    \
            trace_close(&(c)->s, trace_, w_,                                       \
                        rec_put_##name(&w_->codec, trace_at(w_), (r)));            \
        guard_leave(mask_);                                                        \
        copy_counts(c);                                                            \
    } while (0)

/* Record also while paused, since later records refer to the communicator. */
void
mpi_call_put_comm(struct mpi_call *c, struct rec_comm *r)
{
    mpi_polls_flush(c);
    r->time = shifted(c->ticks);
    PUT_LONG(c, comm, r);
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

static void
end_records(struct mpi_call *c)
{
    if (!c->recorded || (c->idle && !c->r.error && mpi_polls_add(c)))
        return;
    mpi_polls_flush(c);
    c->r.time = shifted(c->ticks);
    c->r.took = trace_between(shifted(c->since), c->r.time);
    c->r.node = c->node;
    PUT(c, mpi, &c->r);
}

void
mpi_call_leave(struct mpi_call *c, long result)
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
        end_records(c);
        trace_leave(&c->s);
    }
    c->magic = 0;
    c->t->trace[TRACE_mpi].last_begin = 0;
    errno = saved;
}

void
mpi_call_leave_early(struct mpi_call *c)
{
    c->ticks = c->since = trace_after();
    if (!begin_records(c, 0))
        return;
    end_records(c);
    trace_leave(&c->s);
}

void
mpi_call_begin_late(void)
{
    int started = 0, ended = 1, level = 0;

    change_owner();
    looked = 0;
    threaded = 0;
    if (!mpi_abi_find("MPI_Init") || !start_abi())
        return;
    /* MPI allows every thread to call these two at any time. */
    mpi_real.Initialized(&started);
    mpi_real.Finalized(&ended);
    if (started && !ended && mpi_real.Query_thread(&level) == 0)
        threaded = level >= mpi_abi.thread_multiple;
}

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
        mpi_polls_flush(&c);
        trace_leave(&c.s);
    }
    free_scratch(s);
}

unsigned char *
mpi_call_put_open(struct mpi_call *c)
{
    struct trace *trace = &c->t->trace[TRACE_mpi];
    struct rec_open r = { .time = shifted(c->ticks) };
    struct chunk_writer *w;
    unsigned char *end;

    mpi_polls_flush(c);
    w = trace_open(&c->s, trace, FILE_mpitrace, c->ticks);
    if (!w)
        return NULL;
    end = rec_put_open(&w->codec, trace_at(w), &r);
    trace_close(&c->s, trace, w, end);
    copy_counts(c);
    return w == &trace->main ? end : NULL;
}

struct mpi_open_place *
mpi_call_open_place(struct mpi_call *c, int make)
{
    const struct trace *trace = &c->t->trace[TRACE_mpi];

    if (!trace->own && (!make || !mpi_call_scratch(c, 1)))
        return NULL;
    return &((struct scratch *)trace->own)->open;
}

struct mpi_polls *
mpi_call_polls(struct mpi_call *c, int make)
{
    const struct trace *trace = &c->t->trace[TRACE_mpi];

    if (!trace->own && (!make || !mpi_call_scratch(c, 1)))
        return NULL;
    return &((struct scratch *)trace->own)->polls;
}

void
mpi_call_put_run(struct mpi_call *c, struct rec_mpi *r)
{
    PUT(c, mpi, r);
}

void *
mpi_call_scratch(struct mpi_call *c, u64 bytes)
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

/*
 * Read a number from the first of these environment variables that begins with a digit;
 * -1 = there is none, or it is not a number.
 */
static u64
number_of(const char *const *names, u32 n)
{
    for (u32 i = 0; i < n; i++) {
        const char *value = getenv(names[i]);
        char *end;
        unsigned long number;

        if (!value || *value < '0' || *value > '9')
            continue;
        number = strtoul(value, &end, 10);
        return *end || number > 100000000 ? (u64)-1 : number;
    }
    return (u64)-1;
}

void
mpi_call_log_begin(void)
{
    static const char *const ranks[] = { "OMPI_COMM_WORLD_RANK", "PMIX_RANK",
                                         "PMI_RANK", "MV2_COMM_WORLD_RANK" };
    static const char *const sizes[] = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                         "MV2_COMM_WORLD_SIZE" };
    const struct log_attr attrs[] = {
        { "rank", NULL, number_of(ranks, ER_COUNT(ranks)) },
        { "size", NULL, number_of(sizes, ER_COUNT(sizes)) },
    };

    if (attrs[0].number == (u64)-1 || attrs[1].number == (u64)-1)
        return;
    trace_services->event(EVENT_mpi_begin, NULL, NULL, attrs, ER_COUNT(attrs));
}

/*
 * If MPI_Comm_spawn() made this world: the rank, in the calling world, that was the
 * root of that call, + 1; 0 = not known. Open MPI puts that rank into the environment,
 * as "job.rank:number".
 */
static u64
parent_root(void)
{
    const char *port = getenv("OMPI_PARENT_PORT");
    const char *end = port ? strchr(port, ':') : NULL, *at = end;
    u64 rank = 0;

    while (at && at > port && at[-1] != '.')
        at--;
    if (!at || at == port || at == end)
        return 0;
    for (; at < end; at++) {
        if (*at < '0' || *at > '9' || rank > 100000000)
            return 0;
        rank = rank * 10 + (u64)(*at - '0');
    }
    return rank + 1;
}

void
mpi_call_log_init(int spawned, int level, u64 world)
{
    char rank[16];
    struct fmt f = fmt_start(rank, sizeof(rank) - 1);
    const struct log_attr attrs[] = {
        { "rank", NULL, mpi_world_rank },
        { "size", NULL, mpi_world_size },
        { "thread", NULL, (u64)level },
        { "spawned", NULL, (u64)spawned },
        { "world", NULL, world },
        { "root", NULL, spawned ? parent_root() : 0 },
    };

    fmt_u64(&f, mpi_world_rank);
    *f.at = 0;
    __atomic_store_n(&threaded, level >= mpi_abi.thread_multiple, __ATOMIC_RELAXED);
    trace_services->event(EVENT_mpi_init, mpi_abi_library(), rank, attrs,
                          ER_COUNT(attrs));
}

void
mpi_collective(struct mpi_call *c, struct mpi_comm *comm)
{
    if (!comm)
        return;
    c->r.comm = comm->id;
    if (c->row->mode != MPI_MODE_INIT)
        c->r.seq = ++comm->seq;
}

void
mpi_conclude(struct mpi_call *c, struct mpi_comm *comm, u32 request_at,
             enum mpi_outcome outcome)
{
    struct mpi_request q = {
        .posted = c->since,
        .sent = c->r.sent,
        .received = c->r.received,
        .comm = comm,
        .call = c->row->call,
        .kind = c->row->kind,
        .peer = c->r.peer,
        .tag = c->r.tag,
        .node = c->node,
        .outcome = outcome,
        .persistent = c->row->mode == MPI_MODE_INIT,
        .active = c->row->mode == MPI_MODE_BEGIN,
    };

    if (c->row->mode != MPI_MODE_BEGIN && c->row->mode != MPI_MODE_INIT)
        return;
    q.collective = q.persistent && c->row->kind >= MPI_KIND_BARRIER &&
                   c->row->kind <= MPI_KIND_NEIGHBOR;
    c->r.received = 0;
    if (q.persistent)
        c->r.sent = 0;
    if (c->result)
        return;
    q.handle = mpi_handle_at(mpi_pointer(c, request_at));
    if (q.handle != mpi_abi.request_null)
        mpi_request_add(&q);
}

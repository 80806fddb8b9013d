/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call of an MPI function, as a hook records it:
 *
 *   long a[] = { its parameters };
 *   struct mpi_call c;
 *
 *   on = mpi_call_enter(&c, &row, a);
 *   result = real(a...);
 *   if (on) mpi_call_leave(&c, result);
 *
 * Calls that MPI libraries and tools make inside such a call are not the target's:
 * while a hook is active in a thread, further hooks there record nothing. A hook that
 * was left by a jump or an exception is recognized by its frame, which is gone.
 * Contexts as in trace.h, except signal handlers: MPI may not be called there.
 */
#ifndef ERTOOLS_COLLECTOR_MPI_MPI_CALL_H
#define ERTOOLS_COLLECTOR_MPI_MPI_CALL_H

#include "collector/mpi/mpi_comm.h"
#include "collector/mpi/mpi_open.h"
#include "collector/mpi/mpi_polls.h"
#include "collector/mpi/mpi_request.h"
#include "collector/hook/trace.h"
#include "share/mpicall.h"

struct mpi_call;

/* How a function's record is made. before may be NULL; it may change parameters. */
struct mpi_recipe {
    void (*before)(struct mpi_call *c);
    void (*after)(struct mpi_call *c);
};

/* A row of mpi.def. */
struct mpi_row {
    const struct mpi_recipe *recipe;
    unsigned short call;
    unsigned char kind, mode;
    unsigned char at;
    unsigned char count; /* parameters */
    unsigned char large; /* counts have 64 bits */
};

enum {
    MPI_SAVED = 16,  /* requests that are kept beside the call itself */
    MPI_MAGIC = 0x4d504943,
};

/* A request that a call may end. */
struct mpi_kept {
    union {
        u64 handle;
        struct mpi_request *request; /* NULL = it is not known */
    };
};

struct mpi_call {
    u64 magic; /* and its own address: this frame is alive */
    const struct mpi_row *row;
    long *a;          /* the parameters, as the real function gets them */
    struct thread *t;
    u64 since, ticks;
    int result;
    u32 recorded; /* record what it does; else only keep account */
    u32 walked;   /* node is its stack */
    u32 opened;   /* its beginning is in the record `open` */
    u32 idle;     /* a poll that found nothing */
    u32 locked;
    u32 node;
    struct rec_mpi r; /* the record; after() fills it */
    struct trace_scope s;
    struct walk_start start;
    /* What before() keeps. */
    u64 status[MPI_STATUS_WORDS];
    u64 handle;
    struct mpi_kept saved[MPI_SAVED];
    struct mpi_kept *kept; /* saved, or scratch */
    u64 requests;
    u32 claims; /* what is kept are requests, not handles */
    void *statuses; /* ours, or the caller's */
};

/* c->start was taken in the hook. 1: mpi_call_leave() must follow the real call. */
int mpi_call_enter(struct mpi_call *c, const struct mpi_row *row, long *a);

void mpi_call_leave(struct mpi_call *c, long result);

/* In a process that ran before: a recording begins, and MPI may have started. */
void mpi_call_begin_late(void);

/* Before MPI_Abort(), which does not return. */
void mpi_call_leave_early(struct mpi_call *c);

/* Lock communicators and requests; before() must do so, after() runs with the lock. */
void mpi_call_lock(struct mpi_call *c);
void mpi_call_unlock(struct mpi_call *c);

/* Several threads may be in MPI at once. */
int mpi_call_is_threaded(void);

/* Memory of the thread's own for so many bytes, until its next call; or NULL. */
void *mpi_call_scratch(struct mpi_call *c, u64 bytes);

/* Where the thread's record `open` is; NULL = not known, or no memory to make one. */
struct mpi_open_place *mpi_call_open_place(struct mpi_call *c, int make);

/* The thread's runs of polls; the like. */
struct mpi_polls *mpi_call_polls(struct mpi_call *c, int make);

/* A record of such a run. */
void mpi_call_put_run(struct mpi_call *c, struct rec_mpi *r);

/* A new record `open` at c->ticks. Its end in the chunk, or NULL: there was no room. */
unsigned char *mpi_call_put_open(struct mpi_call *c);

/* Further records of the call. */
void mpi_call_put_done(struct mpi_call *c, struct rec_done *r);
void mpi_call_put_start(struct mpi_call *c, struct rec_start *r);
void mpi_call_put_comm(struct mpi_call *c, struct rec_comm *r);
void mpi_call_put_partner(struct mpi_call *c, struct rec_partner *r);

/* The event mpi_begin, if what started this process has told of ranks; mpi_init. */
void mpi_call_tell_begin(void);
void mpi_call_tell_start(int spawned, int level, u64 world);

/* A count among the parameters. */
static inline u64
mpi_count(const struct mpi_call *c, u32 at)
{
    long n = c->row->large ? c->a[at] : (int)c->a[at];

    return n > 0 ? (u64)n : 0;
}

static inline int
mpi_int(const struct mpi_call *c, u32 at)
{
    return (int)c->a[at];
}

static inline void *
mpi_pointer(const struct mpi_call *c, u32 at)
{
    return (void *)c->a[at];
}

/* Set a status: the caller's, or our own if the caller ignores it. */
static inline void
mpi_want_status(struct mpi_call *c, u32 at)
{
    c->statuses = mpi_pointer(c, at);
    if ((u64)c->a[at] != mpi_abi.status_ignore)
        return;
    c->statuses = c->status;
    c->a[at] = (long)(uintptr_t)c->status;
}

/* Bytes of one element of a datatype. */
static inline u64
mpi_type_bytes(long type)
{
    long bytes = 0;

    return mpi_real.Type_size_x(type, &bytes) == 0 && bytes > 0 ? (u64)bytes : 0;
}

/* A count and a datatype that follow each other among the parameters. */
static inline u64
mpi_bytes(const struct mpi_call *c, u32 at)
{
    u64 n = mpi_count(c, at);

    return n ? n * mpi_type_bytes(c->a[at + 1]) : 0;
}

static inline u32
mpi_tag(int tag)
{
    return tag >= 0 ? (u32)tag + 1 : 0;
}

/*
 * c->r and what the request is for are complete: of a call that only begins, or makes a
 * persistent request, what comes later goes into a request's entry. *q needs outcome,
 * and peer and tag where they are not c->r's.
 */
void mpi_conclude(struct mpi_call *c, struct mpi_comm *comm, u32 request_at,
                  enum mpi_outcome outcome);

/* Count the call as a collective of comm; c->r.comm and seq. */
void mpi_collective(struct mpi_call *c, struct mpi_comm *comm);

#define RECIPE(name, before, after) \
    const struct mpi_recipe mpi_recipe_##name = { before, after }

/* All recipes of mpi.def. */
#define WRAP(call, function, count, recipe, at) \
    extern const struct mpi_recipe mpi_recipe_##recipe;
#include "collector/mpi/mpi.def"
#undef WRAP

#endif

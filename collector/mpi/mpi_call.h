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
 * while a hook is active in a thread, further hooks in that thread record nothing. If a
 * jump or an exception has left a hook, its frame is no longer valid, which the next
 * hook notices. Contexts as in trace.h, except signal handlers: MPI may not be called
 * there.
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

/*
 * How to record a function: what to do before and after the real call. before may be
 * NULL; it may change parameters.
 */
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
    MPI_SAVED = 16,  /* requests that are kept in struct mpi_call itself */
    MPI_MAGIC = 0x4d504943,
};

/* A request that a call may complete. */
struct mpi_kept {
    union {
        u64 handle;
        struct mpi_request *request; /* NULL = it is not known */
    };
};

struct mpi_call {
    u64 magic; /* XOR its own address: this frame is valid */
    const struct mpi_row *row;
    long *a;          /* the parameters that the real function gets */
    struct thread *t;
    u64 since, ticks;
    int result;
    u32 recorded; /* 0 = paused: only keep the tables up to date */
    u32 walked;   /* node is set */
    u32 opened;   /* its beginning is in the record `open` */
    u32 idle;     /* a poll that found nothing */
    u32 locked;
    u32 node;
    struct rec_mpi r; /* the record; after() fills it */
    struct trace_scope s;
    struct walk_start start;
    /* What before() saves for after(). */
    u64 status[MPI_STATUS_WORDS];
    u64 handle;
    struct mpi_kept saved[MPI_SAVED];
    struct mpi_kept *kept; /* saved, or scratch */
    u64 requests;
    u32 claims; /* 1 = kept[] has claimed requests, 0 = it has handles */
    void *statuses; /* ours, or the caller's */
};

/* Call before the real call, with c->start set. 1: mpi_call_leave() must follow it. */
int mpi_call_enter(struct mpi_call *c, const struct mpi_row *row, long *a);

void mpi_call_leave(struct mpi_call *c, long result);

/*
 * Call in a process that ran before us, when a recording begins: MPI may be initialized
 * already.
 */
void mpi_call_begin_late(void);

/* Before MPI_Abort(), which does not return. */
void mpi_call_leave_early(struct mpi_call *c);

/* Lock communicators and requests; before() must do so, after() runs with the lock. */
void mpi_call_lock(struct mpi_call *c);
void mpi_call_unlock(struct mpi_call *c);

/* 1 = several threads may be in MPI at once. */
int mpi_call_is_threaded(void);

/* Memory for the thread, of this size and valid until its next call; or NULL. */
void *mpi_call_scratch(struct mpi_call *c, u64 bytes);

/*
 * The place of the thread's record `open`; make: make one if there is none. NULL =
 * there is none, or no memory.
 */
struct mpi_open_place *mpi_call_open_place(struct mpi_call *c, int make);

/* The thread's runs of polls; NULL and `make` as above. */
struct mpi_polls *mpi_call_polls(struct mpi_call *c, int make);

/* Record a run of polls. */
void mpi_call_put_run(struct mpi_call *c, struct rec_mpi *r);

/*
 * Write a new record `open` at c->ticks. Returns its end in the chunk, or NULL: no
 * room.
 */
unsigned char *mpi_call_put_open(struct mpi_call *c);

/* Further records of the call. */
void mpi_call_put_done(struct mpi_call *c, struct rec_done *r);
void mpi_call_put_start(struct mpi_call *c, struct rec_start *r);
void mpi_call_put_comm(struct mpi_call *c, struct rec_comm *r);
void mpi_call_put_partner(struct mpi_call *c, struct rec_partner *r);

/* Log the event mpi_begin, if the launcher's environment gives a rank; log mpi_init. */
void mpi_call_tell_begin(void);
void mpi_call_tell_start(int spawned, int level, u64 world);

/* The parameter `at`, which is a count. */
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

/* Provide a status for the call: the caller's, or our own if the caller ignores it. */
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

/* The bytes of a count and a datatype, which follow each other among the parameters. */
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
 * Complete the record c->r. If the call only begins an operation, or makes a persistent
 * request, what happens later goes into a request's entry, with this outcome.
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

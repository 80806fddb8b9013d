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
    unsigned char count; /* number of parameters */
    unsigned char large; /* 1 = a function ..._c, whose counts have 64 bits */
};

enum {
    MPI_SAVED = 16,  /* requests that are kept in struct mpi_call itself */
    MPI_MAGIC = 0x4d504943,
};

/* A request that a call may complete: its claimed entry, or only its handle. */
struct mpi_kept {
    union {
        u64 handle;
        struct mpi_request *request; /* NULL = the request has no entry */
    };
};

struct mpi_call {
    u64 magic; /* MPI_MAGIC ^ the struct's address while its hook is active */
    const struct mpi_row *row;
    long *a;          /* the parameters that the real function gets */
    struct thread *t;
    u64 since, ticks;
    int result;
    u32 recorded; /* 0 = paused: only keep the tables up to date */
    u32 walked;   /* 1 = node is set */
    u32 opened;   /* 1 = the record `open` says that the call is running */
    u32 idle;     /* 1 = it is a poll that found nothing */
    u32 locked;
    u32 node;
    struct rec_mpi r; /* the record; after() fills it */
    struct trace_scope s;
    struct walk_start start;
    /* What before() saves for after(). */
    u64 status[MPI_STATUS_WORDS];
    u64 handle;
    struct mpi_kept saved[MPI_SAVED];
    struct mpi_kept *kept; /* `saved`, or scratch memory if that is too small */
    u64 requests;
    u32 claims; /* 1 = kept[] has claimed requests, 0 = it has handles */
    void *statuses; /* where the library puts them: our memory, or the caller's */
};

/*
 * Call before the real call, with c->start set. 1: mpi_call_leave() must follow the
 * real call; 0: the call is not recorded.
 */
int mpi_call_enter(struct mpi_call *c, const struct mpi_row *row, long *a);

void mpi_call_leave(struct mpi_call *c, long result);

/*
 * Call when a recording begins in a process to which collect has attached: MPI may be
 * initialized already.
 */
void mpi_call_begin_late(void);

/* Write the record before the real call: for MPI_Abort(), which does not return. */
void mpi_call_leave_early(struct mpi_call *c);

/*
 * Lock the tables of communicators and requests, if several threads may be in MPI at
 * once. A recipe's before() must do so itself; after() is called with the lock held.
 */
void mpi_call_lock(struct mpi_call *c);
void mpi_call_unlock(struct mpi_call *c);

/* 1 = several threads may be in MPI at once. */
int mpi_call_is_threaded(void);

/*
 * Memory of this size. It belongs to the thread, and is valid until the thread calls
 * this function again. NULL = there is no memory.
 */
void *mpi_call_scratch(struct mpi_call *c, u64 bytes);

/*
 * The thread's struct that says where its record `open` is; make: 1 = make the struct
 * if the thread has none. NULL = there is none, or no memory.
 */
struct mpi_open_place *mpi_call_open_place(struct mpi_call *c, int make);

/* The thread's runs of polls; NULL and `make` as in mpi_call_open_place(). */
struct mpi_polls *mpi_call_polls(struct mpi_call *c, int make);

/* Record a run of polls. */
void mpi_call_put_run(struct mpi_call *c, struct rec_mpi *r);

/*
 * Write a new record `open` at c->ticks. Returns its end in the thread's main chunk;
 * NULL = there is no room, or the record is in another chunk.
 */
unsigned char *mpi_call_put_open(struct mpi_call *c);

/*
 * Write other records of the call; *r lacks only what all have in common, such as the
 * time. comm and partner are written even while recording is paused.
 */
void mpi_call_put_done(struct mpi_call *c, struct rec_done *r);
void mpi_call_put_start(struct mpi_call *c, struct rec_start *r);
void mpi_call_put_comm(struct mpi_call *c, struct rec_comm *r);
void mpi_call_put_partner(struct mpi_call *c, struct rec_partner *r);

/*
 * Log the event mpi_begin, if mpiexec has put the rank and the number of ranks into the
 * environment; and log the event mpi_init. spawned: 1 = MPI_Comm_spawn() made this
 * world; level: the thread level that MPI provides; world: the world's key.
 */
void mpi_call_log_begin(void);
void mpi_call_log_init(int spawned, int level, u64 world);

/* The value of the parameter `at`, which is a count; 0 if that is negative. */
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

/* Bytes of one element of a datatype; 0 if the library does not say. */
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
 * request, add an entry for that request, whose handle is where the parameter
 * request_at points; `outcome` says what to read when the request is complete.
 */
void mpi_conclude(struct mpi_call *c, struct mpi_comm *comm, u32 request_at,
                  enum mpi_outcome outcome);

/*
 * Count the call as a collective of comm: set c->r.comm and c->r.seq. A call that only
 * makes a persistent request is not counted, since its starts are. Does nothing if comm
 * is NULL.
 */
void mpi_collective(struct mpi_call *c, struct mpi_comm *comm);

#define RECIPE(name, before, after) \
    const struct mpi_recipe mpi_recipe_##name = { before, after }

/* All recipes of mpi.def. */
#define WRAP(call, function, count, recipe, at) \
    extern const struct mpi_recipe mpi_recipe_##recipe;
#include "collector/mpi/mpi.def"
#undef WRAP

#endif

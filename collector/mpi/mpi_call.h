/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call of an MPI function, as a recipe sees it: its parameters, its record, and what
 * before() saves for after(); and the lock of the tables that all calls share. Normal
 * context of the thread that calls MPI, between mpi_trace_enter() and its end.
 */
#ifndef ERTOOLS_COLLECTOR_MPI_MPI_CALL_H
#define ERTOOLS_COLLECTOR_MPI_MPI_CALL_H

#include "collector/hook/trace.h"
#include "collector/mpi/mpi_abi.h"
#include "share/mpicall.h"
#include "share/record.h"

struct mpi_call;
struct mpi_request;

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
 * Lock the tables of communicators and requests, if several threads may be in MPI at
 * once. A recipe's before() must do so itself; after() is called with the lock held.
 */
void mpi_call_lock(struct mpi_call *c);
void mpi_call_unlock(struct mpi_call *c);

/* In a forked child: forget that a thread of the parent has the lock. */
void mpi_call_break_lock(void);

/* May several threads be in MPI at once? 1 = yes. At first they may not. */
int mpi_call_is_threaded(void);
void mpi_call_set_threaded(int on);

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

#define RECIPE(name, before, after) \
    const struct mpi_recipe mpi_recipe_##name = { before, after }

/* All recipes of mpi.def. */
#define WRAP(call, function, count, recipe, at) \
    extern const struct mpi_recipe mpi_recipe_##recipe;
#include "collector/mpi/mpi.def"
#undef WRAP

#endif

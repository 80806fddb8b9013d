/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Input and output: sums of calls, the slowest calls, and what was open. See io.h,
 * which has them for a whole session.
 */
#ifndef ERTOOLS_PRINT_MODEL_IO_IOSUM_H
#define ERTOOLS_PRINT_MODEL_IO_IOSUM_H

#include "share/record.h"
#include "share/types.h"

/* What a call did. A call that failed is an error, whatever it was meant to do. */
enum io_class {
    IO_CLASS_READ,
    IO_CLASS_WRITE,
    IO_CLASS_OTHER,
    IO_CLASS_WAIT,
    IO_CLASS_ERROR,
    IO_CLASSES,
};

struct io_sum {
    u64 count;
    u64 bytes;
    u64 time; /* ns */
    u64 most; /* ns: the longest call */
};

/* An open file, socket or other object; or only a path. */
struct io_open {
    u32 experiment;
    u32 id;     /* the experiment's own; 0 = calls about no file */
    u32 kind;   /* enum er_file_kind */
    u32 how;    /* enum er_file_origin, 0 = nothing is known of it */
    int64_t fd; /* descriptor, -1 = none */
    u64 fstype; /* statfs(2)'s f_type, 0 = not known */
    u64 time;   /* when it was opened: ns from the start of the run */
    struct er_str name; /* lives as long as the session has the experiment */
};

/* A slow call. */
struct io_slow {
    u32 experiment;
    u32 file; /* id, 0 = none */
    u32 node; /* for frames_of() */
    u32 call;
    u32 error;
    u32 thread; /* index in threads.row + 1, 0 = none */
    u64 since;  /* when it ended: ns from the start of the run */
    u64 time;   /* ns that it took */
    u64 bytes;
};

enum {
    IO_SLOW = 32,  /* slowest calls that are kept */
    IO_STEPS = 64, /* ranges of bytes and ns: step 0 is 0, step n is below 2^n */
};

/* What to ask for. */
enum io_want {
    IO_FILES = 1, /* an io_file for each file id of a process */
    IO_NAMES = 2, /* or an io_file for each name, over all experiments */
    IO_STACKS = 4,
    IO_CALLS = 8, /* io.call, and also io.slow, io.size, io.time */
};

static inline u32
iosum_step(u64 v)
{
    u32 step = v ? 64 - (u32)__builtin_clzll(v) : 0;

    return step < IO_STEPS ? step : IO_STEPS - 1;
}

/* Get the least value of a step. */
static inline u64
iosum_step_least(u32 step)
{
    return step ? (u64)1 << (step - 1) : 0;
}

static inline void
iosum_add(struct io_sum *to, const struct io_sum *more)
{
    to->count += more->count;
    to->bytes += more->bytes;
    to->time += more->time;
    if (more->most > to->most)
        to->most = more->most;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Input and output: sums of calls by file, stack, function and error; how much they
 * transferred and how long they took. Only events that pass the filter count. Ordinary
 * process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_IO_IO_H
#define ERTOOLS_PRINT_MODEL_IO_IO_H

#include <stdbool.h>

#include "print/model/session.h"
#include "share/record.h"

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
    u64 most; /* ns: the longest */
};

struct io_sums {
    struct io_sum of[IO_CLASSES];
};

/* An open file, socket or other object; or only a path. */
struct io_open {
    u32 experiment;
    u32 id;     /* within it; 0 = calls about no file */
    u32 kind;   /* enum er_file_kind */
    u32 how;    /* enum er_file_origin, 0 = nothing is known of it */
    int64_t fd; /* -1 = none */
    u64 fstype; /* statfs(2)'s f_type, 0 = not known */
    u64 time;   /* ns from the start of the run */
    struct er_str name; /* lives as long as the session has the experiment */
};

struct io_file {
    struct io_open open; /* with IO_NAMES the first one */
    u32 opens;           /* how often this process opened it */
    struct io_sums sums;
};

struct io_stack {
    u32 node; /* for frames_of() */
    struct io_sums sums;
};

/* One function of libc, and how its calls ended. */
struct io_call {
    u32 call; /* for iocall_name() */
    u32 error;
    enum io_class class;
    struct io_sum sum;
};

struct io_slow {
    u32 experiment;
    u32 file; /* id, 0 = none */
    u32 node; /* for frames_of() */
    u32 call;
    u32 error;
    u32 thread; /* index in threads.row + 1, 0 = none */
    u64 since;  /* ns from the start of the run to its end */
    u64 time;   /* ns that it took */
    u64 bytes;
};

enum {
    IO_SLOW = 32,  /* slowest calls that are kept */
    IO_STEPS = 64, /* classes of sizes and times: step 0 is 0, step n below 2^n */
};

/* What to ask for. */
enum io_want {
    IO_FILES = 1, /* each time that a file was opened */
    IO_NAMES = 2, /* or each name, over all experiments */
    IO_STACKS = 4,
    IO_CALLS = 8, /* and slow, size, time */
};

struct io {
    bool recorded; /* an experiment has such data, or was to have it */
    struct io_sums total;
    struct io_open *open; /* with IO_FILES or IO_NAMES: by experiment and id */
    u32 opens;
    u32 open_room;
    struct io_file *file;
    u32 files;
    u32 file_room;
    struct io_stack *stack; /* by node */
    u32 stacks;
    u32 stack_room;
    struct io_call *call; /* by call, class, error */
    u32 calls;
    u32 call_room;
    struct io_slow slow[IO_SLOW]; /* the slowest first; waits are not among them */
    u32 slows;
    struct io_sum size[IO_STEPS][2]; /* reads and writes, by bytes */
    struct io_sum time[IO_STEPS][IO_CLASSES]; /* by ns */
};

static inline u32
io_step(u64 v)
{
    u32 step = v ? 64 - (u32)__builtin_clzll(v) : 0;

    return step < IO_STEPS ? step : IO_STEPS - 1;
}

/* The least value of a step. */
static inline u64
io_step_least(u32 step)
{
    return step ? (u64)1 << (step - 1) : 0;
}

static inline void
io_sum_add(struct io_sum *to, const struct io_sum *more)
{
    to->count += more->count;
    to->bytes += more->bytes;
    to->time += more->time;
    if (more->most > to->most)
        to->most = more->most;
}

void io_sums_add(struct io_sums *to, const struct io_sums *more);

/* The sums over all classes; IO_CLASS_WAIT is included only if `waits`. */
struct io_sum io_sums_all(const struct io_sums *sums, bool waits);

/* want: of enum io_want. 0 and *out for io_free(), or -errno. */
int io_get(struct session *session, u32 want, struct io *out);
void io_free(struct io *io);

/* What was open under that id; NULL if it is not known. */
const struct io_open *io_find(const struct io *io, u32 experiment, u32 id);

#endif

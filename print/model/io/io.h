/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Input and output: sums of calls by file, stack, function and error; how much they
 * transferred and how long they took. Only events that pass the filter count. Ordinary
 * process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_IO_IO_H
#define ERTOOLS_PRINT_MODEL_IO_IO_H

#include <stdbool.h>

#include "print/model/io/iosum.h"
#include "print/model/session.h"

struct io_sums {
    struct io_sum of[IO_CLASSES];
};

struct io_file {
    struct io_open open; /* with IO_NAMES, the first that is more than a path, if any */
    u32 opens;           /* how often it was opened */
    struct io_sums sums;
};

struct io_stack {
    u32 node; /* for frames_of() */
    struct io_sums sums;
};

/* The calls of one function of libc that ended in one way. */
struct io_call {
    u32 call; /* for iocall_name() */
    u32 error; /* errno, 0 = none */
    enum io_class class;
    struct io_sum sum;
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
    struct io_sum size[IO_STEPS][2]; /* by bytes of a call: reads, and writes */
    struct io_sum time[IO_STEPS][IO_CLASSES]; /* by ns of a call */
};

void io_sums_add(struct io_sums *to, const struct io_sums *more);

/* Get the sums over all classes; IO_CLASS_WAIT is included only if `waits`. */
struct io_sum io_sums_all(const struct io_sums *sums, bool waits);

/* Sum up. want: bits of enum io_want. 0 and *out for io_free(), or -errno. */
int io_get(struct session *session, u32 want, struct io *out);
void io_free(struct io *io);

/* Get what was open under an id; NULL: not known, or no files were asked for. */
const struct io_open *io_find(const struct io *io, u32 experiment, u32 id);

#endif

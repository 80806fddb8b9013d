/* SPDX-License-Identifier: Apache-2.0 */
/* One pass over the I/O of an experiment. For the model's own use; see io.h. */
#ifndef ERTOOLS_PRINT_MODEL_IO_IOSCAN_H
#define ERTOOLS_PRINT_MODEL_IO_IOSCAN_H

#include "print/model/bins.h"
#include "print/model/io/iosum.h"
#include "print/model/session.h"

/*
 * Keys of bins: object is the file's id, node the stack, other the call; what is the
 * class, with the error in the bits above it. What the caller did not ask for is 0.
 */
enum {
    IO_WHAT_CLASS = 7,
    IO_WHAT_ERROR_SHIFT = 3,
};

/* The sums of one worker; times are record times. */
struct io_part {
    struct bins bins;
    struct io_open *open; /* their times are record times */
    u32 opens;
    u32 open_room;
    struct io_slow slow[IO_SLOW]; /* a heap, the fastest on top; with experiment ids */
    u32 slows;
    struct io_sum size[IO_STEPS][2];
    struct io_sum time[IO_STEPS][IO_CLASSES];
};

/*
 * Sum up. want: bits of enum io_want. rate: ns in a unit of record times. 0 and *out
 * for ioscan_free(); -ENOENT (no such data) or -ENOMEM.
 */
int ioscan_run(struct session *session, u32 experiment, u32 want, double rate,
               struct io_part **out);
void ioscan_free(struct io_part *part);

/* Put a call into the heap slow[] if it is among the IO_SLOW slowest. */
void ioscan_slow(struct io_slow *slow, u32 *slows, const struct io_slow *call);

#endif

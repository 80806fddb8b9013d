/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a session in the formats of other programs: a function for each row of
 * formats.def. Ordinary process context, one thread. A writer returns 0 or -errno;
 * ferror(out->f) says if writing failed.
 */
#ifndef ERTOOLS_PRINT_OUT_OUT_H
#define ERTOOLS_PRINT_OUT_OUT_H

#include <stdbool.h>
#include <stdio.h>

#include "print/model/metric.h"
#include "print/model/session.h"

struct out {
    struct session *session;
    enum metric metric; /* the main metric, which comes first; it is not a ratio */
    FILE *f;          /* NULL if the format writes to `path` */
    const char *path; /* OUT_DIRECTORY: the directory to make */
    const char *test, *revision; /* of reports for LNT; NULL = not given */
    u32 only; /* number, from 1 on, of the experiment to write; 0 = all */
    /*
     * Gets sentences about data that the file does not contain. Called by out_warn().
     */
    void (*warning)(void *context, const char *sentence);
    void *context;
};

enum out_flag {
    OUT_TEXT = 1,  /* may go to a terminal */
    OUT_SPLIT = 2, /* can write one experiment alone, by out->only */
    OUT_DIRECTORY = 4, /* makes a directory, not a file */
    OUT_MACHINE = 8, /* shows functions in the machine's view, whatever the user
                        chose */
};

typedef int out_fn(struct out *out);

struct out_format {
    const char *name;
    const char *suffix; /* of names that files of this format usually have */
    const char *doc;
    out_fn *write;
    unsigned flags;
};

extern const struct out_format out_formats[];
extern const u32 out_nformats;

#define OUT_FORMAT(name, word, suffix, flags, doc) out_fn out_##name;
#include "print/out/formats.def"
#undef OUT_FORMAT

/* Find a format by name, NULL if there is none. */
const struct out_format *out_find(const char *name);

/* Pass a sentence to out->warning(). */
void out_warn(struct out *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Report that negative values of a metric were left out, since most formats cannot
 * represent them; `sum` is their sum. If it is 0, nothing is reported.
 */
void out_warn_negative(struct out *out, enum metric metric, int64_t sum);

/*
 * List the metrics that have a value at some stack in metric[METRIC_COUNT]; out->metric
 * always comes first. METRIC_total is left out if it equals the CPU time. Returns how
 * many there are. The tally must have been made, as each view does.
 */
u32 out_metrics(const struct out *out, enum metric *metric);

/* Get the program that the first experiment ran; "" if it is not known. */
const char *out_program(const struct out *out);

/* Write a string of json with its quotes. */
void out_string(const char *text, FILE *f);

/* Get the metric's unit: "nanoseconds", "bytes" or "count". */
const char *out_unit(enum metric metric);

#endif

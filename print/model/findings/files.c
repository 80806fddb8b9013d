/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports the files that took most time of input and output, and those with many small
 * calls.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "print/model/findings/phrase.h"
#include "print/model/findings/sections.h"
#include "print/model/io/io.h"

enum {
    SMALL_CALLS = 1000, /* add_small(): least reads, or writes, of a file */
    SMALL_BYTES = 64,   /* add_small(): their mean bytes must be below this */
    SMALL_SHARE = 10,   /* add_small(): their least percentage of all reads (writes) */
    NEXT_SHARE = 5,     /* percent of the time, from which on a second file is named */
    ERRORS_LEAST = 100, /* add_errors(): least number of failed calls */
    ERRORS_SHARE = 10,  /* add_errors(): their least percentage of all calls */
};

static const char *const did[IO_CLASSES] = {
    [IO_CLASS_READ] = "reading",
    [IO_CLASS_WRITE] = "writing",
    [IO_CLASS_OTHER] = "in other calls (open, close, fsync ...)",
    [IO_CLASS_WAIT] = "waiting for it to be ready",
    [IO_CLASS_ERROR] = "in calls that failed",
};

static void
append_file(struct findings *f, const struct io_open *open)
{
    char *name = NULL;

    if (!open->name.len)
        phrase_add_name(f, FIND_NAME, open->id ? "<unknown>" : "<no file>");
    else if (asprintf(&name, "%.*s", (int)open->name.len, open->name.s) >= 0)
        phrase_add_name(f, FIND_NAME, name);
    free(name);
}

static void
append_calls(struct findings *f, const struct io_sums *sums)
{
    enum io_class most = IO_CLASS_READ;
    const struct io_sum *sum;

    for (u32 i = 0; i < IO_CLASSES; i++)
        if (i != IO_CLASS_WAIT && sums->of[i].time > sums->of[most].time)
            most = (enum io_class)i;
    sum = &sums->of[most];
    phrase_add(f, ", ");
    phrase_add_time(f, io_sums_all(sums, false).time);
    phrase_add(f, ", most of it %s (", did[most]);
    phrase_add_count(f, sum->count, "call", "calls");
    if (most <= IO_CLASS_WRITE) {
        phrase_add(f, ", ");
        phrase_add_bytes(f, sum->bytes);
    }
    phrase_add(f, ").");
}

static void
add_file(struct findings *f, const struct io *io, const struct io_file *file)
{
    phrase_begin(f, FINDING_FILE, "ioactivity");
    phrase_add_share(f, (double)io_sums_all(&file->sums, false).time,
                     (double)io_sums_all(&io->total, false).time);
    phrase_add(f, " of the I/O time is for ");
    append_file(f, &file->open);
    append_calls(f, &file->sums);
}

static const struct io_file *
slowest(const struct io *io, bool only_files)
{
    const struct io_file *top = NULL;
    u64 most = 0;

    for (u32 i = 0; i < io->files; i++) {
        u64 time = io_sums_all(&io->file[i].sums, false).time;

        if ((only_files && io->file[i].open.kind != FILE_KIND_REGULAR) || time <= most)
            continue;
        top = &io->file[i];
        most = time;
    }
    return top;
}

/* Report many calls that transfer few bytes each: a buffer would help. */
static void
add_small(struct findings *f, const struct io *io, enum io_class class)
{
    const struct io_file *top = NULL;
    const struct io_sum *sum;

    for (u32 i = 0; i < io->files; i++) {
        sum = &io->file[i].sums.of[class];
        if (sum->count >= SMALL_CALLS && sum->bytes / sum->count < SMALL_BYTES &&
            sum->count * 100 >= io->total.of[class].count * SMALL_SHARE &&
            (!top || sum->count > top->sums.of[class].count))
            top = &io->file[i];
    }
    if (!top)
        return;
    sum = &top->sums.of[class];
    phrase_begin(f, FINDING_FILE, "iodetail");
    phrase_add_count(f, sum->count, "call", "calls");
    phrase_add(f, " %s ", class == IO_CLASS_READ ? "read" : "wrote");
    append_file(f, &top->open);
    phrase_add(f, ", %.1f bytes each", (double)sum->bytes / (double)sum->count);
    if (top->opens > 1)
        phrase_add(f, "; it was opened %u times", top->opens);
    phrase_add(f, ".");
}

static void
add_errors(struct findings *f, const struct io *io)
{
    u64 errors = io->total.of[IO_CLASS_ERROR].count;

    if (errors < ERRORS_LEAST ||
        errors * 100 < io_sums_all(&io->total, true).count * ERRORS_SHARE)
        return;
    phrase_begin(f, FINDING_FILE, "iostat");
    phrase_add_count(f, errors, "I/O call", "I/O calls");
    phrase_add(f, " failed, ");
    phrase_add_share(f, (double)errors, (double)io_sums_all(&io->total, true).count);
    phrase_add(f, " of all.");
}

int
sections_files(struct session *session, struct findings *f)
{
    const struct io_file *top, *next;
    struct io io;
    int ret = io_get(session, IO_NAMES, &io);

    if (ret < 0)
        return ret;
    top = io.recorded ? slowest(&io, false) : NULL;
    next = io.recorded ? slowest(&io, true) : NULL;
    if (top)
        add_file(f, &io, top);
    if (next && next != top &&
        io_sums_all(&next->sums, false).time * 100 >=
            io_sums_all(&io.total, false).time * NEXT_SHARE)
        add_file(f, &io, next);
    if (io.recorded) {
        add_small(f, &io, IO_CLASS_READ);
        add_small(f, &io, IO_CLASS_WRITE);
        add_errors(f, &io);
    }
    if (io.recorded && !io.files) {
        phrase_begin(f, FINDING_FILE, "iostat");
        phrase_add(f, "No I/O was recorded.");
    }
    io_free(&io);
    return 0;
}

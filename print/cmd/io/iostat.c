/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "print/cmd/io/iocols.h"
#include "print/cmd/stackcell.h"
#include "share/iocall.h"

struct view {
    struct shell *sh;
    const char *command;
    const struct io *io;
    struct table *tables;
};

/* A sum as columns. */
struct sumcols {
    struct table *t;
    u32 count, bytes, time, average, longest;
};

static struct table *
new_table(struct view *v, const char *title)
{
    struct table *t = table_new(v->command, LAYOUT_COLUMNS);

    table_title(t, "%s", title);
    table_follow(&v->tables, t);
    return t;
}

static void
sum_columns(struct sumcols *c, struct table *t)
{
    c->t = t;
    c->count = table_column(t, "count", "Calls", "", COL_COUNT, 0);
    c->bytes = table_column(t, "bytes", "Bytes", "byte", COL_COUNT, COL_SPARSE);
    c->time = table_column(t, "time", "Time", "sec.", COL_NS, 0);
    c->average = table_column(t, "average", "Average", "us", COL_REAL, 0);
    c->longest = table_column(t, "longest", "Longest", "us", COL_REAL, 0);
}

static void
sum_fill(const struct sumcols *c, const struct io_sum *sum)
{
    table_number(c->t, c->count, sum->count);
    table_number(c->t, c->bytes, sum->bytes);
    table_number(c->t, c->time, sum->time);
    if (sum->count)
        table_real(c->t, c->average, (double)sum->time / 1e3 / (double)sum->count);
    table_real(c->t, c->longest, (double)sum->most / 1e3);
}

static void
add_classes(struct view *v)
{
    struct table *t = new_table(v, "I/O in total");
    struct io_sum all = io_sums_all(&v->io->total, true);
    struct sumcols sum;
    u32 class;

    sum_columns(&sum, t);
    class = table_column(t, "class", "What", "", COL_TEXT, 0);
    for (u32 i = 0; i < IO_CLASSES; i++) {
        table_row(t, 0);
        sum_fill(&sum, &v->io->total.of[i]);
        table_text(t, class, iocols_classes[i]);
    }
    table_row(t, 0);
    sum_fill(&sum, &all);
    table_text(t, class, "<Total>");
}

/* The sums of all calls of one function. */
struct by_call {
    u32 call;
    struct io_sum sum;
    u64 errors;
};

static int
by_time(const void *a, const void *b)
{
    const struct by_call *x = a, *y = b;

    if (x->sum.time != y->sum.time)
        return x->sum.time < y->sum.time ? 1 : -1;
    if (x->sum.count != y->sum.count)
        return x->sum.count < y->sum.count ? 1 : -1;
    return x->call < y->call ? -1 : x->call > y->call;
}

/*
 * Sum up each function's calls, which are consecutive in io->call. The caller frees the
 * sums.
 */
static struct by_call *
sum_calls(const struct io *io, u32 *count)
{
    struct by_call *sums = mem_realloc(NULL, io->calls * sizeof(*sums));

    *count = 0;
    for (u32 i = 0; i < io->calls; i++) {
        const struct io_call *call = &io->call[i];
        struct by_call *last = *count ? &sums[*count - 1] : NULL;

        if (!last || last->call != call->call) {
            last = &sums[(*count)++];
            *last = (struct by_call){ .call = call->call };
        }
        iosum_add(&last->sum, &call->sum);
        last->errors += call->class == IO_CLASS_ERROR ? call->sum.count : 0;
    }
    if (*count)
        qsort(sums, *count, sizeof(*sums), by_time);
    return sums;
}

static void
fill_call(struct table *t, u32 column, u32 call)
{
    if (iocall_name(call))
        table_text(t, column, iocall_name(call));
    else
        table_format(t, column, "<%u>", call);
}

static void
add_calls(struct view *v)
{
    struct table *t = new_table(v, "I/O by function");
    u32 errors, name, count, shown;
    struct by_call *calls = sum_calls(v->io, &count);
    struct sumcols sum;

    sum_columns(&sum, t);
    errors = table_column(t, "errors", "Errors", "", COL_COUNT, COL_SPARSE);
    name = table_column(t, "function", "Function", "", COL_TEXT, 0);
    shown = shell_limit(v->sh, t, count);
    for (u32 i = 0; i < shown; i++) {
        table_row(t, 0);
        sum_fill(&sum, &calls[i].sum);
        table_number(t, errors, calls[i].errors);
        fill_call(t, name, calls[i].call);
    }
    free(calls);
}

/* The sums of all files of one kind and one file system. */
struct by_kind {
    u32 kind;
    u64 fstype;
    u32 files;
    struct io_sums sums;
};

static int
by_place(const void *a, const void *b)
{
    const struct by_kind *x = a, *y = b;

    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->fstype < y->fstype ? -1 : x->fstype > y->fstype;
}

/* The caller frees them. */
static struct by_kind *
sum_kinds(const struct io *io, u32 *count)
{
    struct by_kind *kinds = mem_realloc(NULL, io->files * sizeof(*kinds));
    u32 kept = 0;

    for (u32 i = 0; i < io->files; i++) {
        const struct io_open *open = &io->file[i].open;

        kinds[i] =
            (struct by_kind){ open->kind, open->fstype, 1, io->file[i].sums };
    }
    if (io->files)
        qsort(kinds, io->files, sizeof(*kinds), by_place);
    for (u32 i = 0; i < io->files; i++) {
        if (!kept || by_place(&kinds[kept - 1], &kinds[i])) {
            kinds[kept++] = kinds[i];
            continue;
        }
        io_sums_add(&kinds[kept - 1].sums, &kinds[i].sums);
        kinds[kept - 1].files++;
    }
    *count = kept;
    return kinds;
}

static void
add_kinds(struct view *v)
{
    struct table *t = new_table(v, "I/O by kind of file");
    u32 files, fstype, kind, count;
    struct by_kind *kinds = sum_kinds(v->io, &count);
    struct iocols sums;

    iocols_add(&sums, t);
    files = table_column(t, "files", "Names", "", COL_COUNT, 0);
    fstype = table_column(t, "fstype", "System", "", COL_TEXT, 0);
    kind = table_column(t, "kind", "Kind", "", COL_TEXT, 0);
    for (u32 i = 0; i < count; i++) {
        table_row(t, 0);
        iocols_fill(&sums, &kinds[i].sums);
        table_number(t, files, kinds[i].files);
        table_text(t, fstype, iocols_fstype(t, kinds[i].fstype));
        table_text(t, kind, iocols_kind(kinds[i].kind));
    }
    free(kinds);
}

static int
by_error(const void *a, const void *b)
{
    const struct io_call *x = a, *y = b;

    if (x->sum.count != y->sum.count)
        return x->sum.count < y->sum.count ? 1 : -1;
    if (x->call != y->call)
        return x->call < y->call ? -1 : 1;
    return x->error < y->error ? -1 : x->error > y->error;
}

static void
add_errors(struct view *v)
{
    struct table *t = new_table(v, "Errors, by function");
    struct io_call *call = mem_realloc(NULL, v->io->calls * sizeof(*call));
    u32 error, name, count = 0, shown;
    struct sumcols sum;

    for (u32 i = 0; i < v->io->calls; i++)
        if (v->io->call[i].class == IO_CLASS_ERROR)
            call[count++] = v->io->call[i];
    if (count)
        qsort(call, count, sizeof(*call), by_error);
    sum_columns(&sum, t);
    error = table_column(t, "error", "Error", "", COL_TEXT, 0);
    name = table_column(t, "function", "Function", "", COL_TEXT, 0);
    shown = shell_limit(v->sh, t, count);
    for (u32 i = 0; i < shown; i++) {
        table_row(t, 0);
        sum_fill(&sum, &call[i].sum);
        table_text(t, error, iocols_error(t, call[i].error));
        fill_call(t, name, call[i].call);
    }
    free(call);
}

static void
add_sizes(struct view *v)
{
    struct table *t = new_table(v, "Calls by bytes");
    u32 least = table_column(t, "least", "From", "byte", COL_COUNT, 0);
    u32 most = table_column(t, "most", "To", "byte", COL_COUNT, 0);
    u32 count[2], time[2];

    for (u32 k = 0; k < 2; k++) {
        count[k] = table_column(t, k ? "writes" : "reads", k ? "Writes" : "Reads", "",
                                COL_COUNT, COL_SPARSE);
        time[k] = table_column(t, k ? "write_time" : "read_time",
                               k ? "Write\ntime" : "Read\ntime", "sec.", COL_NS,
                               COL_SPARSE);
    }
    for (u32 i = 0; i < IO_STEPS; i++) {
        const struct io_sum *sum = v->io->size[i];

        if (!sum[0].count && !sum[1].count)
            continue;
        table_row(t, 0);
        table_number(t, least, iosum_step_least(i));
        table_number(t, most, i ? iosum_step_least(i + 1) - 1 : 0);
        for (u32 k = 0; k < 2; k++) {
            table_number(t, count[k], sum[k].count);
            table_number(t, time[k], sum[k].time);
        }
    }
}

static void
add_times(struct view *v)
{
    struct table *t = new_table(v, "Calls by time");
    u32 least = table_column(t, "least", "From", "us", COL_REAL, 0);
    u32 most = table_column(t, "most", "Below", "us", COL_REAL, 0);
    u32 count[IO_CLASSES], n;

    for (u32 k = 0; k < IO_CLASSES; k++) {
        char key[16];

        snprintf(key, sizeof(key), "%s", iocols_classes[k]);
        key[0] |= 0x20;
        count[k] = table_column(t, key, iocols_classes[k], "", COL_COUNT, COL_SPARSE);
    }
    for (u32 i = 0; i < IO_STEPS; i++) {
        n = 0;
        for (u32 k = 0; k < IO_CLASSES; k++)
            n += v->io->time[i][k].count != 0;
        if (!n)
            continue;
        table_row(t, 0);
        table_real(t, least, (double)iosum_step_least(i) / 1e3);
        table_real(t, most, (double)iosum_step_least(i + 1) / 1e3);
        for (u32 k = 0; k < IO_CLASSES; k++)
            table_number(t, count[k], v->io->time[i][k].count);
    }
}

static void
add_slow(struct view *v)
{
    struct table *t = new_table(v, "The slowest calls");
    u32 time = table_column(t, "time", "Time", "us", COL_REAL, 0);
    u32 since = table_column(t, "since", "Ended at", "sec.", COL_NS, 0);
    u32 bytes = table_column(t, "bytes", "Bytes", "byte", COL_COUNT, COL_SPARSE);
    u32 thread = table_column(t, "thread", "Thread", "", COL_COUNT, 0);
    u32 error = table_column(t, "error", "Error", "", COL_TEXT, 0);
    u32 call = table_column(t, "function", "Function", "", COL_TEXT, 0);
    u32 file = table_column(t, "file", "File", "", COL_TEXT, 0);
    u32 place = table_column(t, "place", "Called at", "", COL_TEXT, 0);
    u32 shown = shell_limit(v->sh, t, v->io->slows);

    for (u32 i = 0; i < shown; i++) {
        const struct io_slow *slow = &v->io->slow[i];
        const struct experiment *e = v->sh->session->experiment[slow->experiment];
        const struct io_open *open = io_find(v->io, slow->experiment, slow->file);
        struct io_open none = { .id = slow->file };

        table_row(t, 0);
        table_real(t, time, (double)slow->time / 1e3);
        table_number(t, since, slow->since);
        table_number(t, bytes, slow->bytes);
        if (slow->thread)
            table_number(t, thread, e->threads.row[slow->thread - 1].id);
        if (slow->error)
            table_text(t, error, iocols_error(t, slow->error));
        fill_call(t, call, slow->call);
        table_text(t, file, iocols_name(t, open ? open : &none));
        table_text(t, place, stackcell_place(v->sh, t, slow->node));
    }
}

int
cmd_iostat(struct shell *sh, int argc, char **argv)
{
    static void (*const parts[])(struct view *) = {
        add_classes, add_calls, add_kinds, add_errors, add_sizes, add_times, add_slow,
    };
    struct view v = { .sh = sh, .command = argv[0] };
    struct io io;

    (void)argc;
    if (iocols_get(sh, IO_NAMES | IO_CALLS, &io))
        return 1;
    v.io = &io;
    for (u32 i = 0; i < ER_COUNT(parts); i++)
        parts[i](&v);
    io_free(&io);
    return shell_show(sh, v.tables);
}

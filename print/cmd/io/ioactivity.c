/* SPDX-License-Identifier: Apache-2.0 */
/* Input and output by file, descriptor and stack. */
#include <stdlib.h>

#include "print/cmd/io/iocols.h"
#include "print/cmd/stackcell.h"

int
cmd_ioactivity(struct shell *sh, int argc, char **argv)
{
    struct iocols columns;
    struct table *t;
    struct io io;
    u32 opens, kind, fstype, name, shown;

    (void)argc;
    if (iocols_get(sh, IO_NAMES, &io))
        return 1;
    iocols_sort(io.file, io.files);
    t = table_new(argv[0], LAYOUT_COLUMNS);
    table_title(t, "I/O by file, by time");
    iocols_add(&columns, t);
    opens = table_column(t, "opens", "Opened", "", COL_COUNT,
                         COL_SPARSE | COL_DETAIL);
    kind = table_column(t, "kind", "Kind", "", COL_TEXT, COL_DETAIL);
    fstype = table_column(t, "fstype", "System", "", COL_TEXT, COL_DETAIL);
    name = table_column(t, "name", "Name", "", COL_TEXT, 0);
    table_row(t, 0);
    iocols_fill(&columns, &io.total);
    table_text(t, name, "<Total>");
    shown = shell_limit(sh, t, io.files);
    for (u32 i = 0; i < shown; i++) {
        const struct io_file *file = &io.file[i];

        table_row(t, 0);
        iocols_fill(&columns, &file->sums);
        table_number(t, opens, file->opens);
        if (file->open.how)
            table_text(t, kind, iocols_kind(file->open.kind));
        table_text(t, fstype, iocols_fstype(t, file->open.fstype));
        table_text(t, name, iocols_name(t, &file->open));
    }
    io_free(&io);
    return shell_show(sh, t);
}

static const char *
how(u32 origin)
{
    switch (origin) {
    case FILE_OPENED:
        return "opened";
    case FILE_INHERITED:
        return "was open";
    case FILE_PATH_ONLY:
        return "by path";
    default:
        return NULL;
    }
}

struct view {
    struct shell *sh;
    struct table *t;
    struct iocols columns;
    u32 experiment, id, fd, time, how, kind, fstype, name;
};

static void
add_columns(struct view *v, const char *command)
{
    struct table *t = v->t = table_new(command, LAYOUT_COLUMNS);

    table_title(t, "I/O by each opening of a file, by time");
    iocols_add(&v->columns, t);
    v->fd = table_column(t, "fd", "Desc.", "", COL_COUNT, 0);
    v->time = table_column(t, "since", "From", "sec.", COL_NS, COL_DETAIL);
    v->how = table_column(t, "how", "How", "", COL_TEXT, COL_DETAIL);
    v->kind = table_column(t, "kind", "Kind", "", COL_TEXT, COL_DETAIL);
    v->fstype = table_column(t, "fstype", "System", "", COL_TEXT, COL_DETAIL);
    v->id = table_column(t, "id", "File", "", COL_COUNT, COL_DATA_ONLY);
    v->experiment =
        table_column(t, "experiment", "Experiment", "", COL_TEXT, COL_DATA_ONLY);
    v->name = table_column(t, "name", "Name", "", COL_TEXT, 0);
}

static void
add_row(const struct view *v, const struct io_file *file)
{
    const struct io_open *open = &file->open;
    struct table *t = v->t;

    table_row(t, 0);
    iocols_fill(&v->columns, &file->sums);
    table_text(t, v->name, iocols_name(t, open));
    table_number(t, v->id, open->id);
    table_text(t, v->experiment, v->sh->session->experiment[open->experiment]->path);
    if (!open->how)
        return;
    if (open->fd >= 0)
        table_number(t, v->fd, (u64)open->fd);
    table_number(t, v->time, open->time);
    table_text(t, v->how, how(open->how));
    table_text(t, v->kind, iocols_kind(open->kind));
    table_text(t, v->fstype, iocols_fstype(t, open->fstype));
}

int
cmd_iodetail(struct shell *sh, int argc, char **argv)
{
    struct view v = { .sh = sh };
    struct io io;
    u32 shown;

    (void)argc;
    if (iocols_get(sh, IO_FILES, &io))
        return 1;
    iocols_sort(io.file, io.files);
    add_columns(&v, argv[0]);
    shown = shell_limit(sh, v.t, io.files);
    for (u32 i = 0; i < shown; i++)
        add_row(&v, &io.file[i]);
    io_free(&io);
    return shell_show(sh, v.t);
}

static int
compare(const void *a, const void *b)
{
    const struct io_stack *x = a, *y = b;
    struct io_sum left = io_sums_all(&x->sums, false);
    struct io_sum right = io_sums_all(&y->sums, false);

    if (left.time != right.time)
        return left.time < right.time ? 1 : -1;
    if (left.bytes != right.bytes)
        return left.bytes < right.bytes ? 1 : -1;
    return x->node < y->node ? -1 : x->node > y->node;
}

int
cmd_iocallstack(struct shell *sh, int argc, char **argv)
{
    struct iocols columns;
    struct table *t;
    struct io io;
    u32 heading, stack, shown;
    int err = 0;

    (void)argc;
    if (iocols_get(sh, IO_STACKS, &io))
        return 1;
    if (io.stacks)
        qsort(io.stack, io.stacks, sizeof(*io.stack), compare);
    t = table_new(argv[0], LAYOUT_BLOCKS);
    table_title(t, "I/O by stack, by time");
    table_fact(t, "stacks", "Stacks", arena_printf(&t->arena, "%u", io.stacks));
    heading = table_column(t, "heading", "Stack", "", COL_TEXT, 0);
    iocols_add(&columns, t);
    stack = table_column(t, "stack", "Stack", "", COL_LIST, 0);
    shown = shell_limit(sh, t, io.stacks);
    for (u32 i = 0; i < shown && !err; i++) {
        table_row(t, 0);
        table_format(t, heading, "Stack %u", i + 1);
        iocols_fill(&columns, &io.stack[i].sums);
        err = stackcell_fill(sh, t, stack, io.stack[i].node);
    }
    io_free(&io);
    if (!err)
        return shell_show(sh, t);
    table_free(t);
    return shell_fail(sh, "no memory is left");
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/io/iocols.h"

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

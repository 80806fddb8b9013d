/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/io/iocols.h"

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

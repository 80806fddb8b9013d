/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/facts.h"

void
facts_columns(struct facts *f, struct shell *sh, struct table *t)
{
    f->name = table_column(t, "name", "Name", "", COL_TEXT, 0);
    mcols_before(&f->m, sh, t, MCOLS_PLACES);
    mcols_after(&f->m);
    f->size = table_column(t, "size", "Size", "bytes", COL_COUNT, 0);
    f->address = table_column(t, "address", "Address", "", COL_ADDRESS, 0);
    f->inlined = table_column(t, "inlined", "Has inlined calls", "", COL_BOOL, 0);
    f->file = table_column(t, "file", "Source file", "", COL_TEXT, 0);
    f->line = table_column(t, "line", "Line", "", COL_COUNT, 0);
    f->object = table_column(t, "object", "Load object", "", COL_TEXT, 0);
    f->linkage = table_column(t, "linkage", "Linkage name", "", COL_TEXT, 0);
}

void
facts_row(const struct facts *f, struct shell *sh, u32 function, const struct row *row,
          const struct values *whole)
{
    static const struct values zero;
    struct table *t = f->m.table;
    struct mcols_values v = {
        .excl = row ? &row->excl : &zero,
        .incl = row ? &row->incl : &zero,
        .whole = whole,
    };
    struct function_info info;
    struct object_info object;

    table_row(t, 0);
    mcols_fill(&f->m, &v);
    table_text(t, f->name, function_title(sh->session, function));
    if (function < FUNC_PSEUDO_COUNT)
        return;
    function_get(sh->session, function, &info);
    object_get(sh->session, info.object, &object);
    if (info.addr) {
        table_number(t, f->size, info.size);
        table_number(t, f->address, info.addr);
    }
    table_number(t, f->inlined, info.inlined);
    if (info.file)
        table_text(t, f->file, file_path(sh->session, info.file));
    if (info.line)
        table_number(t, f->line, info.line);
    table_text(t, f->object, object.path);
    table_text(t, f->linkage, info.linkage);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/dwarf.h"

#include <errno.h>

#include "archive/dwnames.h"
#include "archive/dwsplit.h"

struct reading {
    const struct dwarf_request *r;
    struct dwfile file;
    struct dwfile alt;
    struct dwline line;
    struct dwinfo info;
    struct dwsplit split;
};

static void
read_split(struct reading *x, struct dwunit *skeleton)
{
    struct dwsplit_unit split;

    if (dwsplit_open(&x->split, skeleton, &split) < 0)
        return;
    dwinfo_unit(&x->info, split.unit);
    dwsplit_close(&split);
}

static void
read_unit(struct reading *x, struct dwunit *u)
{
    if (!dwfile_start(u)) {
        if (u->type != DW_UT_type)
            objwrite_note(x->r->w, "%s: .debug_info: offset %llu: the unit's header "
                          "is malformed", x->r->img->path,
                          (unsigned long long)u->offset);
        return;
    }
    if (u->tag == DW_TAG_partial_unit || u->tag == DW_TAG_type_unit)
        return;
    dwline_unit(&x->line, u);
    if (u->has_dwo_id || u->dwo_name)
        read_split(x, u);
    else
        dwinfo_unit(&x->info, u);
}

/* Tells the symbols what functions they are. */
static void
join_symbols(const struct reading *x)
{
    struct symbols *s = x->r->symbols;
    u32 settled = s->count;

    for (u32 i = 0; i < x->info.function_count; i++) {
        const struct dwinfo_function *f = &x->info.functions[i];
        struct symbols known = *s;
        struct symbol *symbol, made = {.addr = f->lo, .size = f->hi - f->lo,
                                       .name = "", .func = f->func,
                                       .origin = OBJFILE_ORIGIN_DWARF};

        known.count = settled; /* those behind are not sorted yet */
        symbol = symbols_find(&known, f->lo);
        if (symbol)
            symbol->func = f->func;
        else if (f->func && !symbols_cover(&known, f->lo))
            symbols_add(s, &made);
    }
}

static int
open_files(struct reading *x)
{
    u64 bad_at, ignored;
    int status = dwfile_open(&x->file, x->r->img, false, &bad_at);

    if (status < 0)
        return status;
    if (bad_at != UINT64_MAX)
        objwrite_note(x->r->w, "%s: .debug_info: offset %llu: malformed from there on",
                      x->r->img->path, (unsigned long long)bad_at);
    if (x->r->alt && dwfile_open(&x->alt, x->r->alt, false, &ignored) == 0)
        x->file.alt = &x->alt;
    return 0;
}

int
dwarf_read(const struct dwarf_request *r)
{
    struct reading x = {
        .r = r,
        .line = {.w = r->w, .code = r->code},
        .info = {.w = r->w, .code = r->code},
        .split = {.w = r->w, .object = r->object, .debug = r->img->path},
    };
    int status = open_files(&x);

    if (status < 0)
        return status == -ENODATA ? 0 : status;
    x.info.line = &x.line;
    for (u32 i = 0; i < x.file.unit_count; i++)
        read_unit(&x, &x.file.units[i]);
    join_symbols(&x);
    dwline_write(&x.line);
    dwinfo_write(&x.info);
    dwsplit_free(&x.split);
    dwinfo_free(&x.info);
    dwline_free(&x.line);
    dwfile_free(&x.file);
    dwfile_free(&x.alt);
    return r->w->status;
}

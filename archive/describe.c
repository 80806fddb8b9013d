/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/describe.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "archive/elf/codemap.h"
#include "archive/elf/coldpart.h"
#include "archive/elf/debugfile.h"
#include "archive/dwarf/dwarf.h"
#include "archive/elf/fde.h"
#include "archive/elf/gotab.h"
#include "archive/elf/ifunc.h"
#include "archive/elf/plt.h"
#include "archive/elf/symbols.h"
#include "archive/elf/variables.h"

/*
 * The real path (without links) of the opened file; if that is not known, the path by
 * which it was opened. The cache compares it with an object's path, to find out whether
 * a description is of that file.
 */
static const char *
real_path(char real[PATH_MAX], const struct image *img)
{
    struct stat st;

    return img->path[0] == '/' && realpath(img->path, real) && stat(real, &st) == 0 &&
                   st.st_dev == img->st.st_dev && st.st_ino == img->st.st_ino
               ? real : img->path;
}

static void
add_source(struct objwrite *w, enum objfile_source_kind kind, const struct image *img)
{
    char real[PATH_MAX];
    struct obj_source row = {
        .kind = (u32)kind,
        .path = objwrite_string(w, real_path(real, img)),
        .size = img->file.size,
        .mtime = (u64)img->st.st_mtim.tv_sec * 1000000000 +
                 (u64)img->st.st_mtim.tv_nsec,
    };

    objwrite_row(w, OBJ_source, &row);
}

bool
describe_has_dwarf(struct image *img)
{
    return image_find(img, ".debug_info") || image_find(img, ".zdebug_info") ||
           image_find(img, ".debug_line") || image_find(img, ".zdebug_line");
}

/* Opens the files with the object's separate debug information. */
static void
open_companions(struct description *d)
{
    struct objwrite *w = &d->tables;
    enum objfile_source_kind kind;
    struct image *dwarf;

    add_source(w, OBJFILE_SOURCE_OBJECT, d->img);
    if (!image_find_type(d->img, SHT_SYMTAB) || !describe_has_dwarf(d->img)) {
        d->has_debug = debugfile_find(&d->debug, &kind, d->img, w) == 0;
        if (d->has_debug)
            add_source(w, kind, &d->debug);
        if (debugfile_has_server())
            w->flags |= OBJFILE_ASKED;
    }
    d->has_mini = debugfile_mini(&d->mini, d->img, w) == 0;
    if (d->has_mini)
        add_source(w, OBJFILE_SOURCE_MINI, &d->mini);
    dwarf = d->has_debug ? &d->debug : d->img;
    d->has_alt = describe_has_dwarf(dwarf) && debugfile_alt(&d->alt, dwarf, w) == 0;
    if (d->has_alt)
        add_source(w, OBJFILE_SOURCE_ALT, &d->alt);
}

static void
read_tables(struct description *d, struct symbols *s)
{
    u32 *flags = &d->tables.flags;

    if (symbols_table(s, d->img, SHT_SYMTAB, OBJFILE_ORIGIN_SYMTAB))
        *flags |= OBJFILE_HAS_SYMTAB;
    if (d->has_debug &&
        symbols_table(s, &d->debug, SHT_SYMTAB, OBJFILE_ORIGIN_SYMTAB))
        *flags |= OBJFILE_HAS_SYMTAB;
    if (symbols_table(s, d->img, SHT_DYNSYM, OBJFILE_ORIGIN_DYNSYM))
        *flags |= OBJFILE_HAS_DYNSYM;
    if (d->has_mini)
        symbols_table(s, &d->mini, SHT_SYMTAB, OBJFILE_ORIGIN_MINI);
}

static int
describe_dwarf(struct description *d, const struct codemap *code, struct symbols *s)
{
    struct dwarf_request r = {
        .w = &d->tables, .code = code, .object = d->img->path, .symbols = s,
        .img = d->has_debug && describe_has_dwarf(&d->debug) ? &d->debug : d->img,
        .alt = d->has_alt ? &d->alt : NULL,
    };

    return dwarf_read(&r);
}

static int
describe_symbols(struct description *d, const struct codemap *code)
{
    struct symbols s = {.code = code};
    struct fde_list fdes;
    int status = fde_read(&fdes, d->img);

    if (status < 0)
        return status;
    if (fdes.count > 0)
        d->tables.flags |= OBJFILE_HAS_FDES;
    read_tables(d, &s);
    if (!(d->tables.flags & OBJFILE_HAS_SYMTAB))
        gotab_read(d->img, &s, NULL, &d->tables);
    symbols_settle(&s, &fdes);
    status = plt_read(&s, d->img);
    ifunc_read(&s, d->img, &fdes);
    symbols_settle(&s, &fdes);
    if (status == 0)
        status = describe_dwarf(d, code, &s);
    if (status == 0 && !(d->tables.flags & OBJFILE_HAS_LINES))
        gotab_read(d->img, NULL, &d->tables, &d->tables);
    symbols_settle(&s, &fdes);
    symbols_fill(&s, &fdes);
    if (status == 0 && d->img->machine == EM_X86_64)
        status = coldpart_name(&s, &fdes);
    symbols_write(&s, &d->tables);
    if (status == 0)
        status = s.status;
    symbols_free(&s);
    fde_free(&fdes);
    return status;
}

static void
describe_variables(struct description *d)
{
    struct objwrite *w = &d->tables;

    variables_read(w, d->img, SHT_SYMTAB);
    if (d->has_debug)
        variables_read(w, &d->debug, SHT_SYMTAB);
    variables_read(w, d->img, SHT_DYNSYM);
    variables_sort(w);
}

static void
describe_code(struct description *d, const struct codemap *code)
{
    for (u32 i = 0; i < code->count; i++) {
        const struct codemap_part *part = &code->at[i];

        objwrite_code(&d->tables, part->lo, part->hi - part->lo, part->name,
                      part->bytes);
    }
}

static void
report_unread(struct description *d)
{
    struct objwrite *w = &d->tables;

    debugfile_report_unread(d->img, w);
    if (d->has_debug)
        debugfile_report_unread(&d->debug, w);
    if (d->has_mini)
        debugfile_report_unread(&d->mini, w);
    if (d->has_alt)
        debugfile_report_unread(&d->alt, w);
}

int
describe(struct description *d, struct image *img)
{
    struct objwrite *w = &d->tables;
    struct codemap code;
    int status;

    memset(d, 0, sizeof(*d));
    d->img = img;
    status = codemap_make(&code, img);
    if (status < 0)
        return status;
    objwrite_init(w);
    w->base = code.at[0].lo;
    w->machine = img->machine;
    w->bits = img->bits;
    w->big_endian = img->big;
    w->path = objwrite_string(w, img->path);
    w->buildid = objwrite_string(w, img->buildid);
    open_companions(d);
    status = describe_symbols(d, &code);
    describe_code(d, &code);
    describe_variables(d);
    report_unread(d);
    codemap_free(&code);
    if (status == 0)
        status = w->status;
    if (status < 0)
        describe_free(d);
    return status;
}

int
describe_save(struct description *d, int fd)
{
    return objwrite_save(&d->tables, fd);
}

void
describe_free(struct description *d)
{
    objwrite_free(&d->tables);
    if (d->has_debug)
        image_close(&d->debug);
    if (d->has_mini)
        image_close(&d->mini);
    if (d->has_alt)
        image_close(&d->alt);
    memset(d, 0, sizeof(*d));
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/dwarf/dwarf.h"

#include <errno.h>
#include <stdlib.h>

#include "archive/dwarf/dwnames.h"
#include "archive/dwarf/dwsplit.h"

struct reading {
    const struct dwarf_request *r;
    struct dwfile file;
    struct dwfile alt;
    struct dwline line;
    struct dwinfo info;
    struct dwsplit split;
};

/*
 * Reads the split file. If it is missing, reads the skeleton, which has functions and
 * inlined calls only if clang wrote them there (-fsplit-dwarf-inlining).
 */
static void
read_split(struct reading *x, struct dwunit *skeleton)
{
    struct dwsplit_unit split;

    if (dwsplit_open(&x->split, skeleton, &split) < 0) {
        dwinfo_unit(&x->info, skeleton);
        return;
    }
    dwinfo_unit(&x->info, split.unit);
    dwsplit_close(&x->split, &split);
}

static void
read_unit(struct reading *x, struct dwunit *u)
{
    if (!dwfile_start(u)) {
        if (u->type != DW_UT_type)
            objwrite_add_note(x->r->w,
                              "%s: .debug_info: offset %llu: the unit's header "
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

/* Gives each function to the symbol at its start; adds a symbol if none covers that. */
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

        known.count = settled; /* the symbols after these are not sorted yet */
        symbol = symbols_find(&known, f->lo);
        if (symbol)
            symbol->func = f->func;
        else if (f->func && !symbols_cover(&known, f->lo))
            symbols_add(s, &made);
    }
}

/* Is the end of a name a suffix that compilers give to clones, as .part.0.isra.1? */
static bool
is_clone_suffix(const char *s)
{
    static const char *const kinds[] = {".part.", ".isra.", ".constprop.", ".lto_priv.",
                                        ".llvm."};
    size_t i;

    while (*s) {
        for (i = 0; i < ER_COUNT(kinds); i++)
            if (strncmp(s, kinds[i], strlen(kinds[i])) == 0)
                break;
        if (i == ER_COUNT(kinds))
            return strcmp(s, ".cold") == 0;
        s += strlen(kinds[i]);
        s += strspn(s, "0123456789");
    }
    return true;
}

/*
 * Can a symbol belong to a function with this name? If the linker has merged identical
 * functions, the symbol may be that of another function.
 */
static bool
is_related(const char *name, const char *symbol)
{
    size_t end = strcspn(name, "<("), from = end;
    char word[256];

    while (from > 0 && name[from - 1] != ':')
        from--;
    from += strspn(name + from, "_~");
    if (from >= end || end - from >= sizeof(word))
        return true;
    memcpy(word, name + from, end - from);
    word[end - from] = '\0';
    return strncmp(word, "operator", 8) == 0 || strstr(symbol, word) ||
           strstr(word, symbol + strspn(symbol, "_"));
}

/*
 * The name that a symbol gives to inlined instances of its function, as an offset of
 * the writer's strings; 0 if none.
 */
static u32
shared_name(struct objwrite *w, const struct obj_func *func, const char *symbol)
{
    const char *strings = w->table[OBJ_strings].at, *dot = strchr(symbol, '.');
    const char *linkage = strings + func->linkage;
    size_t n = strcspn(symbol, "@");
    char text[4096];

    if (strncmp(linkage, "_Z", 2) == 0 || strncmp(linkage, "_R", 2) == 0)
        return 0;
    if (dot && is_clone_suffix(dot))
        n = (size_t)(dot - symbol);
    if (n >= sizeof(text))
        return 0;
    memcpy(text, symbol, n);
    text[n] = '\0';
    if (strncmp(text, "_Z", 2) != 0 && strchr(text, '.'))
        return 0;
    return is_related(strings + func->name, text) ? objwrite_string(w, text) : 0;
}

/*
 * Gives functions the names of their symbols, so that inlined instances have the same
 * name. For an internal function, the debug information may lack the linkage name
 * although the symbol is mangled. A function whose symbols have several names keeps its
 * own.
 */
static void
join_names(const struct reading *x)
{
    struct objwrite *w = x->r->w;
    const struct symbols *s = x->r->symbols;
    u32 *names = calloc(w->table[OBJ_func].count, sizeof(*names));
    struct obj_func *funcs = w->table[OBJ_func].at;

    for (u32 i = 0; names && i < s->count; i++) {
        u32 func = s->at[i].func, name;

        name = func ? shared_name(w, &funcs[func], s->at[i].name) : 0;
        if (name)
            names[func] = names[func] && names[func] != name ? UINT32_MAX : name;
    }
    for (u32 i = 0; names && i < w->table[OBJ_func].count; i++)
        if (names[i] && names[i] != UINT32_MAX)
            funcs[i].linkage = names[i] == funcs[i].name ? 0 : names[i];
    free(names);
}

static int
open_files(struct reading *x)
{
    u64 bad_at, ignored;
    int status = dwfile_open(&x->file, x->r->img, false, &bad_at);

    if (status < 0)
        return status;
    if (bad_at != UINT64_MAX)
        objwrite_add_note(x->r->w, "%s: .debug_info: offset %llu: malformed from there "
                                   "on",
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
    join_names(&x);
    dwline_write(&x.line);
    dwinfo_write(&x.info);
    dwsplit_free(&x.split);
    dwinfo_free(&x.info);
    dwline_free(&x.line);
    dwfile_free(&x.file);
    dwfile_free(&x.alt);
    return r->w->status;
}

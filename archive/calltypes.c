/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/calltypes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "archive/elf/debugfile.h"
#include "archive/describe.h"
#include "archive/dwarf/dwrange.h"
#include "archive/dwarf/dwsplit.h"
#include "archive/dwarf/dwtype.h"

/* An exported function. */
struct function {
    u64 addr;
    const char *name; /* points into the image */
    char *row;        /* its row with types, to be freed; NULL = not known */
    bool chosen_late; /* the address is that of an ifunc resolver */
    bool ends;        /* it does not return */
};

struct reading {
    struct image img, debug, alt;
    bool has_debug, has_alt;
    struct objwrite notes; /* receives notes about files; they are dropped */
    struct function *function; /* sorted by address */
    u32 count, room;
    struct dwfile file, shared;
    struct dwranges ranges;
    struct dwsplit split;
    bool no_memory;
};

static bool
is_wanted(const char *name, char *const *names, u32 count)
{
    for (u32 i = 0; i < count; i++)
        if (!strcmp(names[i], name))
            return true;
    return !count && strcmp(name, "_init") != 0 && strcmp(name, "_fini") != 0;
}

static void
add_function(struct reading *r, const struct function *f)
{
    if (r->count == r->room) {
        u32 room = r->room ? 2 * r->room : 256;
        struct function *more = realloc(r->function, room * sizeof(*more));

        if (!more) {
            r->no_memory = true;
            return;
        }
        r->function = more;
        r->room = room;
    }
    r->function[r->count++] = *f;
}

static int
by_name(const void *a, const void *b)
{
    const struct function *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order ? order : x->addr < y->addr ? -1 : x->addr > y->addr;
}

static int
by_address(const void *a, const void *b)
{
    const struct function *x = a, *y = b;

    return x->addr != y->addr ? (x->addr < y->addr ? -1 : 1) : strcmp(x->name, y->name);
}

/*
 * Lists each name once, as a function may have several symbol versions; then sorts the
 * functions by address.
 */
static void
drop_doubles(struct reading *r)
{
    u32 kept = 0;

    if (r->count)
        qsort(r->function, r->count, sizeof(*r->function), by_name);
    for (u32 i = 0; i < r->count; i++)
        if (!kept || strcmp(r->function[kept - 1].name, r->function[i].name) != 0)
            r->function[kept++] = r->function[i];
    r->count = kept;
    if (kept)
        qsort(r->function, kept, sizeof(*r->function), by_address);
}

static int
read_exports(struct reading *r, char *const *names, u32 count)
{
    struct image_section *table = image_find_type(&r->img, SHT_DYNSYM);
    struct bytes symbols, strings;
    struct cursor c;

    if (!table || table->link >= r->img.section_count)
        return 0;
    image_data(&r->img, table, &symbols);
    image_data(&r->img, &r->img.sections[table->link], &strings);
    c = image_cursor(&r->img, symbols, 0);
    while (cursor_left(&c) >= sizeof(Elf64_Sym)) {
        u32 name = cursor_u32(&c), info = cursor_u8(&c), other = cursor_u8(&c);
        u32 section = cursor_u16(&c), type = ELF64_ST_TYPE(info);
        struct function f = { .addr = cursor_u64(&c) };

        (void)other;
        cursor_skip(&c, 8);
        f.name = bytes_string(strings, name);
        f.chosen_late = type == STT_GNU_IFUNC;
        if (section != SHN_UNDEF && f.addr && *f.name &&
            (type == STT_FUNC || f.chosen_late) && is_wanted(f.name, names, count))
            add_function(r, &f);
    }
    drop_doubles(r);
    return r->no_memory ? -ENOMEM : 0;
}

static struct function *
first_at(const struct reading *r, u64 addr)
{
    u32 lo = 0, hi = r->count;

    while (lo < hi) {
        u32 mid = lo + (hi - lo) / 2;

        if (r->function[mid].addr < addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return &r->function[lo];
}

/*
 * Sets the row of the exported function that a DIE defines; and, as a function may have
 * several names, of all names at its address.
 */
static void
set_function_row(struct reading *r, const struct dwtype_die *d)
{
    struct dwrange_values code = { d->low, d->high, d->ranges };
    struct dwtype_row row;

    if (!dwrange_list(&r->ranges, d->unit, &code))
        r->no_memory = true;
    if (!r->ranges.count)
        return;
    for (struct function *f = first_at(r, r->ranges.at[0].lo);
         f < r->function + r->count && f->addr == r->ranges.at[0].lo; f++) {
        if (f->row || f->chosen_late)
            continue;
        f->ends = d->is_noreturn;
        if (!dwtype_function(d, f->name, &row))
            continue;
        f->row = strdup(row.at);
        r->no_memory |= !f->row;
    }
}

/* Reads all functions that have code, in whatever scope they are defined. */
static void
read_functions(struct reading *r, struct dwunit *u)
{
    struct cursor c = dwfile_cursor(u, u->die);

    while (cursor_left(&c) && !c.bad && !r->no_memory) {
        u64 die = (u64)(c.at - u->file->info.at);
        const struct dwabbrev *a = dwfile_abbrev(u, &c);
        struct dwtype_die d;

        if (!a)
            continue;
        if (a->tag != DW_TAG_subprogram) {
            dwform_skip(u, &c, a);
            continue;
        }
        if (!dwtype_read(u, die, &d))
            return;
        c = dwfile_cursor(u, d.behind);
        if (d.low.form || d.ranges.form)
            set_function_row(r, &d);
    }
}

static void
read_unit(struct reading *r, struct dwunit *u)
{
    struct dwsplit_unit split;

    if (!dwfile_start(u) || u->tag == DW_TAG_partial_unit || u->tag == DW_TAG_type_unit)
        return;
    if (!u->has_dwo_id && !u->dwo_name) {
        read_functions(r, u);
    } else if (dwsplit_open(&r->split, u, &split) == 0) {
        read_functions(r, split.unit);
        dwsplit_close(&r->split, &split);
    }
}

static int
read_types(struct reading *r)
{
    struct image *img = r->has_debug && describe_has_dwarf(&r->debug) ? &r->debug
                                                                      : &r->img;
    u64 bad_at;
    int status = dwfile_open(&r->file, img, false, &bad_at);

    if (status < 0)
        return status == -ENODATA ? 0 : status;
    if (r->has_alt && dwfile_open(&r->shared, &r->alt, false, &bad_at) == 0)
        r->file.alt = &r->shared;
    r->split = (struct dwsplit){ .w = &r->notes, .object = r->img.path,
                                 .debug = img->path };
    for (u32 i = 0; i < r->file.unit_count; i++)
        read_unit(r, &r->file.units[i]);
    dwsplit_free(&r->split);
    if (r->file.alt)
        dwfile_free(&r->shared);
    dwfile_free(&r->file);
    free(r->ranges.at);
    return r->no_memory ? -ENOMEM : 0;
}

static void
write_rows(const struct reading *r, FILE *out)
{
    u32 typed = 0;

    for (u32 i = 0; i < r->count; i++)
        typed += r->function[i].row != NULL;
    fprintf(out, "# %s: functions %u, with types %u\n", r->img.path, r->count, typed);
    for (u32 i = 0; i < r->count; i++) {
        const struct function *f = &r->function[i];
        size_t len = strlen(f->name);
        const char *why = f->ends ? "it never returns"
                                  : calltype_refused(f->name, (u32)len);

        if (!why && len > CALL_NAME_MAX)
            why = "too long a name";
        if (why)
            fprintf(out, "# %.*s: %s\n", CALL_NAME_MAX, f->name, why);
        else
            fprintf(out, "%s\n", f->row ? f->row : f->name);
    }
}

static int
read_all(struct reading *r, char *const *names, u32 count)
{
    enum objfile_source_kind kind;
    struct image *dwarf;
    int status = read_exports(r, names, count);

    if (status < 0 || !r->count)
        return status;
    if (!describe_has_dwarf(&r->img))
        r->has_debug = debugfile_find(&r->debug, &kind, &r->img, &r->notes) == 0;
    dwarf = r->has_debug ? &r->debug : &r->img;
    r->has_alt = describe_has_dwarf(dwarf) &&
                 debugfile_alt(&r->alt, dwarf, &r->notes) == 0;
    return read_types(r);
}

int
calltypes_write(const char *path, char *const *names, u32 count, FILE *out)
{
    struct reading r = { .count = 0 };
    int status = image_open(&r.img, AT_FDCWD, path);

    if (status < 0)
        return status;
    objwrite_init(&r.notes);
    status = r.img.bits == 64 && r.img.machine == EM_X86_64
                 ? read_all(&r, names, count)
                 : -ENOEXEC;
    if (status == 0)
        write_rows(&r, out);
    for (u32 i = 0; i < r.count; i++)
        free(r.function[i].row);
    free(r.function);
    if (r.has_alt)
        image_close(&r.alt);
    if (r.has_debug)
        image_close(&r.debug);
    image_close(&r.img);
    objwrite_free(&r.notes);
    return status;
}

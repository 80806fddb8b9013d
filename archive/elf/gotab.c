/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/elf/gotab.h"

#include <stdlib.h>

/*
 * Magic numbers of the table's layouts: MAGIC_1_16 is used from Go 1.16 on, and so on.
 */
enum {
    MAGIC_1_16 = 0xfffffffa,
    MAGIC_1_18 = 0xfffffff0,
    MAGIC_1_20 = 0xfffffff1,
};

enum {
    HEAD_BYTES = 8, /* magic, two zero bytes, quantum of code, size of a pointer */
    FUNCTIONS_MAX = 1 << 22,
    POSITIONS_MAX = 1 << 20, /* runs of one line and file in one function */
    LINE_MAX_NUMBER = (1 << 24) - 1,
    IS_STATEMENT = 1 << 24,
};

struct gotab {
    struct image *img;
    struct bytes all;
    bool wide; /* layout of 1.16: addresses are pointers; later: offsets from `text` */
    u32 quantum;
    u32 pointer; /* bytes of a pointer */
    u64 functions; /* how many there are */
    u64 text;      /* what functions' offsets are relative to; 0 if `wide` */
    u64 names, units, files, positions, rows; /* offsets in `all` */
};

/* The parts of a function's description that this reader needs. */
struct gofunc {
    u64 lo, hi;
    u64 at; /* offset in `all` of the function's other data */
    const char *name;
    u32 file_table, line_table; /* offsets from gotab.positions */
    u32 unit; /* index of the unit's first entry in the table at gotab.units */
};

/*
 * Iterates over a table of a function that gives numbers to runs of code: the index of
 * a file in its unit, or a line.
 */
struct runs {
    struct cursor c;
    u32 quantum;
    int64_t value;
    u64 lo, hi; /* the run with this value; lo == hi at the end */
};

static u64
text_start(struct image *img)
{
    const struct image_section *text = image_find(img, ".text");

    return text ? text->addr : 0;
}

static struct bytes
find_table(struct image *img)
{
    struct bytes all = { 0 };

    if (image_named(img, ".gopclntab", &all) < 0 || !all.size)
        (void)image_named(img, ".data.rel.ro.gopclntab", &all);
    return all;
}

/* Opens the table. False: there is none, or its layout is unknown. */
static bool
open_table(struct gotab *t, struct image *img)
{
    struct cursor c;
    u32 magic;

    *t = (struct gotab){ .img = img, .all = find_table(img) };
    c = image_cursor(img, t->all, 0);
    magic = cursor_u32(&c);
    cursor_skip(&c, 2);
    t->quantum = cursor_u8(&c);
    t->pointer = cursor_u8(&c);
    t->wide = magic == MAGIC_1_16;
    if (c.bad || (magic != MAGIC_1_16 && magic != MAGIC_1_18 && magic != MAGIC_1_20) ||
        (t->pointer != 4 && t->pointer != 8) || !t->quantum)
        return false;
    t->functions = cursor_uint(&c, t->pointer);
    cursor_skip(&c, t->pointer); /* the number of files */
    if (!t->wide)
        t->text = cursor_uint(&c, t->pointer);
    t->names = cursor_uint(&c, t->pointer);
    t->units = cursor_uint(&c, t->pointer);
    t->files = cursor_uint(&c, t->pointer);
    t->positions = cursor_uint(&c, t->pointer);
    t->rows = cursor_uint(&c, t->pointer);
    /*
     * The linker may leave the address of the text to a relocation or to the runtime:
     * it is 0 then.
     */
    if (!t->wide && !t->text)
        t->text = text_start(img);
    return !c.bad && t->functions && t->functions <= FUNCTIONS_MAX;
}

/*
 * Read row i of the table: a function's address, and where in the table the function is
 * described. false: there is no such row.
 */
static bool
read_row(const struct gotab *t, u64 i, u64 *address, u64 *function)
{
    u32 size = t->wide ? t->pointer : 4;
    struct cursor c = image_cursor(t->img, t->all, t->rows + i * 2 * size);

    *address = cursor_uint(&c, size) + t->text;
    /* The last function is followed by a row that has only an address. */
    if (c.bad)
        return false;
    *function = t->rows + cursor_uint(&c, size);
    return true;
}

static bool
read_function(const struct gotab *t, u64 i, struct gofunc *f)
{
    u64 unused;
    struct cursor c;

    if (!read_row(t, i, &f->lo, &f->at) || !read_row(t, i + 1, &f->hi, &unused) ||
        f->hi <= f->lo)
        return false;
    c = image_cursor(t->img, t->all, f->at);
    cursor_skip(&c, t->wide ? t->pointer : 4); /* its address, repeated */
    f->name = bytes_string(t->all, t->names + cursor_u32(&c));
    cursor_skip(&c, 3 * sizeof(u32)); /* arguments, deferred calls, the frame's size */
    f->file_table = cursor_u32(&c);
    f->line_table = cursor_u32(&c);
    cursor_skip(&c, sizeof(u32));
    f->unit = cursor_u32(&c);
    return !c.bad;
}

static void
add_symbol(struct symbols *s, const struct gofunc *f)
{
    struct symbol symbol = {
        .addr = f->lo,
        .size = f->hi - f->lo,
        .name = f->name,
        .origin = OBJFILE_ORIGIN_GO,
        .binding = OBJFILE_LOCAL,
    };

    if (*f->name)
        symbols_add(s, &symbol);
}

static void
start_runs(struct runs *r, const struct gotab *t, u32 table, u64 address)
{
    *r = (struct runs){ .c = image_cursor(t->img, t->all, t->positions + table),
                        .quantum = t->quantum,
                        .value = -1,
                        .lo = address,
                        .hi = address };
}

/*
 * Moves to the next run (`first`: to the first one); false at the end. A function that
 * lacks this table has table 0.
 */
static bool
next_run(struct runs *r, bool first)
{
    u64 change = cursor_uleb(&r->c);

    if (r->c.bad || (!change && !first))
        return false;
    r->value += (int64_t)(change >> 1) ^ -(int64_t)(change & 1);
    r->lo = r->hi;
    r->hi += cursor_uleb(&r->c) * r->quantum;
    return !r->c.bad && r->hi > r->lo;
}

/*
 * The objwrite number of a file, 0 = not known. unit: index of the unit's first entry
 * in the table `units`; number: index of the file within the unit.
 */
static u32
file_of(const struct gotab *t, struct objwrite *w, u32 unit, int64_t number)
{
    struct cursor c;
    u32 offset;

    if (number < 0 || number > UINT32_MAX)
        return 0;
    c = image_cursor(t->img, t->all, t->units + ((u64)unit + (u64)number) * 4);
    offset = cursor_u32(&c);
    if (c.bad || offset == UINT32_MAX)
        return 0;
    return objwrite_file(w, bytes_string(t->all, t->files + offset));
}

static void
put_line(struct objwrite *w, u64 address, u32 file, int64_t line)
{
    struct obj_line row = { .file = 0 };

    if (!objwrite_address(w, address, &row.addr))
        return;
    if (file && line > 0 && line <= LINE_MAX_NUMBER) {
        row.file = file | IS_STATEMENT;
        row.pos = (u32)line;
    }
    objwrite_row(w, OBJ_line, &row);
}

/* Appends the lines of a function: a row for each run with one line and one file. */
static void
add_lines(const struct gotab *t, struct objwrite *w, const struct gofunc *f)
{
    struct runs files, lines;
    bool has_file, has_line;
    u32 file = 0;
    int64_t number = -1;
    u64 at = f->lo;

    start_runs(&files, t, f->file_table, f->lo);
    start_runs(&lines, t, f->line_table, f->lo);
    has_file = next_run(&files, true);
    has_line = next_run(&lines, true);
    for (u32 i = 0; has_file && has_line && at < f->hi && i < POSITIONS_MAX; i++) {
        if (files.value != number) {
            number = files.value;
            file = file_of(t, w, f->unit, number);
        }
        put_line(w, at, file, lines.value);
        at = files.hi < lines.hi ? files.hi : lines.hi;
        if (files.hi == at)
            has_file = next_run(&files, false);
        if (lines.hi == at)
            has_line = next_run(&lines, false);
    }
    if (at < f->hi)
        put_line(w, at, 0, 0);
}

void
gotab_read(struct image *img, struct symbols *s, struct objwrite *w,
           struct objwrite *notes)
{
    struct gofunc f;
    struct gotab t;
    u64 end = 0, bad = 0;

    if (!open_table(&t, img))
        return;
    for (u64 i = 0; i < t.functions; i++) {
        if (!read_function(&t, i, &f) || f.lo < end) {
            bad++;
            continue;
        }
        if (s)
            add_symbol(s, &f);
        if (w && end && f.lo > end)
            put_line(w, end, 0, 0);
        if (w)
            add_lines(&t, w, &f);
        end = f.hi;
    }
    if (w && end) {
        put_line(w, end, 0, 0);
        w->flags |= OBJFILE_HAS_LINES;
    }
    if (bad)
        objwrite_add_note(notes, "%s: .gopclntab: %llu functions are malformed",
                          img->path, (unsigned long long)bad);
}

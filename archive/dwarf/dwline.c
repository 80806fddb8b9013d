/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/dwarf/dwline.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "archive/dwarf/dwform.h"
#include "archive/object/objfile.h"

#define NUMBER_UNKNOWN UINT32_MAX
#define FORMATS_MAX 16
#define PATH_BYTES 4096

struct entry {
    const char *name;
    u64 dir;    /* of a file: index of its directory in the table's dirs */
    u32 number; /* of a file: the writer's number; NUMBER_UNKNOWN until needed */
};

struct entries {
    struct entry *at;
    u32 count;
    u32 capacity;
};

/* One line program's header. */
struct dwlines {
    struct dwlines *next;
    struct dwfile *file;
    u64 offset;  /* of the header in .debug_line */
    u64 program; /* offset of the first opcode */
    u64 end;     /* offset past the program */
    u32 version;
    u32 addr_size;
    u32 min_length;
    bool default_stmt;
    int line_base;
    u32 line_range;
    u32 opcode_base;
    unsigned char lengths[256];
    const char *comp_dir;
    struct entries dirs;
    struct entries files;
    bool bad; /* the header is malformed */
    bool run; /* the program has been run */
};

static bool
add_entry(struct entries *e, const char *name, u64 dir)
{
    if (e->count == e->capacity) {
        u32 capacity = e->capacity ? e->capacity * 2 : 32;
        struct entry *at = realloc(e->at, capacity * sizeof(*at));

        if (!at)
            return false;
        e->at = at;
        e->capacity = capacity;
    }
    e->at[e->count++] = (struct entry){name, dir, NUMBER_UNKNOWN};
    return true;
}

/*
 * Reads the lists of directories and files of versions before 5: strings up to an empty
 * one. The lists do not contain entry 0.
 */
static bool
read_old_lists(struct dwlines *t, struct cursor *c)
{
    const char *name;

    if (!add_entry(&t->dirs, "", 0) || !add_entry(&t->files, "", 0))
        return false;
    while (*(name = cursor_string(c)))
        if (!add_entry(&t->dirs, name, 0))
            return false;
    while (*(name = cursor_string(c))) {
        u64 dir = cursor_uleb(c);

        cursor_uleb(c); /* time of change */
        cursor_uleb(c); /* size */
        if (!add_entry(&t->files, name, dir))
            return false;
    }
    return !c->bad;
}

/*
 * Reads a list of directories or files of version 5, which begins with a description of
 * its entries.
 */
static bool
read_list(const struct dwunit *shape, struct cursor *c, struct entries *e)
{
    struct dwattr formats[FORMATS_MAX];
    u32 format_count = cursor_u8(c);
    u64 count;

    if (format_count > FORMATS_MAX)
        return false;
    for (u32 i = 0; i < format_count; i++) {
        formats[i].name = (uint16_t)cursor_uleb(c);
        formats[i].form = (uint16_t)cursor_uleb(c);
    }
    count = cursor_uleb(c);
    if (count > cursor_left(c))
        return false;
    for (u64 i = 0; i < count && !c->bad; i++) {
        const char *name = "";
        u64 dir = 0;

        for (u32 k = 0; k < format_count; k++) {
            struct dwvalue v;

            dwform_read(shape, c, &formats[k], &v);
            if (formats[k].name == DW_LNCT_path)
                name = dwform_string(shape, &v);
            else if (formats[k].name == DW_LNCT_directory_index)
                dir = v.number;
        }
        if (!add_entry(e, name ? name : "", dir))
            return false;
    }
    return !c->bad;
}

static bool
read_header(struct dwlines *t, const struct dwunit *u)
{
    struct dwunit shape = *u; /* used to read values with the table's own sizes */
    struct cursor c = image_cursor(u->file->img, u->file->line, t->offset);
    u64 length = cursor_u32(&c), header;

    shape.off_size = length == 0xffffffff ? 8 : 4;
    if (shape.off_size == 8)
        length = cursor_u64(&c);
    if (length > cursor_left(&c))
        return false;
    c.end = c.at + length;
    t->end = (u64)(c.end - u->file->line.at);
    t->version = cursor_u16(&c);
    t->addr_size = u->addr_size;
    if (t->version < 2 || t->version > 5)
        return false;
    if (t->version >= 5) {
        t->addr_size = cursor_u8(&c);
        cursor_u8(&c); /* segment selector */
    }
    shape.addr_size = t->addr_size;
    header = cursor_uint(&c, shape.off_size);
    if (c.bad || header > cursor_left(&c))
        return false;
    t->program = (u64)(c.at - u->file->line.at) + header;
    t->min_length = cursor_u8(&c);
    if (t->version >= 4)
        cursor_u8(&c); /* operations per instruction: VLIW machines only */
    t->default_stmt = cursor_u8(&c) != 0;
    t->line_base = (int8_t)cursor_u8(&c);
    t->line_range = cursor_u8(&c);
    t->opcode_base = cursor_u8(&c);
    for (u32 i = 1; i < t->opcode_base; i++)
        t->lengths[i] = (unsigned char)cursor_u8(&c);
    if (c.bad || t->line_range == 0)
        return false;
    if (t->version < 5)
        return read_old_lists(t, &c);
    return read_list(&shape, &c, &t->dirs) && read_list(&shape, &c, &t->files);
}

/* The line table of a unit, whose header is read once; NULL if there is none. */
static struct dwlines *
table_of(struct dwline *l, struct dwunit *u)
{
    struct dwunit *owner = u->skeleton ? u->skeleton : u;
    struct dwlines *t;

    if (owner->lines || !owner->has_lines)
        return owner->lines;
    for (t = l->tables; t; t = t->next)
        if (t->offset == owner->line_offset && t->file == owner->file)
            break;
    if (!t) {
        t = calloc(1, sizeof(*t));
        if (!t) {
            l->status = -ENOMEM;
            return NULL;
        }
        t->file = owner->file;
        t->offset = owner->line_offset;
        t->comp_dir = owner->comp_dir ? owner->comp_dir : "";
        t->bad = !read_header(t, owner);
        if (t->bad)
            objwrite_add_note(l->w, "%s: .debug_line: offset %llu: the line table is "
                              "malformed", owner->file->img->path,
                              (unsigned long long)t->offset);
        t->next = l->tables;
        l->tables = t;
    }
    owner->lines = t;
    return t;
}

/* Appends a part of a path, without "." and empty components. */
static size_t
append_path(char *path, size_t n, const char *part)
{
    bool absolute = part[0] == '/';

    if (absolute)
        n = 0;
    while (*part) {
        size_t len = strcspn(part, "/");

        if (len > 0 && !(len == 1 && part[0] == '.') && n + len + 2 < PATH_BYTES) {
            if (n > 0 || absolute)
                path[n++] = '/';
            memcpy(path + n, part, len);
            n += len;
        }
        part += len;
        part += *part == '/';
    }
    path[n] = '\0';
    return n;
}

/*
 * Joins the compilation directory, the file's directory and its name; an absolute part
 * replaces what is before it. Returns the writer's number of the file.
 */
static u32
file_number(struct dwline *l, const struct dwlines *t, const struct entry *file)
{
    char path[PATH_BYTES];
    size_t n = append_path(path, 0, t->comp_dir);

    if (file->dir < t->dirs.count)
        n = append_path(path, n, t->dirs.at[file->dir].name);
    append_path(path, n, file->name);
    return objwrite_file(l->w, path);
}

u32
dwline_file(struct dwline *l, struct dwunit *u, u64 number)
{
    struct dwlines *t = table_of(l, u);
    struct entry *file;

    if (!t || number >= t->files.count || (number == 0 && t->version < 5))
        return 0;
    file = &t->files.at[number];
    if (file->number == NUMBER_UNKNOWN)
        file->number = file->name[0] ? file_number(l, t, file) : 0;
    return file->number;
}

/* The registers of a line program. */
struct machine {
    struct dwline *l;
    struct dwunit *unit;
    const struct dwlines *table;
    u64 addr;
    u64 file;
    u64 line;
    u64 column;
    u64 discriminator; /* discriminator of the next row; 0 again after each row */
    bool stmt;
    bool live;  /* the sequence is in code of this object */
    bool begun; /* the sequence has a row */
    u64 last;   /* address of the sequence's last row */
    u32 first;  /* index of the sequence's first row in l->rows */
    u64 cached_file; /* the file number whose result is in cached_number */
    u32 cached_number;
};

static void
machine_reset(struct machine *m)
{
    m->addr = 0;
    m->file = 1;
    m->line = 1;
    m->column = 0;
    m->discriminator = 0;
    m->stmt = m->table->default_stmt;
    m->begun = m->live = false;
}

static void
append_row(struct dwline *l, const struct obj_line *row)
{
    if (l->row_count == l->row_capacity) {
        u32 capacity = l->row_capacity ? l->row_capacity * 2 : 4096;
        struct obj_line *rows = realloc(l->rows, (size_t)capacity * sizeof(*rows));

        if (!rows || capacity < l->row_capacity) {
            l->status = -ENOMEM;
            return;
        }
        l->rows = rows;
        l->row_capacity = capacity;
    }
    l->rows[l->row_count++] = *row;
}

/*
 * Begins a sequence at its first row. If that is not in code of the object, the
 * sequence's rows are ignored.
 */
static void
machine_begin(struct machine *m)
{
    u32 addr;

    m->begun = true;
    m->first = m->l->row_count;
    m->live = codemap_find(m->l->code, m->addr) != NULL &&
              objwrite_address(m->l->w, m->addr, &addr);
    m->last = m->addr;
}

static void
machine_row(struct machine *m)
{
    struct dwline *l = m->l;
    struct obj_line row, *before;

    if (!m->begun)
        machine_begin(m);
    /*
     * Addresses must not decrease within a sequence: a row that breaks this is left
     * out.
     */
    if (!m->live || m->addr < m->last || l->status < 0 ||
        !objwrite_address(l->w, m->addr, &row.addr))
        return;
    if (m->file != m->cached_file) {
        m->cached_number = dwline_file(l, m->unit, m->file);
        m->cached_file = m->file;
    }
    row.file = (m->cached_number & OBJ_LOW24) | (m->stmt ? OBJ_IS_STMT : 0) |
               obj_discriminator(m->discriminator);
    row.pos = m->line > OBJ_LOW24 ? 0 : (u32)m->line;
    row.pos |= m->column > 255 ? 0 : (u32)m->column << 24;
    before = l->row_count > m->first ? &l->rows[l->row_count - 1] : NULL;
    m->last = m->addr;
    if (before && before->addr == row.addr)
        *before = row; /* the last of several rows at one address counts */
    else if (!before || before->file != row.file || before->pos != row.pos)
        append_row(l, &row);
}

static void
machine_end(struct machine *m)
{
    struct dwline *l = m->l;
    struct dwline_sequence s = {.first = m->first, .count = l->row_count - m->first};
    bool good = m->begun && m->live && s.count > 0 &&
                objwrite_address(l->w, m->addr, &s.hi);

    if (good) {
        s.lo = l->rows[s.first].addr;
        good = s.hi > s.lo;
    }
    if (good && l->sequence_count == l->sequence_capacity) {
        u32 capacity = l->sequence_capacity ? l->sequence_capacity * 2 : 256;
        struct dwline_sequence *at =
            realloc(l->sequences, (size_t)capacity * sizeof(*at));

        if (at) {
            l->sequences = at;
            l->sequence_capacity = capacity;
        } else {
            l->status = -ENOMEM;
            good = false;
        }
    }
    if (good)
        l->sequences[l->sequence_count++] = s;
    else if (m->begun)
        l->row_count = m->first;
    machine_reset(m);
}

static void
run_extended(struct machine *m, struct cursor *c)
{
    u64 length = cursor_uleb(c);
    struct cursor body = *c;

    cursor_skip(c, length);
    body.end = c->at;
    switch (cursor_u8(&body)) {
    case DW_LNE_end_sequence:
        machine_end(m);
        break;
    case DW_LNE_set_address:
        m->addr = cursor_uint(&body, (u32)cursor_left(&body));
        break;
    case DW_LNE_set_discriminator:
        m->discriminator = cursor_uleb(&body);
        break;
    }
}

static void
run_standard(struct machine *m, struct cursor *c, u32 opcode)
{
    const struct dwlines *t = m->table;

    switch (opcode) {
    case DW_LNS_copy:
        machine_row(m);
        m->discriminator = 0;
        break;
    case DW_LNS_advance_pc:
        m->addr += cursor_uleb(c) * t->min_length;
        break;
    case DW_LNS_advance_line:
        m->line += (u64)cursor_sleb(c);
        break;
    case DW_LNS_set_file:
        m->file = cursor_uleb(c);
        break;
    case DW_LNS_set_column:
        m->column = cursor_uleb(c);
        break;
    case DW_LNS_negate_stmt:
        m->stmt = !m->stmt;
        break;
    case DW_LNS_const_add_pc:
        m->addr += (255 - t->opcode_base) / t->line_range * t->min_length;
        break;
    case DW_LNS_fixed_advance_pc:
        m->addr += cursor_u16(c);
        break;
    default:
        for (u32 i = 0; i < t->lengths[opcode]; i++)
            cursor_uleb(c);
    }
}

static void
run_program(struct machine *m, struct cursor *c)
{
    const struct dwlines *t = m->table;

    machine_reset(m);
    while (cursor_left(c) > 0 && m->l->status == 0) {
        u32 opcode = cursor_u8(c);

        if (opcode >= t->opcode_base) {
            opcode -= t->opcode_base;
            m->addr += opcode / t->line_range * t->min_length;
            m->line += (u64)(t->line_base + (int)(opcode % t->line_range));
            machine_row(m);
            m->discriminator = 0;
        } else if (opcode == 0) {
            run_extended(m, c);
        } else {
            run_standard(m, c, opcode);
        }
    }
    if (m->begun) /* the end of the sequence is missing: discard the sequence, as its
                   * last row has no end */
        m->l->row_count = m->first;
}

void
dwline_unit(struct dwline *l, struct dwunit *u)
{
    struct dwlines *t = table_of(l, u);
    struct machine m = {.l = l, .unit = u, .table = t, .cached_file = UINT64_MAX};
    struct bytes line = u->file->line;
    struct cursor c;

    if (!t || t->bad || t->run)
        return;
    t->run = true;
    line.size = t->end < line.size ? t->end : line.size;
    c = image_cursor(u->file->img, line, t->program);
    run_program(&m, &c);
    if (c.bad)
        objwrite_add_note(l->w, "%s: .debug_line: offset %llu: the line program is "
                          "malformed", u->file->img->path,
                          (unsigned long long)t->offset);
}

static int
compare(const void *a, const void *b)
{
    const struct dwline_sequence *x = a, *y = b;

    if (x->lo != y->lo)
        return x->lo < y->lo ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

/*
 * Appends a sequence's rows, from address `from` on: an earlier sequence has covered
 * what is below.
 */
static void
write_sequence(struct dwline *l, const struct dwline_sequence *s, u32 from)
{
    for (u32 i = 0; i < s->count; i++) {
        struct obj_line row = l->rows[s->first + i];
        u32 end = i + 1 < s->count ? l->rows[s->first + i + 1].addr : s->hi;

        if (end <= from)
            continue;
        if (row.addr < from)
            row.addr = from;
        objwrite_row(l->w, OBJ_line, &row);
    }
}

void
dwline_write(struct dwline *l)
{
    u32 end = 0;

    if (l->sequence_count)
        qsort(l->sequences, l->sequence_count, sizeof(*l->sequences), compare);
    for (u32 i = 0; i < l->sequence_count; i++) {
        const struct dwline_sequence *s = &l->sequences[i];
        struct obj_line gap = {.addr = s->hi};

        write_sequence(l, s, end);
        if (s->hi > end)
            end = s->hi;
        gap.addr = end;
        if (i + 1 == l->sequence_count || l->sequences[i + 1].lo > end)
            objwrite_row(l->w, OBJ_line, &gap);
    }
    if (l->sequence_count)
        l->w->flags |= OBJFILE_HAS_LINES;
    if (l->status < 0)
        l->w->status = l->status;
}

void
dwline_free(struct dwline *l)
{
    while (l->tables) {
        struct dwlines *t = l->tables;

        l->tables = t->next;
        free(t->dirs.at);
        free(t->files.at);
        free(t);
    }
    free(l->rows);
    free(l->sequences);
    memset(l, 0, sizeof(*l));
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/object/objfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/object/objrows.h"
#include "archive/object/regular.h"

enum {
    HEADER_MIN = offsetof(struct obj_header, table) +
                 OBJ_TABLES_MIN * sizeof(struct obj_table),
};

/*
 * When a file is opened, only the header's table of tables and both ends of the string
 * pool are checked. Numbers in rows (strings, indices) are checked when they are used.
 * So opening a file touches a few pages, whatever its size.
 */
struct objfile {
    const unsigned char *map;
    size_t size;
    const struct obj_header *header;
    const char *strings;
    u32 strings_size;
#define OBJ_TABLE(row, number, doc)                                                    \
    const struct obj_##row *row;                                                       \
    u32 row##_count;
#define OBJ_FIELD(row, field, ctype, doc)
#define OBJ_END(row)
#include "archive/object/objrows.def"
#undef OBJ_TABLE
#undef OBJ_FIELD
#undef OBJ_END
    const unsigned char *bytes;
    u32 bytes_size;
};

static int __attribute__((format(printf, 3, 4)))
fail(char *error, int status, const char *format, ...)
{
    va_list args;

    if (error) {
        va_start(args, format);
        vsnprintf(error, OBJFILE_ERROR_MAX, format, args);
        va_end(args);
    }
    return status;
}

static const char *
string(const struct objfile *o, u32 offset)
{
    return offset < o->strings_size ? o->strings + offset : "";
}

/* Checks one table; sets *rows to NULL if it is empty. */
static int
table_check(struct objfile *o, u32 number, u32 row_size, const void **rows, u32 *count)
{
    const struct obj_table *t = &o->header->table[number];

    if (number >= o->header->tables) {
        *rows = NULL;
        *count = 0;
        return 0;
    }
    if (t->row != row_size || t->offset % OBJ_ALIGN != 0 || t->offset > o->size ||
        (u64)t->count * row_size > o->size - t->offset)
        return -EINVAL;
    *rows = o->map + t->offset;
    *count = t->count;
    return 0;
}

/* Returns the number of the first bad table, or -1. */
static int
tables_check(struct objfile *o)
{
    const void *rows;

    if (table_check(o, OBJ_strings, 1, &rows, &o->strings_size) < 0)
        return OBJ_strings;
    o->strings = rows;
    if (o->strings_size == 0 || o->strings[0] || o->strings[o->strings_size - 1])
        return OBJ_strings;
#define OBJ_TABLE(name, number, doc)                                                   \
    if (table_check(o, number, sizeof(struct obj_##name), &rows,                       \
                    &o->name##_count) < 0)                                             \
        return number;                                                                 \
    o->name = rows;
#define OBJ_FIELD(name, field, ctype, doc)
#define OBJ_END(name)
#include "archive/object/objrows.def"
#undef OBJ_TABLE
#undef OBJ_FIELD
#undef OBJ_END
    if (table_check(o, OBJ_bytes, 1, &rows, &o->bytes_size) < 0)
        return OBJ_bytes;
    o->bytes = rows;
    return -1;
}

static int
map_check(struct objfile *o, const char *path, char *error)
{
    const struct obj_header *h = o->header;
    int bad;

    if (memcmp(h->magic, OBJ_MAGIC, sizeof(h->magic)) != 0)
        return fail(error, -EINVAL, "%s: offset 0: not an object file", path);
    if (h->version != OBJFILE_VERSION || h->tables < OBJ_TABLES_MIN ||
        h->tables > OBJ_TABLES ||
        o->size < offsetof(struct obj_header, table) +
                      h->tables * sizeof(struct obj_table))
        return fail(error, -EINVAL,
                    "%s: offset 8: object file version %u, this program reads %d", path,
                    h->version, OBJFILE_VERSION);
    if (h->file_size != o->size)
        return fail(error, -EINVAL,
                    "%s: offset 16: says it has %llu bytes, but has %zu", path,
                    (unsigned long long)h->file_size, o->size);
    bad = tables_check(o);
    if (bad >= 0)
        return fail(error, -EINVAL, "%s: offset %zu: table %d is malformed", path,
                    offsetof(struct obj_header, table) +
                        (size_t)bad * sizeof(struct obj_table), bad);
    return 0;
}

static int
open_fd(struct objfile **out, int fd, const char *path, char *error)
{
    struct objfile *o;
    struct stat st;
    void *map;
    int status;

    if (fstat(fd, &st) < 0)
        return fail(error, -errno, "%s: %s", path, strerror(errno));
    if (!S_ISREG(st.st_mode) || st.st_size < HEADER_MIN)
        return fail(error, -EINVAL, "%s: offset 0: too short for an object file", path);
    map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (map == MAP_FAILED)
        return fail(error, -errno, "%s: cannot be mapped: %s", path, strerror(errno));
    o = calloc(1, sizeof(*o));
    if (!o) {
        munmap(map, (size_t)st.st_size);
        return fail(error, -ENOMEM, "%s: out of memory", path);
    }
    o->map = map;
    o->header = map;
    o->size = (size_t)st.st_size;
    status = map_check(o, path, error);
    if (status < 0) {
        objfile_close(o);
        return status;
    }
    *out = o;
    return 0;
}

int
objfile_open_at(struct objfile **out, int dirfd, const char *name, int flags,
                const char *path, char *error)
{
    int fd = regular_open(dirfd, name, flags), status;

    if (fd == -EINVAL)
        return fail(error, -EINVAL, "%s: it is no plain file", path);
    if (fd < 0)
        return fail(error, fd, "%s: %s", path, strerror(-fd));
    status = open_fd(out, fd, path, error);
    close(fd);
    return status;
}

int
objfile_open_path(struct objfile **out, int dirfd, const char *path, char *error)
{
    return objfile_open_at(out, dirfd, path, 0, path, error);
}

void
objfile_close(struct objfile *o)
{
    if (!o)
        return;
    munmap((void *)(uintptr_t)o->map, o->size);
    free(o);
}

void
objfile_info(const struct objfile *o, struct objfile_info *out)
{
    const struct obj_header *h = o->header;

    *out = (struct objfile_info){
        .path = string(o, h->path),
        .buildid = string(o, h->buildid),
        .base = h->base,
        .file_size = h->file_size,
        .machine = h->machine,
        .bits = h->bits,
        .big_endian = h->big_endian != 0,
        .flags = h->flags,
    };
}

/* Converts a vaddr to a row address; false if rows cannot have such an address. */
static bool
relative(const struct objfile *o, u64 vaddr, u32 *addr)
{
    u64 rel = vaddr - o->header->base;

    if (vaddr < o->header->base || rel > UINT32_MAX)
        return false;
    *addr = (u32)rel;
    return true;
}

/*
 * How many rows have an address that is not above `addr`: a binary search in a table
 * whose rows begin with their address and are sorted by it.
 */
static u32
rows_upto(const void *rows, u32 count, size_t row_size, u32 addr)
{
    const unsigned char *base = rows;
    u32 low = 0;

    while (count > 0) {
        u32 half = count / 2, key;

        memcpy(&key, base + (size_t)(low + half) * row_size, sizeof(key));
        if (key <= addr) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return low;
}

static bool
sym_covers(const struct obj_sym *s, u32 addr)
{
    return addr >= s->addr && addr - s->addr < s->size;
}

int
objfile_symbol(const struct objfile *o, u64 vaddr, struct objfile_symbol *out)
{
    u32 addr, n;

    if (!relative(o, vaddr, &addr))
        return -ENOENT;
    n = rows_upto(o->sym, o->sym_count, sizeof(*o->sym), addr);
    while (n > 0) {
        const struct obj_sym *s = &o->sym[n - 1];

        if (sym_covers(s, addr))
            return objfile_symbol_at(o, n - 1, out);
        if (!(s->flags & OBJ_SYM_NESTED))
            return -ENOENT;
        n--;
    }
    return -ENOENT;
}

int
objfile_variable(const struct objfile *o, u64 vaddr, struct objfile_variable *out)
{
    u32 addr, n;

    if (!relative(o, vaddr, &addr))
        return -ENOENT;
    n = rows_upto(o->var, o->var_count, sizeof(*o->var), addr);
    if (!n || addr - o->var[n - 1].addr >= o->var[n - 1].size)
        return -ENOENT;
    out->addr = o->header->base + o->var[n - 1].addr;
    out->size = o->var[n - 1].size;
    out->name = string(o, o->var[n - 1].name);
    return 0;
}

u32
objfile_symbol_count(const struct objfile *o)
{
    return o->sym_count;
}

int
objfile_symbol_at(const struct objfile *o, u32 index, struct objfile_symbol *out)
{
    const struct obj_sym *s;
    struct objfile_func func = {0};

    if (index >= o->sym_count)
        return -ENOENT;
    s = &o->sym[index];
    objfile_func(o, s->func, &func);
    *out = (struct objfile_symbol){
        .index = index,
        .flags = s->flags & ~(OBJ_SYM_NESTED | 0xffu),
        .addr = o->header->base + s->addr,
        .size = s->size,
        .name = string(o, s->name),
        .origin = (enum objfile_origin)OBJ_SYM_ORIGIN(s->flags),
        .binding = (enum objfile_binding)OBJ_SYM_BINDING(s->flags),
        .func = s->func,
        .decl_file = func.decl_file,
        .decl_line = func.decl_line,
    };
    return 0;
}

u32
objfile_func_count(const struct objfile *o)
{
    return o->func_count;
}

int
objfile_func(const struct objfile *o, u32 index, struct objfile_func *out)
{
    const struct obj_func *f;

    if (index == 0 || index >= o->func_count)
        return -ENOENT;
    f = &o->func[index];
    *out = (struct objfile_func){
        .linkage = string(o, f->linkage),
        .name = string(o, f->name),
        .decl_file = f->file,
        .decl_line = f->line & ~OBJ_INLINED,
        .inlined = (f->line & OBJ_INLINED) != 0,
    };
    if (!out->linkage[0])
        out->linkage = out->name;
    return 0;
}

u32
objfile_file_count(const struct objfile *o)
{
    return o->file_count;
}

const char *
objfile_file(const struct objfile *o, u32 index)
{
    return index < o->file_count ? string(o, o->file[index].path) : "";
}

u32
objfile_line_count(const struct objfile *o)
{
    return o->line_count;
}

int
objfile_line_at(const struct objfile *o, u32 index, struct objfile_line *out)
{
    const struct obj_line *l;
    u64 end = UINT32_MAX;

    if (index >= o->line_count)
        return -ENOENT;
    l = &o->line[index];
    if (index + 1 < o->line_count)
        end = l[1].addr;
    *out = (struct objfile_line){
        .index = index,
        .file = l->file & OBJ_LOW24,
        .line = l->pos & OBJ_LOW24,
        .column = l->pos >> 24,
        .addr = o->header->base + l->addr,
        .end = o->header->base + end,
        .is_stmt = (l->file & OBJ_IS_STMT) != 0,
        .discriminator = l->file >> OBJ_DISCRIMINATOR,
    };
    return 0;
}

int
objfile_line(const struct objfile *o, u64 vaddr, struct objfile_line *out)
{
    struct objfile_line line;
    u32 addr, n;

    if (!relative(o, vaddr, &addr))
        return -ENOENT;
    n = rows_upto(o->line, o->line_count, sizeof(*o->line), addr);
    if (n == 0 || objfile_line_at(o, n - 1, &line) < 0 || line.file == 0)
        return -ENOENT;
    *out = line;
    return 0;
}

/*
 * The lowest address of a row above vaddr, in a table whose rows begin with an address.
 * UINT64_MAX: none.
 */
static u64
boundary(const struct objfile *o, const void *rows, u32 count, size_t row_size,
         u64 vaddr)
{
    u32 addr = 0, n = 0, key;

    if (vaddr >= o->header->base) {
        if (!relative(o, vaddr, &addr))
            return UINT64_MAX;
        n = rows_upto(rows, count, row_size, addr);
    }
    if (n >= count)
        return UINT64_MAX;
    memcpy(&key, (const unsigned char *)rows + (size_t)n * row_size, sizeof(key));
    return o->header->base + key;
}

u64
objfile_line_boundary(const struct objfile *o, u64 vaddr)
{
    return boundary(o, o->line, o->line_count, sizeof(*o->line), vaddr);
}

u32
objfile_line_index(const struct objfile *o, u64 vaddr)
{
    u32 addr, n;

    if (vaddr < o->header->base)
        return 0;
    if (!relative(o, vaddr, &addr))
        return o->line_count;
    n = rows_upto(o->line, o->line_count, sizeof(*o->line), addr);
    return n > 0 ? n - 1 : 0;
}

u32
objfile_inline_count(const struct objfile *o)
{
    return o->node_count;
}

int
objfile_inline_at(const struct objfile *o, u32 node, struct objfile_inline *out)
{
    const struct obj_node *n;

    if (node == 0 || node >= o->node_count)
        return -ENOENT;
    n = &o->node[node];
    *out = (struct objfile_inline){
        .node = node,
        .parent = n->parent < node ? n->parent : 0, /* so that chains end */
        .func = n->func,
        .call_file = n->file & OBJ_LOW24,
        .call_line = n->pos & OBJ_LOW24,
        .call_column = n->pos >> 24,
        .discriminator = n->file >> OBJ_DISCRIMINATOR,
    };
    return 0;
}

u32
objfile_inlines(const struct objfile *o, u64 vaddr, struct objfile_inline *chain,
                u32 max)
{
    struct objfile_inline call;
    u32 addr, n, node, depth = 0;

    if (!relative(o, vaddr, &addr))
        return 0;
    n = rows_upto(o->range, o->range_count, sizeof(*o->range), addr);
    if (n == 0)
        return 0;
    node = o->range[n - 1].node;
    for (u32 at = node; objfile_inline_at(o, at, &call) == 0; at = call.parent)
        depth++;
    n = depth;
    for (u32 at = node; objfile_inline_at(o, at, &call) == 0; at = call.parent)
        if (--n < max)
            chain[n] = call;
    return depth;
}

u64
objfile_inline_boundary(const struct objfile *o, u64 vaddr)
{
    return boundary(o, o->range, o->range_count, sizeof(*o->range), vaddr);
}

u32
objfile_code_count(const struct objfile *o)
{
    return o->code_count;
}

int
objfile_code_at(const struct objfile *o, u32 index, struct objfile_code *out)
{
    if (index >= o->code_count)
        return -ENOENT;
    *out = (struct objfile_code){
        .addr = o->header->base + o->code[index].addr,
        .size = o->code[index].size,
        .name = string(o, o->code[index].name),
    };
    return 0;
}

long
objfile_code(const struct objfile *o, u64 vaddr, void *buf, size_t len)
{
    const struct obj_code *c;
    u64 start, skip;
    u32 addr, n;

    if (!relative(o, vaddr, &addr))
        return -ENOENT;
    n = rows_upto(o->code, o->code_count, sizeof(*o->code), addr);
    if (n == 0)
        return -ENOENT;
    c = &o->code[n - 1];
    skip = addr - c->addr;
    start = (u64)c->bytes * OBJ_ALIGN + skip;
    if (skip >= c->size || start >= o->bytes_size)
        return -ENOENT;
    if (len > c->size - skip)
        len = c->size - skip;
    if (len > o->bytes_size - start)
        len = o->bytes_size - start;
    memcpy(buf, o->bytes + start, len);
    return (long)len;
}

u32
objfile_insn_index(const struct objfile *o, u64 vaddr)
{
    u32 addr;

    if (vaddr <= o->header->base)
        return 0;
    if (!relative(o, vaddr - 1, &addr))
        return o->insn_count;
    return rows_upto(o->insn, o->insn_count, sizeof(*o->insn), addr);
}

int
objfile_insn_at(const struct objfile *o, u32 index, struct objfile_insn *out)
{
    if (index >= o->insn_count)
        return -ENOENT;
    out->addr = o->header->base + o->insn[index].addr;
    out->text = string(o, o->insn[index].text);
    return 0;
}

int
objfile_source_at(const struct objfile *o, u32 index, struct objfile_source *out)
{
    if (index >= o->source_count)
        return -ENOENT;
    *out = (struct objfile_source){
        .kind = (enum objfile_source_kind)o->source[index].kind,
        .path = string(o, o->source[index].path),
        .size = o->source[index].size,
        .mtime_ns = o->source[index].mtime,
    };
    return 0;
}

u32
objfile_note_count(const struct objfile *o)
{
    return o->note_count;
}

const char *
objfile_note(const struct objfile *o, u32 index)
{
    return index < o->note_count ? string(o, o->note[index].text) : "";
}

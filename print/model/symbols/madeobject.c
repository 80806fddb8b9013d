/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/madeobject.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "print/model/symbols/bytecode.h"
#include "print/model/symbols/v8name.h"
#include "share/values.h"

enum {
    LINE_MAX_NUMBER = 0xffffff, /* the highest line that a row has room for */
};

struct making {
    const struct made *made;
    struct objwrite w;
    char text[ER_STR_MAX + 1];
    unsigned char *bytes; /* code of all functions, one after another */
    u64 nbytes;
};

/*
 * The text with a final zero, valid until the next call. Control characters, which
 * could act on a terminal, become ?.
 */
static const char *
text_of(struct making *m, struct er_str s)
{
    u32 len = s.len < ER_STR_MAX ? s.len : ER_STR_MAX;

    for (u32 i = 0; i < len; i++)
        m->text[i] = (unsigned char)s.s[i] < ' ' || s.s[i] == 127 ? '?' : s.s[i];
    m->text[len] = 0;
    return m->text;
}

/*
 * The objwrite number of a function's source `number` (from 1); 0 = there is none.
 */
static u32
file_of(struct making *m, const struct made_function *f, u32 number)
{
    if (!number || number > f->sources.count)
        return 0;
    return objwrite_file(&m->w, text_of(m, m->made->source[f->sources.first + number -
                                                           1]));
}

static u32
line_of(u32 line)
{
    return line < LINE_MAX_NUMBER ? line : 0;
}

static u32
func_of(struct making *m, struct er_str name, u32 file, u32 line)
{
    struct obj_func row = { .file = file, .line = line };

    row.name = objwrite_string(&m->w, text_of(m, name));
    return objwrite_func(&m->w, &row);
}

static void
add_symbol(struct making *m, const struct made_function *f, u32 addr)
{
    u32 file = file_of(m, f, 1);
    struct obj_func func = { .file = file, .line = line_of(f->line) };
    struct obj_sym row = { .addr = addr, .size = (u32)f->size };

    text_of(m, f->name);
    v8name_shorten(m->text, file);
    row.name = func.name = objwrite_string(&m->w, m->text);
    row.func = objwrite_func(&m->w, &func);
    row.flags = OBJFILE_ORIGIN_SYMTAB | OBJFILE_GLOBAL << 4;
    objwrite_row(&m->w, OBJ_sym, &row);
}

/*
 * Add a node for each inlined call of a function. They have consecutive indices;
 * returns the first.
 */
static u32
add_calls(struct making *m, const struct made_function *f)
{
    u32 first = m->w.table[OBJ_node].count;

    for (u32 i = 0; i < f->inlined.count; i++) {
        const struct made_call *call = &m->made->call[f->inlined.first + i];
        struct obj_node row = {
            .parent = call->parent ? first + call->parent - 1 : 0,
            .func = func_of(m, call->name, file_of(m, f, call->declared),
                            line_of(call->first)),
            .file = file_of(m, f, call->source),
            .pos = line_of(call->line),
        };
        struct obj_func *func = (struct obj_func *)m->w.table[OBJ_func].at + row.func;

        func->line |= OBJ_INLINED;
        objwrite_row(&m->w, OBJ_node, &row);
    }
    return first;
}

static void
add_line(struct making *m, u32 addr, u32 file, u32 line)
{
    struct obj_line row = { .addr = addr, .pos = line_of(line) };

    row.file = file > OBJ_LOW24 || !row.pos ? 0 : file | OBJ_IS_STMT;
    objwrite_row(&m->w, OBJ_line, &row);
}

static void
add_range(struct making *m, u32 addr, u32 node)
{
    objwrite_row(&m->w, OBJ_range, &(struct obj_range){ addr, node });
}

static void
add_rows(struct making *m, const struct made_function *f, u32 addr)
{
    u32 first = add_calls(m, f), inlined = 0;
    u64 last = 0;

    if (!f->lines.count && f->line && f->sources.count) {
        add_line(m, addr, file_of(m, f, 1), f->line);
        add_line(m, addr + (u32)f->size, 0, 0);
    }
    for (u32 i = 0; i < f->lines.count; i++) {
        const struct made_row *row = &m->made->row[f->lines.first + i];

        if (row->offset < last || (i && row->offset == last))
            continue;
        last = row->offset;
        add_line(m, addr + (u32)last, file_of(m, f, row->source), row->line);
        if (row->inlined > f->inlined.count || row->inlined == inlined)
            continue;
        inlined = row->inlined;
        add_range(m, addr + (u32)last, inlined ? first + inlined - 1 : 0);
    }
    if (f->lines.count)
        add_line(m, addr + (u32)f->size, 0, 0);
    if (inlined)
        add_range(m, addr + (u32)f->size, 0);
}

/* Add the instructions of a method's bytecode as texts. */
static void
add_bytecodes(struct making *m, const struct made_function *f,
              const unsigned char *code)
{
    const struct bytecode_method method = {
        .code = code,
        .size = (u32)f->size,
        .constant = m->made->constant + f->constants.first,
        .nconstants = f->constants.count,
    };
    char text[sizeof(m->text)];

    for (u32 at = 0, len; at < f->size; at += len) {
        struct obj_insn row = { .addr = (u32)f->vaddr + at };

        len = bytecode_text(&method, at, text, sizeof(text));
        if (!len)
            return;
        row.text = objwrite_string(&m->w, text_of(m, (struct er_str){
                                                         text, (u32)strlen(text) }));
        objwrite_row(&m->w, OBJ_insn, &row);
    }
}

/*
 * Add a function's code, if all its bytes are known: else the addresses of its
 * instructions would not be.
 */
static void
add_code(struct making *m, const struct made_function *f)
{
    unsigned char *to = m->bytes + m->nbytes;
    u64 size = 0;

    for (u32 i = 0; i < f->bytes.count; i++) {
        const struct er_str *piece = &m->made->bytes[f->bytes.first + i];

        memcpy(to + size, piece->s, piece->len);
        size += piece->len;
    }
    if (!size || size != f->size)
        return;
    if (f->origin == MADE_BY_INTERPRETER) {
        add_bytecodes(m, f, to);
        return;
    }
    objwrite_code(&m->w, f->vaddr, size, ".text", (struct bytes){ to, size });
    m->nbytes += size;
}

static int
add_all(struct making *m)
{
    const struct made *made = m->made;
    u64 bytes = 0;

    for (u32 i = 0; i < made->nbytes; i++)
        bytes += made->bytes[i].len;
    m->bytes = malloc(bytes + 1);
    if (!m->bytes)
        return -ENOMEM;
    m->w.machine = EM_X86_64;
    m->w.bits = 64;
    m->w.flags = OBJFILE_HAS_SYMTAB;
    if (made->nrows)
        m->w.flags |= OBJFILE_HAS_LINES;
    if (made->ncalls)
        m->w.flags |= OBJFILE_HAS_INLINES;
    m->w.path = objwrite_string(&m->w, MADEOBJECT_PATH);
    for (u32 i = 0; i < made->count; i++) {
        const struct made_function *f = &made->function[i];
        u32 addr;

        if (f->copy)
            continue;
        if (!objwrite_address(&m->w, f->vaddr + f->size, &addr))
            break;
        addr = (u32)f->vaddr;
        add_symbol(m, f, addr);
        add_rows(m, f, addr);
        add_code(m, f);
    }
    return m->w.status;
}

/*
 * Use a file in memory, since the reader of object files maps a file.
 */
int
madeobject_reopen(struct objwrite *w, const char *name, struct objfile **file)
{
    char path[64], error[OBJFILE_ERROR_MAX];
    int fd = memfd_create("jit", MFD_CLOEXEC), ret;

    if (fd < 0)
        return -errno;
    ret = objwrite_save(w, fd);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    if (ret == 0)
        ret = objfile_open_at(file, AT_FDCWD, path, 0, name, error);
    close(fd);
    return ret;
}

int
madeobject_make(struct experiment *e, struct objfile **file)
{
    struct making *m = calloc(1, sizeof(*m));
    struct objfile *made = NULL;
    int ret;

    if (!m)
        return -ENOMEM;
    m->made = &e->made;
    objwrite_init(&m->w);
    ret = add_all(m);
    if (ret == 0)
        ret = madeobject_reopen(&m->w, MADEOBJECT_PATH, &made);
    objwrite_free(&m->w);
    free(m->bytes);
    free(m);
    if (ret == -ENOMEM)
        return ret;
    if (ret < 0)
        problems_add(&e->problems, "%s: the functions made at run time have no names: "
                     "%s", e->path, strerror(-ret));
    *file = made;
    return 0;
}

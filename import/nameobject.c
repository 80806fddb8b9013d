/* SPDX-License-Identifier: Apache-2.0 */
/* Writes object files for objects that have names and lines, but no code. */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "archive/object/objfile.h"
#include "archive/object/objrows.h"
#include "archive/object/objwrite.h"
#include "archive/store.h"
#include "import/names.h"
#include "import/nametables.h"
#include "print/base/array.h"

struct writer {
    const struct import *im;
    const struct names *n;
    const struct name_object *o;
    struct objwrite w;
    u32 *node; /* by place - 1: its inlined call in the file's table; 0 = none */
    struct name_rows calls; /* inlined calls: the caller's place, function */
    u32 *call; /* by number in `calls` - 1: the inlined call in the file's table */
    u32 calls_room;
};

static u32
file_of(struct writer *w, u32 text)
{
    return objwrite_file(&w->w, names_text_of(w->im, text));
}

static u32
func_of(struct writer *w, u32 func, bool inlined)
{
    const u32 *row = w->n->func.row[func - 1];
    u32 line = row[3] & ~OBJ_INLINED;
    struct obj_func out = {
        .name = objwrite_string(&w->w, names_text_of(w->im, row[1])),
        .file = file_of(w, row[2]),
        .line = line | (inlined ? OBJ_INLINED : 0),
    };

    return objwrite_func(&w->w, &out);
}

/*
 * Adds the inlined call of `func` at the place `caller` to the object file's table of
 * inlined calls (OBJ_node), if it is new. Returns its row there; 0: no memory. If
 * `caller` is inlined itself, its own row exists already.
 */
static u32
make_node(struct writer *w, u32 caller, u32 func)
{
    const u32 row[4] = { caller, func, 0, 0 }, *at = w->n->place.row[caller - 1];
    struct obj_node node = { .parent = w->node[caller - 1],
                             .file = file_of(w, at[2]),
                             .pos = at[3] <= OBJ_LOW24 ? at[3] : 0 };
    u32 before = w->calls.count, call = nametables_number(&w->calls, row);

    if (!call || array_room(&w->call, &w->calls_room, call, sizeof(*w->call)) < 0) {
        w->w.status = -ENOMEM;
        return 0;
    }
    if (w->calls.count > before) {
        node.func = func_of(w, func, true);
        w->call[call - 1] = objwrite_row(&w->w, OBJ_node, &node);
    }
    return w->call[call - 1];
}

/*
 * Makes the rows of all inlined calls. An inlined place has a higher number than the
 * place of its caller, whose row is therefore made first.
 */
static void
make_nodes(struct writer *w)
{
    for (u32 i = 1; i <= w->n->place.count; i++) {
        const u32 *row = w->n->place.row[i - 1];

        if (row[0] && w->n->func.row[names_root(w->n, i) - 1][0] == w->o->name)
            w->node[i - 1] = make_node(w, row[0], row[1]);
    }
}

/* Writes the line, and the inlined call, that begin at a slot. */
static void
put_line(struct writer *w, u32 slot, u32 file, u32 line, u32 node)
{
    struct obj_line row = { .addr = slot * NAMES_EACH,
                            .file = file_of(w, file) & OBJ_LOW24,
                            .pos = line <= OBJ_LOW24 ? line : 0 };
    struct obj_range range = { .addr = row.addr, .node = node };

    if (row.file)
        row.file |= OBJ_IS_STMT;
    objwrite_row(&w->w, OBJ_line, &row);
    objwrite_row(&w->w, OBJ_range, &range);
}

static void
put_insn(struct writer *w, u32 slot, u32 text)
{
    struct obj_insn row = { .addr = slot * NAMES_EACH };

    if (!text)
        return;
    row.text = objwrite_string(&w->w, names_text_of(w->im, text));
    objwrite_row(&w->w, OBJ_insn, &row);
}

/*
 * Writes a function, which begins at a slot: the slot before its first place. Returns
 * its row in the table of symbols.
 */
static u32
put_symbol(struct writer *w, u32 func, u32 slot)
{
    const u32 *f = w->n->func.row[func - 1];
    struct obj_sym row = {
        .addr = slot * NAMES_EACH,
        .flags = OBJFILE_ORIGIN_SYMTAB | OBJFILE_GLOBAL << 4,
        .name = objwrite_string(&w->w, names_text_of(w->im, f[1])),
        .func = func_of(w, func, false),
    };

    put_line(w, slot, f[2], f[3], 0);
    return objwrite_row(&w->w, OBJ_sym, &row);
}

static void
end_symbol(struct writer *w, u32 symbol, u32 slot)
{
    struct obj_sym *row = w->w.table[OBJ_sym].at;

    if (symbol != UINT32_MAX && w->w.status == 0)
        row[symbol].size = slot * NAMES_EACH - row[symbol].addr;
}

static void
put_all(struct writer *w)
{
    const struct name_object *o = w->o;
    u32 symbol = UINT32_MAX, func = 0;

    for (u32 i = o->from; i < o->to; i++) {
        u32 place = w->n->sorted[i], slot = w->n->slot[place - 1];
        const u32 *row = w->n->place.row[place - 1];

        if (names_root(w->n, place) != func) {
            end_symbol(w, symbol, slot - 1);
            func = names_root(w->n, place);
            symbol = put_symbol(w, func, slot - 1);
        }
        put_line(w, slot, row[2], names_insn(w->n, place) ? 0 : row[3],
                 w->node[place - 1]);
        put_insn(w, slot, names_insn(w->n, place));
    }
    end_symbol(w, symbol, o->slots);
    put_line(w, o->slots, 0, 0, 0);
}

static int
save(const struct import *im, const struct name_object *o, int fd)
{
    struct writer w = { .im = im, .n = im->names, .o = o };
    int ret;

    w.node = calloc((size_t)w.n->place.count + 1, sizeof(*w.node));
    if (!w.node)
        return -ENOMEM;
    objwrite_init(&w.w);
    w.w.base = NAMES_CODE;
    w.w.machine = EM_X86_64;
    w.w.bits = 64;
    w.w.flags = OBJFILE_HAS_SYMTAB | OBJFILE_HAS_LINES | OBJFILE_HAS_INLINES;
    w.w.path = objwrite_string(&w.w, o->name ? names_text_of(im, o->name) : "[names]");
    w.w.buildid = objwrite_string(&w.w, o->key);
    make_nodes(&w);
    put_all(&w);
    ret = objwrite_save(&w.w, fd);
    objwrite_free(&w.w);
    free(w.node);
    free(w.call);
    free(w.calls.row);
    hash_free(&w.calls.hash);
    return ret;
}

static int
describe(const struct import *im, const struct name_object *o, int archives)
{
    struct objfile_id id = { .buildid = o->key };
    char name[OBJFILE_KEY_MAX + 16], key[OBJFILE_KEY_MAX];
    struct store_file file;
    int ret = objfile_key(key, &id);

    if (ret == 0)
        ret = store_begin(&file, archives);
    if (ret < 0)
        return ret;
    ret = save(im, o, file.fd);
    if (ret < 0) {
        store_abandon(&file);
        return ret;
    }
    snprintf(name, sizeof(name), "%s.ero", key);
    return store_commit(&file, name);
}

int
names_describe(const struct import *im, int dir)
{
    const struct names *n = im->names;
    int archives, ret = 0;

    if (!n || !n->sorted)
        return 0;
    archives = store_dir(dir, "archives");
    if (archives < 0)
        return archives;
    for (u32 i = 0; i < n->nobjects && ret == 0; i++)
        ret = describe(im, &n->object[i], archives);
    close(archives);
    return ret;
}

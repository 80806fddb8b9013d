/* SPDX-License-Identifier: Apache-2.0 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/object/objfile.h"
#include "archive/object/objwrite.h"
#include "tests/gen/gen.h"

struct object {
    struct objwrite w;
    const char *prefix;
    u32 file;
    u32 functions;
    u32 inline_every;
};

static bool
has_inline(const struct object *o, u32 i)
{
    return o->inline_every && i % o->inline_every == 0;
}

static u32
add_func(struct object *o, const char *prefix, u32 i, u32 line)
{
    struct obj_func func = { .file = o->file, .line = line };
    char name[64];

    snprintf(name, sizeof(name), "%s%u", prefix, i);
    func.name = objwrite_string(&o->w, name);
    return objwrite_func(&o->w, &func);
}

static void
add_symbol(struct object *o, u32 i)
{
    struct obj_sym sym = {
        .addr = i * GEN_FUNC_BYTES,
        .size = GEN_FUNC_BYTES,
        .flags = OBJFILE_ORIGIN_SYMTAB | OBJFILE_GLOBAL << 4,
    };
    char name[64];

    snprintf(name, sizeof(name), "%s%u", o->prefix, i);
    sym.name = objwrite_string(&o->w, name);
    sym.func = add_func(o, o->prefix, i, 10 * i + 1);
    objwrite_row(&o->w, OBJ_sym, &sym);
}

/* A line every 8 bytes; inlined code is at the function's ninth line. */
static void
add_lines(struct object *o, u32 i)
{
    for (u32 k = 0; k < GEN_FUNC_BYTES / 8; k++) {
        u32 at = 8 * k, line = 10 * i + 1 + k;
        struct obj_line row = { .addr = i * GEN_FUNC_BYTES + at };

        if (has_inline(o, i) && at >= GEN_INLINE_FROM && at < GEN_INLINE_TO)
            line = 10 * i + 9;
        row.file = o->file | OBJ_IS_STMT;
        row.pos = line;
        objwrite_row(&o->w, OBJ_line, &row);
    }
}

static void
add_inline(struct object *o, u32 i)
{
    struct obj_node node = { .file = o->file, .pos = 10 * i + 5 };
    struct obj_range from = { .addr = i * GEN_FUNC_BYTES + GEN_INLINE_FROM };
    struct obj_range to = { .addr = i * GEN_FUNC_BYTES + GEN_INLINE_TO };

    node.func = add_func(o, "inlined_", i, (10 * i + 9) | OBJ_INLINED);
    from.node = objwrite_row(&o->w, OBJ_node, &node);
    objwrite_row(&o->w, OBJ_range, &from);
    objwrite_row(&o->w, OBJ_range, &to);
}

/* Seven times nopl 0(%rax,%rax,1), a jump over 3 bytes, and these: nopl (%rax). */
static unsigned char *
make_code(u32 functions)
{
    static const unsigned char nop[8] = { 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0 };
    static const unsigned char tail[8] = { 0xe9, 3, 0, 0, 0, 0x0f, 0x1f, 0 };
    unsigned char *code = malloc((size_t)functions * GEN_FUNC_BYTES);

    for (u32 i = 0; code && i < functions * (GEN_FUNC_BYTES / 8); i++)
        memcpy(code + 8 * i, i % 8 == 7 ? tail : nop, 8);
    return code;
}

static void
fill(struct object *o, const char *path, const char *buildid)
{
    struct obj_line end = { .addr = o->functions * GEN_FUNC_BYTES };

    o->w.base = GEN_CODE;
    o->w.machine = EM_X86_64;
    o->w.bits = 64;
    o->w.flags = OBJFILE_HAS_SYMTAB | OBJFILE_HAS_LINES | OBJFILE_HAS_INLINES;
    o->w.path = objwrite_string(&o->w, path);
    o->w.buildid = objwrite_string(&o->w, buildid);
    for (u32 i = 0; i < o->functions; i++) {
        add_symbol(o, i);
        add_lines(o, i);
        if (has_inline(o, i))
            add_inline(o, i);
    }
    objwrite_row(&o->w, OBJ_line, &end);
}

static void
save(struct object *o, struct gen *gen, const char *buildid)
{
    char name[OBJFILE_KEY_MAX + 16], key[OBJFILE_KEY_MAX];
    struct objfile_id id = { .buildid = buildid };
    int fd, ret;

    mkdirat(gen->dir, "archives", 0700);
    ret = objfile_key(key, &id);
    snprintf(name, sizeof(name), "archives/%s.ero", ret < 0 ? "bad" : key);
    fd = openat(gen->dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    ret = fd < 0 ? -errno : objwrite_save(&o->w, fd);
    if (ret < 0) {
        fprintf(stderr, "gen: cannot write %s: %s\n", name, strerror(-ret));
        exit(2);
    }
    close(fd);
}

void
gen_archive(struct gen *gen, const char *path, const char *buildid, const char *prefix,
            const char *source, u32 functions, u32 inline_every)
{
    struct object o = {
        .prefix = prefix, .functions = functions, .inline_every = inline_every
    };
    unsigned char *code = make_code(functions);
    u32 bytes = functions * GEN_FUNC_BYTES;

    objwrite_init(&o.w);
    o.file = objwrite_file(&o.w, source);
    fill(&o, path, buildid);
    objwrite_code(&o.w, GEN_CODE, bytes, ".text",
                  (struct bytes){ code, bytes });
    save(&o, gen, buildid);
    objwrite_free(&o.w);
    free(code);
}

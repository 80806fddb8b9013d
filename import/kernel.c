/* SPDX-License-Identifier: Apache-2.0 */
#include "import/kernel.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/object/objfile.h"
#include "archive/object/objwrite.h"
#include "archive/store.h"
#include "import/slurp.h"
#include "print/base/array.h"

struct symbol {
    u64 addr;
    const char *name;
    size_t len;
};

struct symbols {
    struct symbol *symbol;
    u32 count;
    u32 room;
};

/*
 * Reads a line like "ffffffff81000000 T _stext" or "ffffffffc0000000 t name [module]".
 * False: it is not of a function (tTwW) from KERNEL_FROM on.
 */
static bool
read_symbol(const char *line, const char *end, struct symbol *out)
{
    char *rest;
    u64 addr;

    if (end - line < 20)
        return false;
    addr = strtoull(line, &rest, 16);
    if (rest + 3 >= end || *rest != ' ' || rest[2] != ' ')
        return false;
    if (!memchr("tTwW", rest[1], 4))
        return false;
    out->addr = addr;
    out->name = rest + 3;
    for (out->len = 0; out->name + out->len < end; out->len++)
        if (strchr(" \t\r", out->name[out->len]))
            break;
    return addr >= KERNEL_FROM && out->len;
}

/* Reads all lines that end in a newline. 0; -ENOENT: there is no function; -ENOMEM. */
static int
read_symbols(struct bytes text, struct symbols *out)
{
    const char *at = (const char *)text.at, *end = at + text.size;

    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        struct symbol symbol;

        if (!newline)
            break;
        if (read_symbol(at, newline, &symbol)) {
            if (array_room(&out->symbol, &out->room, out->count + 1,
                           sizeof(symbol)) < 0)
                return -ENOMEM;
            out->symbol[out->count++] = symbol;
        }
        at = newline + 1;
    }
    return out->count ? 0 : -ENOENT;
}

static int
compare(const void *a, const void *b)
{
    const struct symbol *x = a, *y = b;

    if (x->addr != y->addr)
        return x->addr < y->addr ? -1 : 1;
    return x->name < y->name ? -1 : x->name > y->name;
}

static void
add_symbol(struct objwrite *w, const struct symbol *symbol, u64 size)
{
    struct obj_sym row = {
        .size = size > UINT32_MAX ? 1 : (u32)size,
        .flags = OBJFILE_ORIGIN_SYMTAB | OBJFILE_GLOBAL << 4,
    };
    char name[512];

    snprintf(name, sizeof(name), "%.*s", (int)symbol->len, symbol->name);
    if (!objwrite_address(w, symbol->addr, &row.addr))
        return;
    row.name = objwrite_string(w, name);
    objwrite_row(w, OBJ_sym, &row);
}

/* Each symbol extends to the next one; for the last one, assume 4 KiB. */
static void
add_symbols(struct objwrite *w, const struct symbols *s)
{
    for (u32 i = 0; i < s->count; i++) {
        u32 next = i + 1;

        if (i && s->symbol[i].addr == s->symbol[i - 1].addr)
            continue;
        while (next < s->count && s->symbol[next].addr == s->symbol[i].addr)
            next++;
        add_symbol(w, &s->symbol[i],
                   next < s->count ? s->symbol[next].addr - s->symbol[i].addr : 4096);
    }
}

int
kernel_write(struct bytes kallsyms, const char *buildid, int fd)
{
    struct symbols symbols = { 0 };
    struct objwrite w;
    int ret = read_symbols(kallsyms, &symbols);

    if (ret < 0) {
        free(symbols.symbol);
        return ret;
    }
    qsort(symbols.symbol, symbols.count, sizeof(*symbols.symbol), compare);
    objwrite_init(&w);
    w.base = symbols.symbol[0].addr;
    w.machine = EM_X86_64;
    w.bits = 64;
    w.flags = OBJFILE_HAS_SYMTAB;
    w.path = objwrite_string(&w, KERNEL_NAME);
    w.buildid = objwrite_string(&w, buildid);
    add_symbols(&w, &symbols);
    ret = objwrite_save(&w, fd);
    objwrite_free(&w);
    free(symbols.symbol);
    return ret;
}

/* Does this machine run the kernel with that build-id, by the kernel's notes? */
static bool
is_running(const char *buildid)
{
    unsigned char id[64];
    size_t len = strlen(buildid) / 2;
    struct slurp notes;
    bool found = false;

    if (!len || len > sizeof(id) || slurp_open(&notes, "/sys/kernel/notes") < 0)
        return false;
    for (size_t i = 0; i < len; i++) {
        unsigned byte = 0;

        if (sscanf(buildid + 2 * i, "%2x", &byte) != 1)
            len = 0;
        id[i] = (unsigned char)byte;
    }
    found = len && memmem(notes.bytes.at, notes.bytes.size, id, len);
    slurp_close(&notes);
    return found;
}

/* Finds the symbols of the kernel with that build-id. 0 or -ENOENT. */
static int
find_kallsyms(const char *buildid, struct slurp *out)
{
    const char *home = getenv("HOME");
    char *path = NULL;
    int ret = -ENOENT;

    if (home && *home == '/' &&
        asprintf(&path, "%s/.debug/" KERNEL_NAME "/%s/kallsyms", home, buildid) >= 0) {
        ret = slurp_open(out, path);
        free(path);
    }
    if (ret < 0 && is_running(buildid))
        ret = slurp_open(out, "/proc/kallsyms");
    return ret;
}

static int
describe(const char *buildid, int archives)
{
    struct objfile_id id = { .buildid = buildid };
    char name[OBJFILE_KEY_MAX + 16], key[OBJFILE_KEY_MAX];
    struct store_file file;
    struct slurp text;
    int ret;

    if (objfile_key(key, &id) < 0 || find_kallsyms(buildid, &text) < 0)
        return 0;
    snprintf(name, sizeof(name), "%s.ero", key);
    ret = faccessat(archives, name, F_OK, 0) == 0 ? -EEXIST
                                                  : store_begin(&file, archives);
    if (ret == 0) {
        ret = kernel_write(text.bytes, buildid, file.fd);
        if (ret == 0)
            ret = store_commit(&file, name);
        else
            store_abandon(&file);
    }
    slurp_close(&text);
    return ret == -EEXIST || ret == -ENOENT ? 0 : ret;
}

int
kernel_describe(const struct import *im, int dir)
{
    int archives = -1, ret = 0;

    for (u32 i = 0; i < im->nprocesses && ret == 0; i++)
        for (u32 k = 0; k < im->process[i].nobjects && ret == 0; k++) {
            const struct import_object *o = &im->process[i].object[k];

            if (strcmp(o->name, KERNEL_NAME) || !*o->buildid)
                continue;
            if (archives < 0)
                archives = store_dir(dir, "archives");
            ret = archives < 0 ? archives : describe(o->buildid, archives);
        }
    if (archives >= 0)
        close(archives);
    return ret;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/disasm.h"

#include <capstone/capstone.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/base/pool.h"
#include "print/model/symbols/files.h"
#include "print/model/symbols/functions.h"
#include "print/model/symbols/machine.h"
#include "print/model/symbols/object.h"
#include "print/model/views/aggregate.h"
#include "print/model/views/linemarks.h"

enum {
    CODE_MAX = 64 << 20, /* bytes of a function; the rest of it is left out */
};

struct builder {
    struct session *session;
    const struct objfile *file;
    struct disasm disasm;
    u32 room;
    struct pool *pool;
    csh engine;
};

/*
 * Write `target <function+0x12>`; only the function's name if it begins at the target.
 */
static void
name_target(struct builder *b, u64 target, char *text, size_t size)
{
    u32 func = function_at(b->session, b->disasm.object, target);
    struct objfile_symbol symbol;
    const char *name;

    if (objfile_symbol(b->file, target, &symbol) < 0) {
        snprintf(text, size, "0x%llx", (unsigned long long)target);
        return;
    }
    name = function_name(b->session, func);
    if (target == symbol.addr)
        snprintf(text, size, "0x%llx <%s>", (unsigned long long)target, name);
    else
        snprintf(text, size, "0x%llx <%s+0x%llx>", (unsigned long long)target, name,
                 (unsigned long long)(target - symbol.addr));
}

/* The instruction as text: operands as capstone writes them, targets by name. */
static const char *
words(struct builder *b, const cs_insn *insn)
{
    char target[512], text[800];
    struct machine_target to;

    machine_target(b->engine, insn, &to);
    if (to.kind != TARGET_NONE)
        name_target(b, to.addr, target, sizeof(target));
    if (to.kind == TARGET_BRANCH)
        snprintf(text, sizeof(text), "%s %s", insn->mnemonic, target);
    else if (to.kind == TARGET_DATA)
        snprintf(text, sizeof(text), "%s %s  # %s", insn->mnemonic, insn->op_str,
                 target);
    else
        snprintf(text, sizeof(text), "%s%s%s", insn->mnemonic, *insn->op_str ? " " : "",
                 insn->op_str);
    return pool_text(&b->pool, text, strlen(text));
}

static const char *
byte_words(struct builder *b, unsigned char byte)
{
    char text[16];

    snprintf(text, sizeof(text), ".byte 0x%02x", byte);
    return pool_text(&b->pool, text, strlen(text));
}

/* Find the source line and the inlined function of an instruction. */
static void
place(struct builder *b, struct disasm_line *line)
{
    struct objfile_inline chain[SITE_INLINES_MAX];
    u32 object = b->disasm.object;
    u32 depth = objfile_inlines(b->file, line->addr, chain, SITE_INLINES_MAX);
    struct objfile_line at;

    line->depth = depth < SITE_INLINES_MAX ? depth : SITE_INLINES_MAX;
    line->func = b->disasm.func;
    if (line->depth)
        line->func = functions_of_decl(b->session, object, chain[line->depth - 1].func);
    if (objfile_line(b->file, line->addr, &at) < 0 || !at.file)
        return;
    line->file = files_of_object(b->session, object, at.file);
    line->line = at.line;
}

static int
append(struct builder *b, struct disasm_line *line, bool first)
{
    struct disasm *d = &b->disasm;
    const struct disasm_line *last = d->count ? &d->line[d->count - 1] : NULL;

    if (!line->text)
        return -ENOMEM;
    place(b, line);
    line->heading = first || !last || last->file != line->file ||
                    last->line != line->line || last->func != line->func;
    if (array_room(&d->line, &b->room, d->count + 1, sizeof(*line)) < 0)
        return -ENOMEM;
    d->line[d->count++] = *line;
    return 0;
}

/*
 * Add one instruction; or one byte, if it is not decoded. Returns its length or
 * -ENOMEM.
 */
static int
add_insn(struct builder *b, cs_insn *insn, const unsigned char *code, size_t left,
         u64 addr, bool first)
{
    struct disasm_line line = { .addr = addr, .length = 1 };
    u64 at = addr;

    if (cs_disasm_iter(b->engine, &code, &left, &at, insn)) {
        line.length = insn->size;
        memcpy(line.bytes, insn->bytes,
               insn->size < sizeof(line.bytes) ? insn->size : sizeof(line.bytes));
        line.text = words(b, insn);
    } else {
        line.bytes[0] = *code;
        line.text = byte_words(b, *code);
    }
    return append(b, &line, first) < 0 ? -ENOMEM : (int)line.length;
}

static int
add_code(struct builder *b, cs_insn *insn, const struct objfile_symbol *symbol)
{
    u64 size = symbol->size < CODE_MAX ? symbol->size : CODE_MAX, at = 0;
    unsigned char *code = malloc(size);
    long got = code ? objfile_code(b->file, symbol->addr, code, size) : -ENOMEM;

    while (got > 0 && at < (u64)got) {
        int len = add_insn(b, insn, code + at, (size_t)got - at, symbol->addr + at,
                           !at);

        if (len < 0) {
            free(code);
            return len;
        }
        at += (u64)len;
    }
    free(code);
    return got == -ENOMEM ? -ENOMEM : 0;
}

/*
 * Add the texts of instructions, for code that is not machine code, or whose bytes are
 * not known.
 */
static int
add_texts(struct builder *b, const struct objfile_symbol *symbol)
{
    u32 first = objfile_insn_index(b->file, symbol->addr);
    struct objfile_insn insn;
    int ret = 0;

    for (u32 i = first; ret == 0 && objfile_insn_at(b->file, i, &insn) == 0 &&
                        insn.addr - symbol->addr < symbol->size; i++) {
        u64 end = symbol->addr + symbol->size;
        struct disasm_line line = { .addr = insn.addr, .is_text = true };
        struct objfile_insn next;

        if (objfile_insn_at(b->file, i + 1, &next) == 0 && next.addr < end)
            end = next.addr;
        line.length = (u32)(end - insn.addr);
        line.text = pool_text(&b->pool, insn.text, strlen(insn.text));
        ret = append(b, &line, i == first);
    }
    return ret;
}

/* Add a copy's machine code; if there is none, the texts of its instructions. */
static int
add_copy(struct builder *b, cs_insn *insn, const struct objfile_symbol *symbol)
{
    u32 before = b->disasm.count;
    int ret = add_code(b, insn, symbol);

    return ret == 0 && b->disasm.count == before ? add_texts(b, symbol) : ret;
}

/* Add all out-of-line copies, by address. */
static int
add_copies(struct builder *b)
{
    struct object *o = objects_load(b->session, b->disasm.object);
    cs_insn *insn = cs_malloc(b->engine);
    struct objfile_symbol symbol;
    int ret = insn ? 0 : -ENOMEM;

    functions_complete(b->session, b->disasm.object);
    for (u32 i = 0; ret == 0 && objfile_symbol_at(b->file, i, &symbol) == 0; i++)
        if (o->func_of_symbol[i] == b->disasm.func + 1)
            ret = add_copy(b, insn, &symbol);
    if (insn)
        cs_free(insn, 1);
    return ret == 0 && !b->disasm.count ? -ENODATA : ret;
}

static int
by_addr(const void *key, const void *element)
{
    const u64 *addr = key;
    const struct disasm_line *line = element;

    return *addr < line->addr ? -1 : *addr >= line->addr + line->length;
}

/*
 * Set the keys of frames: the innermost frame of a site gets the line of the
 * instruction that contains the site's address.
 */
static u32 *
key_sites(const struct builder *b)
{
    const struct sites *sites = &b->session->stacks->sites;
    const struct disasm *d = &b->disasm;
    u32 *key = malloc(((size_t)sites->nframes + 1) * sizeof(*key));

    if (!key)
        return NULL;
    memset(key, 0xff, ((size_t)sites->nframes + 1) * sizeof(*key));
    for (u32 i = 0; i < sites->count; i++) {
        const struct site *site = &sites->site[i];
        const struct disasm_line *line;

        if (!site->has_frames || site->object != d->object)
            continue;
        line = bsearch(&site->vaddr, d->line, d->count, sizeof(*line), by_addr);
        if (line)
            key[site->first + site->depth - 1] = (u32)(line - d->line);
    }
    return key;
}

static int
add_sums(struct builder *b)
{
    struct disasm *d = &b->disasm;
    struct sums sums;
    struct stack_tree walk;
    u32 *key;
    int ret = aggregate_open(b->session, false, &walk);

    if (ret < 0)
        return ret;
    key = key_sites(b);
    ret = key ? aggregate(&walk, key, d->count, &sums) : -ENOMEM;
    free(key);
    aggregate_close(&walk);
    if (ret < 0)
        return ret;
    for (u32 i = 0; i < d->count; i++) {
        d->line[i].excl = grid_get(&sums.excl, i);
        d->line[i].incl = grid_get(&sums.incl, i);
    }
    sums_free(&sums);
    return 0;
}

static void
mark_hot(struct disasm *d, enum metric metric, u32 threshold)
{
    int64_t largest = 0;

    for (u32 i = 0; i < d->count; i++)
        if (d->line[i].excl.v[metric] > largest)
            largest = d->line[i].excl.v[metric];
    for (u32 i = 0; i < d->count; i++)
        d->line[i].hot = is_hot(d->line[i].excl.v[metric], largest, threshold);
}

static int
build(struct session *session, u32 func, bool sums, struct disasm *out)
{
    struct builder b = { .session = session };
    struct function_info info;
    int ret;

    function_get(session, func, &info);
    b.disasm.func = func;
    b.disasm.object = info.object;
    b.file = object_file(session, info.object);
    if (!b.file || func < FUNC_PSEUDO_COUNT)
        return -ENODATA;
    ret = machine_open(b.file, &b.engine);
    if (ret < 0)
        return ret;
    ret = add_copies(&b);
    cs_close(&b.engine);
    if (ret == 0 && sums)
        ret = add_sums(&b);
    b.disasm.memory = b.pool;
    if (ret < 0) {
        disasm_free(&b.disasm);
        return ret;
    }
    *out = b.disasm;
    return 0;
}

int
disasm_text(struct session *session, u32 func, struct disasm *out)
{
    return build(session, func, false, out);
}

int
disasm_function(struct session *session, u32 func, enum metric metric, u32 threshold,
                struct disasm *out)
{
    int ret = build(session, func, true, out);

    if (ret == 0)
        mark_hot(out, metric, threshold);
    return ret;
}

static bool
is_part_of(const struct builder *b, u64 addr, u32 func)
{
    struct objfile_inline chain[SITE_INLINES_MAX];
    u32 depth = objfile_inlines(b->file, addr, chain, SITE_INLINES_MAX);

    for (u32 i = 0; i < depth && i < SITE_INLINES_MAX; i++)
        if (functions_of_decl(b->session, b->disasm.object, chain[i].func) == func)
            return true;
    return false;
}

/*
 * The function whose inlined calls of func have the largest sum of `metric`; 0 = all
 * sums are 0. sum: by function, zeros at first.
 */
static u32
largest_sum(const struct builder *b, const struct rows *rows, enum metric metric,
            u32 func, int64_t *sum)
{
    u32 best = 0;

    for (u32 i = 0; i < rows->count; i++) {
        const struct row *row = &rows->row[i];

        if (row->object != b->disasm.object || row->func == func ||
            !is_part_of(b, row->addr, func))
            continue;
        sum[row->func] += row->incl.v[metric];
        if (sum[row->func] > sum[best])
            best = row->func;
    }
    return best;
}

int
disasm_home(struct session *session, u32 func, enum metric metric, u32 *home)
{
    const struct order order = { ORDER_ADDRESS, 0, FLAVOUR_EXCLUSIVE, false };
    struct builder b = { .session = session };
    struct function_info info;
    struct rows rows = { 0 };
    int64_t *sum = NULL;
    u32 best = 0;
    int ret;

    function_get(session, func, &info);
    b.disasm.object = info.object;
    b.file = object_file(session, info.object);
    if (!b.file || func < FUNC_PSEUDO_COUNT)
        return -ENODATA;
    ret = view_pcs(session, &order, &rows);
    if (ret == 0)
        sum = calloc((size_t)function_count(session) + 1, sizeof(*sum));
    if (ret == 0)
        ret = sum ? 0 : -ENOMEM;
    if (ret == 0)
        best = largest_sum(&b, &rows, metric, func, sum);
    free(sum);
    rows_free(&rows);
    if (ret == 0 && !best)
        ret = -ENODATA;
    if (ret == 0)
        *home = best;
    return ret;
}

void
disasm_free(struct disasm *disasm)
{
    free(disasm->line);
    pool_free(disasm->memory);
    memset(disasm, 0, sizeof(*disasm));
}

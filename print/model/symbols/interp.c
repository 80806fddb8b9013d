/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/interp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/base/pool.h"
#include "print/model/symbols/codelines.h"
#include "print/model/symbols/files.h"
#include "print/model/symbols/object.h"
#include "print/model/symbols/pymodule.h"

struct key {
    const struct interp *interp;
    const struct recorded_code *row;
    u32 object;
};

int
interp_open(struct session *session)
{
    session->interp = calloc(1, sizeof(*session->interp));
    return session->interp ? 0 : -ENOMEM;
}

void
interp_close(struct interp *interp)
{
    if (!interp)
        return;
    free(interp->code);
    hash_free(&interp->hash);
    pool_free(interp->pool);
    free(interp);
}

static bool
same_code(const void *context, u32 index)
{
    const struct key *key = context;
    const struct interp_code *code = &key->interp->code[index];
    const struct recorded_code *a = &code->row, *b = key->row;

    return code->object == key->object && a->kind == b->kind && a->line == b->line &&
           a->table == b->table && a->size == b->size && !strcmp(a->name, b->name) &&
           (a->table == CODE_NO_LINES || !memcmp(a->lines, b->lines, a->size));
}

/*
 * The path of a code's source file, made absolute if the log has the process's working
 * directory. The caller frees it; NULL = no memory.
 */
static char *
path_of(const struct experiment *e, const struct recorded_code *row)
{
    const char *dir = log_fact(&e->log, "process", "wd");
    char *path;

    if (!*row->file)
        return strdup("<Python>");
    if (*row->file == '/' || *row->file == '<' || !dir || !*dir)
        return strdup(row->file);
    return asprintf(&path, "%s/%s", dir, row->file) < 0 ? NULL : path;
}

/*
 * The source file of a frozen module of Python's library, for free(). Its directory is
 * that of any other file of the library. NULL: not a frozen module, no other file, or
 * no memory.
 */
static char *
frozen_text(const struct experiment *e, const struct recorded_code *row)
{
    char *path = NULL;

    if (*row->file != '<' || row->kind != CODE_PYTHON)
        return NULL;
    for (u32 i = 0; i < e->codes.count && !path; i++)
        path = pymodule_frozen(row->file, e->codes.row[i].file);
    return path;
}

static int
object_of(struct session *session, u32 experiment, const struct recorded_code *row,
          u32 *object)
{
    char *path = path_of(session->experiment[experiment], row), *frozen;
    int ret = path ? objects_interpreted(session, path, object) : -ENOMEM;

    if (ret == 0 && *row->file && !session->objects->object[*object].source) {
        frozen = frozen_text(session->experiment[experiment], row);
        session->objects->object[*object].source =
            files_number(session, frozen ? frozen : path);
        free(frozen);
    }
    free(path);
    return ret;
}

/* Copy a code into memory of the session, since its experiment may be dropped. */
static int
keep(struct interp *interp, const struct recorded_code *row, struct recorded_code *out)
{
    *out = *row;
    out->name = pool_text(&interp->pool, row->name, strlen(row->name));
    out->file = pool_text(&interp->pool, row->file, strlen(row->file));
    if (row->table == CODE_NO_LINES)
        out->lines = NULL;
    else
        out->lines = (unsigned char *)pool_text(&interp->pool, (const char *)row->lines,
                                                row->size);
    return out->name && out->file && (out->lines || !row->table) ? 0 : -ENOMEM;
}

/*
 * Is the object's file the script with which any process was started? (multiprocessing
 * also loads the script in other processes.)
 */
static bool
is_script(const struct session *session, u32 object)
{
    const char *path = session->objects->object[object].path;

    for (u32 i = 0; i < session->nexperiments; i++)
        if (pymodule_is_script(&session->experiment[i]->log, path))
            return true;
    return false;
}

int
interp_number(struct session *session, u32 experiment,
              const struct recorded_code *row, u32 *number)
{
    struct interp *interp = session->interp;
    struct interp_code new = { .func = 0 };
    struct key key = { interp, row, 0 };
    u32 value, at;

    if (object_of(session, experiment, row, &new.object) < 0)
        return -ENOMEM;
    key.object = new.object;
    value = (u32)hash_str((u64)new.object << 32 | row->line, row->name);
    at = hash_find(&interp->hash, value, same_code, &key);
    if (at == HASH_NONE) {
        if (keep(interp, row, &new.row) < 0 ||
            array_room(&interp->code, &interp->room, interp->count + 1, sizeof(new)) <
                0 ||
            hash_add(&interp->hash, value, interp->count) < 0)
            return -ENOMEM;
        new.script = row->kind == CODE_PYTHON && is_script(session, new.object);
        at = interp->count++;
        interp->code[at] = new;
    }
    *number = at;
    return 0;
}

bool
interp_is_object(const struct session *session, u32 object)
{
    return object < session->objects->count &&
           session->objects->object[object].interpreted;
}

char *
interp_name(const struct session *session, const struct interp_code *code)
{
    const struct object *o = &session->objects->object[code->object];
    const char *name = code->row.name;
    char *module = NULL, *text;
    int ret;

    if (!*name)
        return strdup("<Unknown>");
    if (code->row.kind != CODE_PYTHON)
        return strdup(name);
    if (!code->script)
        module = pymodule_name(o->path);
    if (!strcmp(name, "<module>"))
        ret = asprintf(&text, "<module> (%s)", module ? module : o->name);
    else
        ret = asprintf(&text, "%s%s%s", module ? module : "", module ? "." : "", name);
    free(module);
    return ret < 0 ? NULL : text;
}

u32
interp_line(const struct session *session, u64 vaddr)
{
    u64 number = vaddr >> CODE_INDEX_BITS;
    u32 index = (u32)(vaddr & ((1u << CODE_INDEX_BITS) - 1));

    if (number >= session->interp->count)
        return 0;
    return codelines_of(&session->interp->code[number].row, index);
}

u64
interp_offset(const struct session *session, u64 vaddr)
{
    u64 number = vaddr >> CODE_INDEX_BITS;
    u64 index = vaddr & ((1u << CODE_INDEX_BITS) - 1);

    if (number >= session->interp->count)
        return index;
    return session->interp->code[number].row.kind == CODE_PYTHON ? index * 2 : index;
}

u32
interp_file(const struct session *session, u32 object)
{
    return interp_is_object(session, object) ? session->objects->object[object].source
                                             : 0;
}

const char *
interp_language(const struct session *session, u32 func)
{
    const struct interp *interp = session->interp;

    for (u32 i = 0; i < interp->count; i++)
        if (interp->code[i].func == func)
            return "Python";
    return NULL;
}

u32
interp_last_line(const struct session *session, u32 func, u32 last)
{
    struct codelines l;

    for (u32 i = 0; i < session->interp->count; i++) {
        if (session->interp->code[i].func != func)
            continue;
        codelines_open(&l, &session->interp->code[i].row);
        while (codelines_next(&l))
            last = l.line > last ? l.line : last;
    }
    return last;
}

int
interp_lines(const struct session *session, u32 file,
             int (*line)(void *context, u32 line), void *context)
{
    struct codelines l;
    int ret = 0;

    for (u32 i = 0; i < session->interp->count; i++) {
        const struct interp_code *code = &session->interp->code[i];

        if (interp_file(session, code->object) != file)
            continue;
        codelines_open(&l, &code->row);
        while (ret == 0 && codelines_next(&l))
            if (l.line)
                ret = line(context, l.line);
    }
    return ret;
}

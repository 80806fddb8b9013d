/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/functions.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/symbols/briefname.h"
#include "print/model/demangle.h"
#include "print/model/symbols/files.h"
#include "print/model/symbols/interp.h"
#include "print/model/symbols/object.h"

static const char *const pseudo_names[FUNC_PSEUDO_COUNT] = {
    "<Total>", "<Unknown>",       "<Truncated-stack>", "<startup>",
    "<exit>",  "<unattributed>", "<omitted>",
    "<unattributed wait>", "<collector>", "<OMP-implicit_barrier>", "<OMP-idle>",
};

/* The members that identify a function, of which there may be several copies. */
struct key {
    const struct functions *functions;
    const char *linkage;
    u32 object;
    u32 decl_file;
    u32 line; /* of it, where name and file do not suffice, or 0 */
};

static bool
same_decl(const void *context, u32 index)
{
    const struct key *key = context;
    const struct function *f = &key->functions->function[index];

    return f->object == key->object && f->decl_file == key->decl_file &&
           (!key->line || f->line == key->line) && !strcmp(f->linkage, key->linkage);
}

static u32
hash_decl(const struct key *key)
{
    return (u32)hash_str((u64)key->object << 32 | key->decl_file, key->linkage) +
           key->line;
}

static int
append(struct functions *functions, const struct function *new, u32 *id)
{
    if (array_room(&functions->function, &functions->room, functions->count + 1,
                   sizeof(*new)) < 0)
        return -ENOMEM;
    *id = functions->count;
    functions->function[functions->count++] = *new;
    return 0;
}

int
functions_open(struct session *session)
{
    struct functions *functions = calloc(1, sizeof(*functions));

    session->functions = functions;
    if (!functions)
        return -ENOMEM;
    for (u32 i = 0; i < FUNC_PSEUDO_COUNT; i++) {
        struct function f = { .linkage = pseudo_names[i] };
        u32 id;

        if (append(functions, &f, &id) < 0)
            return -ENOMEM;
    }
    return 0;
}

void
functions_close(struct functions *functions)
{
    if (!functions)
        return;
    free(functions->function);
    hash_free(&functions->decls);
    pool_free(functions->pool);
    free(functions);
}

/*
 * The line that tells apart functions of made code with one name, as methods of
 * JavaScript classes are; 0 = the name suffices. Names of Java methods have the types
 * of their arguments, and their lines may differ.
 */
static u32
key_line(struct session *session, u32 object, const struct objfile_func *decl)
{
    bool made = session->objects->object[object].kind == MAP_JIT;

    return made && !strchr(decl->linkage, '(') ? decl->decl_line : 0;
}

/* The function of a declaration, made if it is new; FUNC_UNKNOWN: no memory. */
static u32
decl_function(struct session *session, u32 object, const struct objfile_func *decl)
{
    struct functions *functions = session->functions;
    struct key key = { functions, decl->linkage, object, decl->decl_file,
                       key_line(session, object, decl) };
    struct function new = {
        .object = object,
        .linkage = decl->linkage,
        .decl_file = decl->decl_file,
        .line = decl->decl_line,
        .copies = true,
    };
    u32 value = hash_decl(&key);
    u32 at = hash_find(&functions->decls, value, same_decl, &key);

    if (at == HASH_NONE && (append(functions, &new, &at) < 0 ||
                            hash_add(&functions->decls, value, at) < 0))
        return FUNC_UNKNOWN;
    functions->function[at].inlined |= decl->inlined;
    return at;
}

/*
 * The function of interpreted code that begins at that line; 0 = no memory. Functions
 * of a file may have the same name; the key tells them apart by their lines.
 */
static u32
interpreted(struct session *session, u32 object, const char *name, u32 line)
{
    struct functions *functions = session->functions;
    struct key key = { functions, name, object, line, 0 };
    struct function new = { .object = object, .decl_file = line, .line = line };
    u32 value = hash_decl(&key);
    u32 at = hash_find(&functions->decls, value, same_decl, &key);

    if (at != HASH_NONE)
        return at;
    new.linkage = pool_text(&functions->pool, name, strlen(name));
    if (!new.linkage || append(functions, &new, &at) < 0 ||
        hash_add(&functions->decls, value, at) < 0)
        return 0;
    return at;
}

/*
 * The function of an address in interpreted code; FUNC_UNKNOWN: no such code, or no
 * memory.
 */
static u32
of_code(struct session *session, u64 vaddr)
{
    u64 number = vaddr >> CODE_INDEX_BITS;
    struct interp_code *code;

    if (number >= session->interp->count)
        return FUNC_UNKNOWN;
    code = &session->interp->code[number];
    if (!code->func) {
        char *name = interp_name(session, code);

        if (name)
            code->func = interpreted(session, code->object, name, code->row.line);
        free(name);
    }
    return code->func ? code->func : FUNC_UNKNOWN;
}

void
functions_add_code(struct session *session)
{
    u32 number;

    for (u32 i = 0; i < session->nexperiments; i++) {
        struct experiment *e = session->experiment[i];

        if (!log_find_event(&e->log, "python") || experiment_codes(e) < 0)
            continue;
        for (u32 c = 0; c < e->codes.count; c++)
            if (interp_number(session, i, &e->codes.row[c], &number) == 0)
                of_code(session, code_place(number, 0));
    }
}

/* Make a function of a symbol that shares its declaration with no other symbol. */
static u32
symbol_function(struct session *session, u32 object,
                const struct objfile_symbol *symbol)
{
    struct functions *functions = session->functions;
    struct function new = {
        .object = object,
        .linkage = symbol->name,
        .decl_file = symbol->decl_file,
        .line = symbol->decl_line,
    };
    u32 id;

    if (!*new.linkage) {
        char text[512];
        const char *name = objfile_symbol_name(
            symbol, session->objects->object[object].path, text, sizeof(text));

        new.linkage = pool_text(&functions->pool, name, strlen(name));
    }
    if (!new.linkage || append(functions, &new, &id) < 0)
        return FUNC_UNKNOWN;
    return id;
}

static void
add_copy(struct function *f, const struct objfile_symbol *symbol)
{
    if (!f->size || symbol->addr < f->addr)
        f->addr = symbol->addr;
    f->size += symbol->size;
}

/*
 * Make the function of a symbol; FUNC_UNKNOWN: no memory. Fragments (.cold, .part) are
 * functions of their own: they have the same declaration as the whole function, but are
 * other code at another place. Made code with the same name is the same function,
 * compiled again, even if its file is not known.
 */
static u32
new_function(struct session *session, u32 object, const struct objfile_symbol *symbol)
{
    const struct objfile *file = session->objects->object[object].file;
    struct objfile_func decl;

    bool made = session->objects->object[object].kind == MAP_JIT;

    if (!symbol->func || symbol->flags & OBJFILE_SYM_PART || !*symbol->name ||
        objfile_func(file, symbol->func, &decl) < 0 || (!decl.decl_file && !made))
        return symbol_function(session, object, symbol);
    decl.linkage = symbol->name;
    return decl_function(session, object, &decl);
}

/* The function of a symbol, made if it is new; FUNC_UNKNOWN: no memory. */
static u32
of_symbol(struct session *session, u32 object, const struct objfile_symbol *symbol)
{
    struct object *o = objects_load(session, object);
    u32 *known = &o->func_of_symbol[symbol->index];

    if (!*known) {
        u32 id = new_function(session, object, symbol);

        if (id >= FUNC_PSEUDO_COUNT)
            add_copy(&session->functions->function[id], symbol);
        *known = id + 1;
    }
    return *known - 1;
}

u32
functions_of_decl(struct session *session, u32 object, u32 decl)
{
    struct object *o = objects_load(session, object);
    struct objfile_func func;

    if (objfile_func(o->file, decl, &func) < 0)
        return FUNC_UNKNOWN;
    if (!o->func_of_decl[decl])
        o->func_of_decl[decl] = decl_function(session, object, &func) + 1;
    return o->func_of_decl[decl] - 1;
}

void
functions_complete(struct session *session, u32 object)
{
    struct object *o = objects_load(session, object);
    struct objfile_symbol symbol;

    if (o->complete || !o->file)
        return;
    o->complete = true;
    for (u32 i = 0; objfile_symbol_at(o->file, i, &symbol) == 0; i++)
        of_symbol(session, object, &symbol);
}

void
functions_measure(struct session *session, u32 function)
{
    const struct function *f = &session->functions->function[function];

    if (f->copies)
        functions_complete(session, f->object);
}

/*
 * The function that stands for an object's code, or a part of it: *made, which is made
 * and set at the first call. Its name is `open`, `title` and `close`. FUNC_UNKNOWN: it
 * is object 0, or no memory.
 */
static u32
stand_in(struct session *session, u32 object, const char *open, const char *title,
         const char *close, u32 *made)
{
    struct functions *functions = session->functions;
    struct function new = { .object = object };
    char name[256];

    if (*made || !object)
        return *made ? *made : FUNC_UNKNOWN;
    snprintf(name, sizeof(name), "%s%s%s", open, title, close);
    new.linkage = pool_text(&functions->pool, name, strlen(name));
    if (!new.linkage || append(functions, &new, made) < 0)
        return FUNC_UNKNOWN;
    return *made;
}

/* The function that stands for code of an object that belongs to no known function. */
static u32
unknown_of(struct session *session, u32 object)
{
    struct object *o = &session->objects->object[object];

    return stand_in(session, object, "<Unknown> (", o->name, ")", &o->unknown);
}

u32
functions_hidden(struct session *session, u32 object)
{
    struct object *o = &session->objects->object[object];

    return stand_in(session, object, "<", o->title, ">", &o->hidden);
}

bool
function_is_hidden(const struct session *session, u32 function)
{
    u32 object;

    if (function >= session->functions->count)
        return false;
    object = session->functions->function[function].object;
    return function && session->objects->object[object].hidden == function;
}

const char *
function_language(const struct session *session, u32 function)
{
    return interp_language(session, function);
}

u32
function_at(struct session *session, u32 object, u64 vaddr)
{
    struct object *o;
    struct objfile_symbol symbol;

    if (object >= session->objects->count)
        return FUNC_UNKNOWN;
    if (interp_is_object(session, object))
        return of_code(session, vaddr);
    o = objects_load(session, object);
    /*
     * Try the next address, too. A frame may return to the first instruction of a
     * signal trampoline, or of the code at a coroutine's end, which nobody has called.
     * Then vaddr, the return address less one, is before the symbol.
     */
    if (!o->file || (objfile_symbol(o->file, vaddr, &symbol) < 0 &&
                     objfile_symbol(o->file, vaddr + 1, &symbol) < 0))
        return unknown_of(session, object);
    return of_symbol(session, object, &symbol);
}

u32
function_count(const struct session *session)
{
    return session->functions->count;
}

void
function_get(struct session *session, u32 function, struct function_info *out)
{
    const struct function *f;

    if (function >= session->functions->count)
        function = FUNC_UNKNOWN;
    functions_measure(session, function);
    f = &session->functions->function[function];
    *out = (struct function_info){
        .object = f->object,
        .linkage = f->linkage,
        .addr = f->addr,
        .size = f->size,
        .file = interp_is_object(session, f->object)
                    ? interp_file(session, f->object)
                    : files_of_object(session, f->object, f->decl_file),
        .line = f->line,
        .inlined = f->inlined,
    };
}

bool
function_offset(struct session *session, u32 function, u64 addr, u64 *offset)
{
    struct function_info f;

    function_get(session, function, &f);
    if (interp_is_object(session, f.object)) {
        *offset = interp_offset(session, addr);
        return true;
    }
    *offset = addr - f.addr;
    return f.addr && addr >= f.addr && *offset < f.size;
}

static const char *
demangled(struct functions *functions, struct function *f, enum name_style style)
{
    char *name = demangle(f->linkage, style == NAME_LONG);
    const char *copy = f->linkage;
    char *brief = NULL;

    if (style == NAME_BRIEF)
        brief = briefname(name ? name : f->linkage, f->line);

    if (brief) {
        free(name);
        name = brief;
    }
    if (name)
        copy = pool_text(&functions->pool, name, strlen(name));
    free(name);
    return copy ? copy : f->linkage;
}

const char *
function_name_styled(struct session *session, u32 function, enum name_style style)
{
    struct functions *functions = session->functions;
    struct function *f;

    if (function >= functions->count)
        function = FUNC_UNKNOWN;
    f = &functions->function[function];
    if (style >= NAME_MANGLED)
        return f->linkage;
    if (!f->name[style])
        f->name[style] = demangled(functions, f, style);
    return f->name[style];
}

const char *
function_name(struct session *session, u32 function)
{
    return function_name_styled(session, function, session->names);
}

const char *
function_title(struct session *session, u32 function)
{
    const char *name = function_name(session, function), *kept;
    char *title;
    u32 object;

    if (!session->soname || function < FUNC_PSEUDO_COUNT ||
        function >= session->functions->count)
        return name;
    object = session->functions->function[function].object;
    if (asprintf(&title, "%s [%s]", name, session->objects->object[object].name) < 0)
        return name;
    kept = pool_text(&session->functions->pool, title, strlen(title));
    free(title);
    return kept ? kept : name;
}

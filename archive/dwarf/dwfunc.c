/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/dwarf/dwfunc.h"

#include <stdio.h>
#include <stdlib.h>

#include "archive/dwarf/dwscope.h"

#define HOPS_MAX 16   /* origins and specifications in a row; ends cycles */
#define LEVELS_MAX 64 /* nested scopes in a name */

struct names {
    const char *name;
    const char *linkage;
    u32 file;
    u32 line;
    struct dwvalue next; /* reference to the origin or specification; form 0: none */
    struct dwunit *unit; /* unit of the last DIE read */
    u64 die;             /* offset of the last DIE's attributes */
};

/* A name that is being put together; a part that does not fit is left out. */
struct text {
    char at[2048];
    size_t used;
};

/*
 * Takes from one DIE the names and the line that are not known yet; also the file, if
 * `line` is given.
 */
static void
gather(struct names *n, struct dwline *line, struct dwunit *u, const struct dwabbrev *a,
       struct cursor *c)
{
    u64 file = 0;
    bool has_file = false;

    n->next.form = 0;
    for (u32 i = 0; i < a->count; i++) {
        const struct dwattr *attr = &u->abbrevs->attrs[a->first + i];
        struct dwvalue v;

        dwform_read(u, c, attr, &v);
        switch (attr->name) {
        case DW_AT_name:
            if (!n->name)
                n->name = dwform_string(u, &v);
            break;
        case DW_AT_linkage_name:
        case DW_AT_MIPS_linkage_name:
            if (!n->linkage)
                n->linkage = dwform_string(u, &v);
            break;
        case DW_AT_decl_file:
            file = v.number;
            has_file = true;
            break;
        case DW_AT_decl_line:
            if (!n->line)
                n->line = v.number < OBJ_INLINED ? (u32)v.number : 0;
            break;
        case DW_AT_abstract_origin:
        case DW_AT_specification:
            n->next = v;
            break;
        }
    }
    if (line && has_file && !n->file)
        n->file = dwline_file(line, u, file);
}

/* Takes names from a DIE, then from the DIE to which it refers, and so on. */
static void
follow(struct names *n, struct dwline *line, struct dwunit *u,
       const struct dwabbrev *a, u64 attrs)
{
    struct cursor c = dwfile_cursor(u, attrs);
    u64 die;

    for (u32 hops = 0; a && hops < HOPS_MAX; hops++) {
        n->unit = u;
        n->die = (u64)(c.at - u->file->info.at);
        gather(n, line, u, a, &c);
        u = dwfile_reference(u, &n->next, &die);
        if (!u)
            break;
        c = dwfile_cursor(u, die);
        a = dwfile_abbrev(u, &c);
    }
}

static void
put(struct text *t, const char *s)
{
    size_t n = strlen(s);

    if (n < sizeof(t->at) - t->used) {
        memcpy(t->at + t->used, s, n + 1);
        t->used += n;
    }
}

/*
 * Appends the scopes around a DIE, outermost first, each followed by "::". A class
 * without a name, such as a lambda's, is named by its line if that is known.
 */
static void
put_scopes(struct text *t, struct dwunit *u, u64 die, u32 level)
{
    const struct dwscope *s = dwscope_around(u, die);
    struct names n = {0};
    char unnamed[64];

    if (!s || level == LEVELS_MAX)
        return;
    follow(&n, NULL, u, s->abbrev, s->die);
    put_scopes(t, n.unit, n.die, level + 1);
    snprintf(unnamed, sizeof(unnamed), "(anonymous at line %u)", n.line);
    if (n.line == 0)
        strcpy(unnamed, "(anonymous)");
    if (!n.name)
        n.name = s->tag == DW_TAG_namespace ? "(anonymous namespace)" : unnamed;
    put(t, n.name);
    put(t, "::");
}

/*
 * The name of a function without a linkage name. It includes the scopes of a member of
 * a namespace or a class, but not those of a function in a function (C, Fortran).
 */
static u32
scoped_name(struct objwrite *w, const struct names *n)
{
    const struct dwscope *s = dwscope_around(n->unit, n->die);
    struct text t = {.used = 0};

    if (!s || s->tag == DW_TAG_subprogram)
        return objwrite_string(w, n->name);
    put_scopes(&t, n->unit, n->die, 0);
    put(&t, n->name);
    return objwrite_string(w, t.at);
}

static u32
to_row(struct objwrite *w, const struct names *n)
{
    const char *name = n->name ? n->name : n->linkage;
    struct obj_func row = {.file = n->file, .line = n->line};

    if (!name || !name[0])
        return 0;
    row.name = n->linkage ? objwrite_string(w, name) : scoped_name(w, n);
    if (n->linkage && strcmp(n->linkage, name) != 0)
        row.linkage = objwrite_string(w, n->linkage);
    return objwrite_func(w, &row);
}

/*
 * Gives a lambda's operator() the line of the lambda's nameless class, since gcc writes
 * a line only for the class.
 */
static void
find_line(struct names *n, struct dwline *line)
{
    const struct dwscope *s;
    struct names class = {0};

    if (n->line || !n->name || strcmp(n->name, "operator()") != 0)
        return;
    s = dwscope_around(n->unit, n->die);
    if (!s)
        return;
    follow(&class, line, n->unit, s->abbrev, s->die);
    if (class.name)
        return;
    n->line = class.line;
    n->file = class.file;
}

u32
dwfunc_at(struct objwrite *w, struct dwline *line, struct dwunit *u,
          const struct dwabbrev *a, u64 attrs)
{
    struct names n = {0};

    follow(&n, line, u, a, attrs);
    find_line(&n, line);
    return to_row(w, &n);
}

u32
dwfunc_referred(struct objwrite *w, struct dwline *line, struct dwunit *u,
                const struct dwvalue *origin)
{
    const struct dwabbrev *a;
    struct cursor c;
    bool known = false;
    u32 *place;
    u64 die;

    u = dwfile_reference(u, origin, &die);
    if (!u)
        return 0;
    place = dwmemo_place(&u->file->funcs, die, &known);
    if (known)
        return *place;
    c = dwfile_cursor(u, die);
    a = dwfile_abbrev(u, &c);
    if (!place || !a)
        return 0;
    *place = dwfunc_at(w, line, u, a, (u64)(c.at - u->file->info.at));
    return *place;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/indexes.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "print/cmd/list.h"
#include "print/cmd/title.h"
#include "print/model/absent.h"
#include "print/model/classes.h"
#include "print/model/lookup/ompplaces.h"
#include "print/model/programs.h"
#include "print/model/symbols/frametext.h"

static const struct index_type predefined[] = {
#define ER_INDEX(name, kind, first, second, form, title, doc)               \
    { #name, INDEX_##kind, { { first, second }, INDEX_##form, INDEX_ALL }, title, \
      doc, NULL, NULL },
#include "print/indexes.def"
#undef ER_INDEX
};

enum { PREDEFINED = ER_COUNT(predefined) };

/* Get the type with an index: first come the predefined types, then the user's. */
static const struct index_type *
type_at(const struct shell *sh, u32 i)
{
    return i < PREDEFINED ? &predefined[i] : &sh->types[i - PREDEFINED];
}

static struct index_def
keys_of(const struct index_type *type)
{
    struct index_def def = type->def;

    for (u32 i = 0; i < INDEX_KEYS; i++)
        if (def.key[i] && !*def.key[i])
            def.key[i] = NULL;
    return def;
}

/*
 * Find a type by name, in upper or lower case; a beginning that only one type has is
 * enough. NULL, after a message: there is none, or several.
 */
static const struct index_type *
find_type(struct shell *sh, enum index_kind kind, const char *name)
{
    const struct index_type *found = NULL;
    size_t len = strlen(name);
    const char *why;
    bool several = false;

    for (u32 i = 0; i < PREDEFINED + sh->ntypes; i++) {
        const struct index_type *type = type_at(sh, i);

        if (type->kind != kind || strncasecmp(type->name, name, len))
            continue;
        if (strlen(type->name) == len)
            return type;
        several |= found != NULL;
        found = type;
    }
    if (found && !several && len)
        return found;
    why = absent_why(ABSENT_INDEX, name, len);
    if (why && !several)
        shell_fail(sh, "there is no type \"%s\": %s", name, why);
    else
        shell_fail(sh, several ? "\"%s\" is short for several types; %s lists them"
                           : "there is no type \"%s\"; %s lists them",
               name, kind == INDEX_EVENTS ? "indxobj_list" : "mobj_list");
    return NULL;
}

static void
put_region(const struct shell *sh, FILE *f, int64_t v)
{
    char *path = filter_region(sh->session, v);

    fputs(path ? path : "", f);
    free(path);
}

static void
put_place(const struct shell *sh, FILE *f, enum ompplace_kind kind, int64_t v)
{
    u32 node = ompplaces_node(sh->session, kind, (u64)v);
    struct stack_frame frame;

    if (node && frametext_place(sh->session, node, &frame) == 0)
        frametext_put(sh->session, &frame, f);
}

static void
put_value(const struct shell *sh, FILE *f, enum index_form form, int64_t v)
{
    char name[TITLE_MAX];

    if (form == INDEX_CLASS && classes_name(sh->session, (u64)v))
        fputs(classes_name(sh->session, (u64)v), f);
    else if (form == INDEX_COMM)
        fputs(title_comm(sh->session, (u64)v, name), f);
    else if (form == INDEX_CALL)
        fputs(title_mpi_call((u64)v, name), f);
    else if (form == INDEX_PROGRAM && v > 0 && (u64)v <= sh->session->nexperiments)
        fputs(programs_name(sh->session->experiment[v - 1]), f);
    else if (form == INDEX_OMP_REGION || form == INDEX_OMP_TASK)
        put_place(sh, f, form == INDEX_OMP_TASK ? OMPPLACE_TASK : OMPPLACE_REGION, v);
    else if (form == INDEX_REGION)
        put_region(sh, f, v);
    else if (form == INDEX_HEX)
        fprintf(f, "0x%llx", (unsigned long long)v);
    else if (form == INDEX_POWER && v > 1)
        fprintf(f, "%lld to %llu", (long long)v, 2 * (unsigned long long)v - 1);
    else
        fprintf(f, "%lld", (long long)v);
}

/* Write an index object's title into buf, of `size` bytes. */
static void
put_title(const struct shell *sh, const struct index_type *type,
          const struct index_key *key, char *buf, size_t size)
{
    struct index_def def = keys_of(type);
    FILE *f = fmemopen(buf, size, "w");

    buf[0] = '\0';
    if (!f)
        return;
    for (const char *p = key->known ? type->title : "<none>"; *p; p++) {
        u32 i = *p == '%' && (p[1] == '1' || p[1] == '2') ? (u32)(p[1] - '1') : 9;

        if (i == 9) {
            putc(*p, f);
            continue;
        }
        put_value(sh, f, i == 1 || !def.key[1] ? def.form : INDEX_PLAIN, key->v[i]);
        p++;
    }
    if (key->known && def.key[0])
        title_put(sh, def.key[0], key->v[0], def.key[1], key->v[1], f);
    fclose(f);
    buf[size - 1] = '\0';
}

static void
add_row(const struct mcols *m, const u32 *column, const char *name,
        const struct index_key *key, const struct values *value,
        const struct values *whole)
{
    struct mcols_values v = { .excl = value, .incl = value, .whole = whole };

    table_row(m->table, 0);
    mcols_fill(m, &v);
    table_text(m->table, column[0], name);
    for (u32 i = 1; i <= 2; i++)
        if (column[i] && key && key->known)
            table_number(m->table, column[i], (u64)key->v[i - 1]);
}

static void
add_rows(struct shell *sh, struct table *t, const struct index_type *type,
         const struct index_rows *rows)
{
    static const char *const keys[] = { "name", "key", "key2" };
    struct index_def def = keys_of(type);
    u32 column[3] = { 0 }, n;
    struct mcols m;

    mcols_before(&m, sh, t, MCOLS_PLACES);
    column[0] = table_column(t, keys[0], "Name", "", COL_TEXT, 0);
    for (u32 i = 1; i <= 2; i++)
        if (def.key[i - 1])
            column[i] = table_column(t, keys[i], def.key[i - 1], "", COL_COUNT,
                                     COL_DATA_ONLY);
    mcols_after(&m);
    add_row(&m, column, "<Total>", NULL, &rows->total, &rows->total);
    n = shell_limit(sh, t, rows->count);
    for (u32 i = 0; i < n; i++) {
        char title[256];

        put_title(sh, type, &rows->row[i].key, title, sizeof(title));
        add_row(&m, column, title, &rows->row[i].key, &rows->row[i].value,
                &rows->total);
    }
}

int
indexes_show(struct shell *sh, enum index_kind kind, const char *command,
             const char *name)
{
    const struct index_type *type = find_type(sh, kind, name);
    struct order order = list_order(sh);
    struct filter_error error;
    struct index_def def;
    struct index_rows rows;
    struct table *t;
    int err;

    if (!type)
        return 1;
    def = keys_of(type);
    if (!def.key[0])
        return allocations_show(sh, command, type->name);
    err = index_build(sh->session, &def, &rows, &error);
    if (err)
        return shell_fail_errno(sh, err, type->name);
    index_sort(&rows, &order);
    t = list_table(command, type->name, &order);
    add_rows(sh, t, type, &rows);
    index_free(&rows);
    return shell_show(sh, t);
}

int
indexes_list(struct shell *sh, enum index_kind kind, const char *command)
{
    struct table *t = table_new(command, LAYOUT_COLUMNS);
    u32 name = table_column(t, "name", "Type", "", COL_TEXT, 0);
    u32 expr = table_column(t, "expression", "Expression", "", COL_TEXT, 0);
    u32 doc = table_column(t, "doc", "What its objects are", "", COL_TEXT, 0);

    for (u32 i = 0; i < PREDEFINED + sh->ntypes; i++) {
        const struct index_type *type = type_at(sh, i);
        struct index_def def = keys_of(type);

        if (type->kind != kind)
            continue;
        table_row(t, 0);
        table_text(t, name, type->name);
        table_format(t, expr, "%s%s%s", def.key[0] ? def.key[0] : "",
                     def.key[1] ? ", " : "", def.key[1] ? def.key[1] : "");
        table_text(t, doc, type->doc);
    }
    return shell_show(sh, t);
}

static bool
is_name(const char *name)
{
    bool good = isalpha((unsigned char)*name);

    for (const char *p = name; *p; p++)
        good &= isalnum((unsigned char)*p) || *p == '_';
    return good;
}

/* The type with that name and kind that the user has defined, NULL if there is none. */
static struct index_type *
own_type(const struct shell *sh, enum index_kind kind, const char *name)
{
    for (u32 i = 0; i < sh->ntypes; i++)
        if (sh->types[i].kind == kind && !strcasecmp(sh->types[i].name, name))
            return &sh->types[i];
    return NULL;
}

int
indexes_define(struct shell *sh, enum index_kind kind, const char *name,
               const char *expression)
{
    struct index_type *type = own_type(sh, kind, name);
    struct filter_error error;
    int err;

    if (!is_name(name))
        return shell_fail(sh, "\"%.80s\" is no name: only letters, digits and _ may "
                              "stand in it", name);
    for (u32 i = 0; i < PREDEFINED; i++)
        if (predefined[i].kind == kind && !strcasecmp(predefined[i].name, name))
            return shell_fail(sh, "%s is there already", predefined[i].name);
    err = filter_check(sh->session, expression, &error);
    if (err == -EINVAL)
        return shell_fail_at(sh, expression, error.column, error.text);
    if (err)
        return shell_fail_errno(sh, err, name);
    if (type) {
        free(type->own_key);
    } else {
        sh->types = mem_grow(sh->types, sh->ntypes, sizeof(*sh->types));
        type = &sh->types[sh->ntypes++];
        *type = (struct index_type){ .kind = kind, .title = "%1",
                                     .doc = "defined by the user" };
        type->name = type->own_name = mem_strdup(name);
        type->def.form = kind == INDEX_MEMORY ? INDEX_HEX : INDEX_PLAIN;
    }
    type->def.key[0] = type->own_key = mem_strdup(expression);
    return 0;
}

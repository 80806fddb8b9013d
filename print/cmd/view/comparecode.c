/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/view/comparecode.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/model/views/align.h"

static u32
part_of(struct comparecode *cc, u32 func, const struct disasm *d)
{
    for (u32 i = 0; i < cc->nparts; i++)
        if (cc->part[i].func == func)
            return i;
    cc->part = mem_grow(cc->part, cc->nparts, sizeof(*cc->part));
    cc->part[cc->nparts] = (struct code_part){ .func = func, .d = d };
    return cc->nparts++;
}

/*
 * Get the group's listing of a function; a build whose code is not known is left out.
 */
static int
add_listing(struct comparecode *cc, u32 group, u32 func)
{
    struct shell *sh = cc->c.sh;
    struct code_listing *l = arena_alloc(&cc->c.arena, sizeof(*l));
    int err = disasm_function(sh->session, func, shell_metric(sh), 100, &l->d);

    if (err)
        return err == -ENOMEM ? err : 0;
    l->group = group;
    l->part = part_of(cc, func, &l->d);
    cc->listing = mem_grow(cc->listing, cc->nlistings, sizeof(*cc->listing));
    cc->listing[cc->nlistings++] = l;
    return 0;
}

static const char *
object_name(struct session *s, u32 func)
{
    struct function_info f;
    struct object_info o;

    function_get(s, func, &f);
    object_get(s, f.object, &o);
    return o.name;
}

/*
 * Add the code of the group's functions with that name: those in objects with the same
 * file name; if there are none, the first function in the order of functions.
 */
static int
add_group(struct comparison *c, u32 group, void *context)
{
    struct comparecode *cc = context;
    struct session *s = c->sh->session;
    u32 base = cc->part[0].func, other = 0, found = 0;
    struct rows rows;
    int err = view_functions(s, &c->order, &rows);

    if (err)
        return err;
    c->whole[group] = rows.total.incl;
    for (u32 i = 0; i < rows.count && !err; i++) {
        u32 func = rows.row[i].func;

        if (func != base && strcmp(function_name(s, func), function_name(s, base)))
            continue;
        if (func != base && strcmp(object_name(s, func), object_name(s, base))) {
            other = other ? other : func;
            continue;
        }
        found++;
        err = add_listing(cc, group, func);
    }
    rows_free(&rows);
    return err || found || !other ? err : add_listing(cc, group, other);
}

/*
 * Hash an instruction's text without its hexadecimal numbers, which change if code
 * moves.
 */
static u64
key_of(const char *text)
{
    char plain[256];
    size_t n = 0;

    while (*text && n < sizeof(plain)) {
        if (text[0] == '0' && text[1] == 'x')
            text += 2 + strspn(text + 2, "0123456789abcdef");
        else
            plain[n++] = *text++;
    }
    return hash_bytes(11, plain, n);
}

static u64 *
keys_of_rows(const struct comparecode *cc)
{
    u64 *key = malloc(((size_t)cc->count + 1) * sizeof(*key));
    u32 func;

    for (u32 i = 0; key && i < cc->count; i++)
        key[i] = key_of(comparecode_line(cc, i, &func)->text);
    return key;
}

static u64 *
keys_of_lines(const struct disasm *d)
{
    u64 *key = malloc(((size_t)d->count + 1) * sizeof(*key));

    for (u32 i = 0; key && i < d->count; i++)
        key[i] = key_of(d->line[i].text);
    return key;
}

/*
 * Insert rows for lines that only this part has. match[line] was the row of a line, and
 * is updated.
 */
static int
insert_rows(struct comparecode *cc, u32 part, u32 *match)
{
    u32 lines = cc->part[part].d->count, n = 0, line = 0, rows = cc->count;
    struct code_row *row = malloc(((size_t)rows + lines + 1) * sizeof(*row));
    u32 *moved = malloc(((size_t)rows + 1) * sizeof(*moved));

    if (!row || !moved) {
        free(row);
        free(moved);
        return -ENOMEM;
    }
    for (u32 i = 0; i <= rows; i++) {
        u32 end = line;

        while (end < lines && match[end] == ALIGN_NONE)
            end++;
        if (i == rows || (end < lines && match[end] == i)) {
            for (; line < end; match[line++] = n++)
                row[n] = (struct code_row){ part, line };
            if (i < rows)
                match[line++] = n;
        }
        if (i < rows) {
            moved[i] = n;
            row[n++] = cc->row[i];
        }
    }
    for (u32 k = 0; k < part; k++)
        for (u32 i = 0; i < cc->part[k].d->count; i++)
            cc->part[k].row[i] = moved[cc->part[k].row[i]];
    free(moved);
    free(cc->row);
    cc->row = row;
    cc->count = n;
    return 0;
}

static int
merge(struct comparecode *cc, u32 part)
{
    struct code_part *p = &cc->part[part];
    u64 *a = keys_of_rows(cc), *b = keys_of_lines(p->d);
    int err = -ENOMEM;

    p->row = malloc(((size_t)p->d->count + 1) * sizeof(*p->row));
    if (a && b && p->row)
        err = align(a, cc->count, b, p->d->count, p->row);
    free(a);
    free(b);
    return err ? err : insert_rows(cc, part, p->row);
}

/* Index lines by row. */
static int
index_lines(struct comparecode *cc)
{
    for (u32 k = 0; k < cc->nparts; k++) {
        struct code_part *p = &cc->part[k];

        p->line = malloc(((size_t)cc->count + 1) * sizeof(*p->line));
        if (!p->line)
            return -ENOMEM;
        memset(p->line, 0xff, ((size_t)cc->count + 1) * sizeof(*p->line));
        for (u32 i = 0; i < p->d->count; i++)
            p->line[p->row[i]] = i;
    }
    return 0;
}

int
comparecode_open(struct comparecode *cc, struct shell *sh, const struct disasm *base)
{
    int err;

    *cc = (struct comparecode){ .count = 0 };
    comparison_open(&cc->c, sh, list_order(sh));
    cc->scratch = comparison_scratch(&cc->c);
    cc->scratch.sampled = true;
    part_of(cc, base->func, base);
    err = comparison_each_group(&cc->c, add_group, cc);
    for (u32 i = 0; i < cc->nparts && !err; i++)
        err = merge(cc, i);
    if (!err)
        err = index_lines(cc);
    if (err)
        comparecode_close(cc);
    return err;
}

void
comparecode_close(struct comparecode *cc)
{
    for (u32 i = 0; i < cc->nlistings; i++)
        disasm_free(&cc->listing[i]->d);
    for (u32 i = 0; i < cc->nparts; i++) {
        free(cc->part[i].row);
        free(cc->part[i].line);
    }
    comparison_columns_free(&cc->cols);
    comparison_close(&cc->c);
    free(cc->listing);
    free(cc->part);
    free(cc->row);
}

/* The groups whose code this part is: "2, 3". */
static const char *
groups_of(struct comparecode *cc, struct table *t, u32 part)
{
    const char *names = "";

    for (u32 i = 0; i < cc->nlistings; i++)
        if (cc->listing[i]->part == part)
            names = arena_printf(&t->arena, "%s%s%u", names, *names ? ", " : "",
                                 cc->listing[i]->group + 1);
    return names;
}

static void
add_objects(struct comparecode *cc, struct table *t)
{
    struct session *s = cc->c.sh->session;

    for (u32 i = 1; i < cc->nparts; i++) {
        struct function_info f;
        struct object_info o;
        char key[24];

        function_get(s, cc->part[i].func, &f);
        object_get(s, f.object, &o);
        snprintf(key, sizeof(key), "object%u", i + 1);
        table_fact(t, key,
                   arena_printf(&t->arena, "Load object of %s", groups_of(cc, t, i)),
                   o.path);
    }
}

void
comparecode_columns(struct comparecode *cc, struct table *t)
{
    comparison_facts(&cc->c, t);
    add_objects(cc, t);
    comparison_noise_fact(&cc->c, t);
    comparison_columns(&cc->c, &cc->cols, t, MCOLS_PLACES);
    cc->in = table_column(t, "in", "Only\nin", "", COL_TEXT,
                          cc->nparts > 1 ? 0 : COL_DATA_ONLY);
}

const struct disasm_line *
comparecode_line(const struct comparecode *cc, u32 row, u32 *func)
{
    const struct code_part *p = &cc->part[cc->row[row].part];

    *func = p->func;
    return &p->d->line[cc->row[row].line];
}

/*
 * Fill in which groups have the instruction; nothing if all groups with the function
 * do.
 */
static void
fill_in(struct comparecode *cc, u32 row)
{
    struct table *t = cc->cols.t;
    const char *names = "", *gap = "";
    bool all = true;

    for (u32 i = 0; i < cc->nparts; i++) {
        const char *groups = groups_of(cc, t, i);

        if (!*groups)
            continue;
        if (cc->part[i].line[row] == ALIGN_NONE) {
            all = false;
            continue;
        }
        names = arena_printf(&t->arena, "%s%s%s", names, gap, groups);
        gap = ", ";
    }
    table_text(t, cc->in, all ? "" : *names ? names : "none");
}

void
comparecode_fill(struct comparecode *cc, u32 row)
{
    struct entry *e = &cc->scratch;

    memset(e->excl, 0, cc->c.ngroups * sizeof(*e->excl));
    memset(e->incl, 0, cc->c.ngroups * sizeof(*e->incl));
    for (u32 i = 0; i < cc->nlistings; i++) {
        const struct code_listing *l = cc->listing[i];
        u32 line = cc->part[l->part].line[row];

        if (line == ALIGN_NONE)
            continue;
        values_add(&e->excl[l->group], &l->d.line[line].excl);
        values_add(&e->incl[l->group], &l->d.line[line].incl);
    }
    comparison_fill(&cc->c, &cc->cols, e);
    fill_in(cc, row);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/view/comparesource.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool
same_name(struct session *s, u32 one, u32 other)
{
    return one == other || !strcmp(function_name(s, one), function_name(s, other));
}

static int
reserve_lines(struct comparesource *cs, u32 count)
{
    bool *code;

    if (count <= cs->count)
        return 0;
    code = realloc(cs->code, count);
    if (!code)
        return -ENOMEM;
    memset(code + cs->count, 0, count - cs->count);
    cs->code = code;
    cs->count = count;
    return 0;
}

static int
add_row(struct grid *grid, u32 row, const struct values *values)
{
    int err = row < grid->rows ? 0 : grid_grow(grid, 2 * row + 16);

    return err ? err : grid_add(grid, row, values);
}

/* The base's mark for the same inlined function; NULL: it has none. */
static const struct source_mark *
same_mark(const struct comparesource *cs, const struct source_mark *mark)
{
    struct session *s = cs->c.sh->session;

    for (u32 i = 0; i < cs->base->nmarks; i++) {
        const struct source_mark *other = &cs->base->mark[i];

        if (other->inlined && other->line == mark->line &&
            same_name(s, other->func, mark->func))
            return other;
    }
    return NULL;
}

static int
add_source(struct comparesource *cs, u32 group, const struct source *s)
{
    int err = reserve_lines(cs, s->count);

    for (u32 i = 0; i < s->count && !err; i++) {
        struct values excl = grid_get(&s->excl, i), incl = grid_get(&s->incl, i);

        cs->code[i] |= s->line[i].code;
        if (!values_any(&incl))
            continue;
        err = add_row(&cs->excl[group], i, &excl);
        if (!err)
            err = add_row(&cs->incl[group], i, &incl);
    }
    for (u32 i = 0; i < s->nmarks && !err; i++) {
        const struct source_mark *mark = &s->mark[i], *base;
        size_t at;

        base = mark->inlined ? same_mark(cs, mark) : NULL;
        if (!base)
            continue;
        at = (size_t)(base - cs->base->mark) * cs->c.ngroups + group;
        values_add(&cs->mark[at].excl, &mark->excl);
        values_add(&cs->mark[at].incl, &mark->incl);
    }
    return err;
}

static int
load_file(struct comparesource *cs, u32 group, u32 file)
{
    struct shell *sh = cs->c.sh;
    struct source s;
    int err = source_file(sh->session, file, shell_metric(sh), sh->sthresh, &s);

    if (err)
        return err;
    err = add_source(cs, group, &s);
    source_free(&s);
    return err;
}

static int
add_group(struct comparison *c, u32 group, void *context)
{
    struct comparesource *cs = context;
    int err = view_total(c->sh->session, &c->whole[group]);

    for (u32 i = 0; i < cs->nfiles && !err; i++)
        err = load_file(cs, group, cs->file[i]);
    return err;
}

static void
add_file(struct comparesource *cs, u32 file)
{
    for (u32 i = 0; i < cs->nfiles; i++)
        if (cs->file[i] == file)
            return;
    cs->file = mem_grow(cs->file, cs->nfiles, sizeof(*cs->file));
    cs->file[cs->nfiles++] = file;
}

/*
 * Find the files: the one that is shown, and those in which functions of that name were
 * declared.
 */
static void
find_files(struct comparesource *cs)
{
    struct session *s = cs->c.sh->session;
    u32 count = function_count(s), func = cs->base->func;
    struct function_info info;

    add_file(cs, cs->base->file);
    for (u32 i = FUNC_PSEUDO_COUNT; func && i < count; i++) {
        if (!same_name(s, i, func))
            continue;
        function_get(s, i, &info);
        if (info.file)
            add_file(cs, info.file);
    }
}

int
comparesource_open(struct comparesource *cs, struct shell *sh,
                   const struct source *base)
{
    int err;

    *cs = (struct comparesource){ .base = base };
    comparison_open(&cs->c, sh, list_order(sh));
    cs->excl = arena_alloc(&cs->c.arena, cs->c.ngroups * sizeof(*cs->excl));
    cs->incl = arena_alloc(&cs->c.arena, cs->c.ngroups * sizeof(*cs->incl));
    cs->mark = arena_alloc(&cs->c.arena, ((size_t)base->nmarks * cs->c.ngroups + 1) *
                                             sizeof(*cs->mark));
    for (u32 g = 0; g < cs->c.ngroups; g++) {
        grid_open(&cs->excl[g]);
        grid_open(&cs->incl[g]);
    }
    cs->scratch = comparison_scratch(&cs->c);
    cs->scratch.sampled = true;
    find_files(cs);
    err = reserve_lines(cs, base->count);
    if (!err)
        err = comparison_each_group(&cs->c, add_group, cs);
    if (err)
        comparesource_close(cs);
    return err;
}

void
comparesource_close(struct comparesource *cs)
{
    for (u32 g = 0; g < cs->c.ngroups; g++) {
        grid_close(&cs->excl[g]);
        grid_close(&cs->incl[g]);
    }
    comparison_columns_free(&cs->cols);
    comparison_close(&cs->c);
    free(cs->file);
    free(cs->code);
}

void
comparesource_columns(struct comparesource *cs, struct table *t)
{
    comparison_facts(&cs->c, t);
    comparison_noise_fact(&cs->c, t);
    comparison_columns(&cs->c, &cs->cols, t, MCOLS_PLACES);
}

static struct values
row_values(const struct grid *grid, u32 row)
{
    struct values none = { { 0 } };

    return row < grid->rows ? grid_get(grid, row) : none;
}

void
comparesource_line(struct comparesource *cs, u32 line)
{
    for (u32 g = 0; g < cs->c.ngroups; g++) {
        cs->scratch.excl[g] = row_values(&cs->excl[g], line);
        cs->scratch.incl[g] = row_values(&cs->incl[g], line);
    }
    comparison_fill(&cs->c, &cs->cols, &cs->scratch);
}

void
comparesource_mark(struct comparesource *cs, const struct source_mark *mark)
{
    size_t first = (size_t)(mark - cs->base->mark) * cs->c.ngroups;

    for (u32 g = 0; g < cs->c.ngroups; g++) {
        cs->scratch.excl[g] = cs->mark[first + g].excl;
        cs->scratch.incl[g] = cs->mark[first + g].incl;
    }
    comparison_fill(&cs->c, &cs->cols, &cs->scratch);
}

bool
comparesource_any(const struct comparesource *cs, u32 line)
{
    for (u32 g = 0; g < cs->c.ngroups; g++) {
        struct values incl = row_values(&cs->incl[g], line);

        if (values_any(&incl))
            return true;
    }
    return cs->code[line];
}

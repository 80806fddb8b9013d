/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "print/cmd/code.h"
#include "print/cmd/comparison.h"
#include "print/cmd/view/comparesource.h"
#include "print/cmd/list.h"

struct source_view {
    struct shell *sh;
    const struct source *s;
    struct values whole;
    struct table *t;
    struct mcols m;
    struct comparesource *compared; /* NULL = all groups are summed up */
    u32 mark, hot, kind, function, line, text;
    u32 first, last; /* lines that are shown */
};

enum { LINES_BEFORE = 3 };

static void
add_columns(struct source_view *v, const char *command)
{
    struct table *t = v->t = table_new(command, LAYOUT_COLUMNS);

    v->mark = table_column(t, "mark", "", "", COL_TEXT, COL_TEXT_ONLY);
    v->hot = table_column(t, "hot", "Hot", "", COL_BOOL, COL_DATA_ONLY);
    v->kind = table_column(t, "kind", "Kind", "", COL_TEXT, COL_DATA_ONLY);
    if (v->compared)
        comparesource_columns(v->compared, t);
    else
        mcols_before(&v->m, v->sh, t, MCOLS_PLACES);
    v->line = table_column(t, "line", "Line", "", COL_COUNT, COL_SPARSE);
    v->function = table_column(t, "function", "Function", "", COL_TEXT, COL_DATA_ONLY);
    v->text = table_column(t, "text", "Source", "", COL_TEXT, COL_BEGINNING);
    if (!v->compared)
        mcols_after(&v->m);
}

static void
fill(const struct source_view *v, const struct values *excl, const struct values *incl)
{
    struct mcols_values values = { .excl = excl, .incl = incl, .whole = &v->whole };

    mcols_fill(&v->m, &values);
}

/*
 * Add a mark: "<Function: beta>" before the function's first line, or "<Inlined: poly>"
 * after the line with the call.
 */
static void
add_mark(const struct source_view *v, const struct source_mark *mark)
{
    const char *name = function_title(v->sh->session, mark->func);
    struct table *t = v->t;

    table_row(t, ROW_NOTE);
    table_function(t, mark->func);
    table_text(t, v->kind, mark->inlined ? "inlined" : "function");
    table_text(t, v->function, name);
    if (mark->inlined && v->compared)
        comparesource_mark(v->compared, mark);
    else if (mark->inlined)
        fill(v, &mark->excl, &mark->incl);
    table_format(t, v->text, "%s: %s>", mark->inlined ? "    <Inlined" : "<Function",
                 name);
}

static void
fill_line(const struct source_view *v, u32 i)
{
    struct values excl, incl;

    if (v->compared) {
        comparesource_line(v->compared, i);
        return;
    }
    excl = grid_get(&v->s->excl, i);
    incl = grid_get(&v->s->incl, i);
    fill(v, &excl, &incl);
}

static bool
has_code(const struct source_view *v, u32 i)
{
    struct values incl;

    if (v->compared)
        return comparesource_any(v->compared, i);
    incl = grid_get(&v->s->incl, i);
    return v->s->line[i].code || values_any(&incl);
}

static void
add_line(const struct source_view *v, u32 i)
{
    static const struct source_line beyond;
    const struct source_line *line = i < v->s->count ? &v->s->line[i] : &beyond;
    struct table *t = v->t;
    bool code = has_code(v, i);

    if (!code && !line->text)
        return;
    table_row(t, line->hot ? ROW_HOT : 0);
    table_text(t, v->kind, "line");
    table_number(t, v->hot, line->hot);
    if (line->hot)
        table_text(t, v->mark, "##");
    if (code)
        fill_line(v, i);
    table_number(t, v->line, i + 1);
    if (line->text)
        table_format(t, v->text, "%.*s", (int)line->length, line->text);
}

/*
 * Choose the lines to show: as text, a function's lines and a few before them; in other
 * forms, the whole file.
 */
static void
find_lines(struct source_view *v)
{
    const struct source *s = v->s;

    v->first = 1;
    v->last = v->compared ? v->compared->count : s->count;
    if (!s->func || v->sh->export != export_text || s->focus > s->last ||
        s->last > v->last)
        return;
    v->first = s->focus > LINES_BEFORE ? s->focus - LINES_BEFORE : 1;
    if (v->first > 1 || s->last < v->last)
        table_fact(v->t, "lines", "Lines",
                   arena_printf(&v->t->arena, "%u to %u; the file's name shows all",
                                v->first, s->last));
    v->last = s->last;
}

static void
add_lines(const struct source_view *v)
{
    const struct source *s = v->s;
    u32 m = 0;

    while (m < s->nmarks && s->mark[m].line < v->first)
        m++;
    for (u32 i = v->first - 1; i < v->last; i++) {
        for (; m < s->nmarks && s->mark[m].line <= i + 1 && !s->mark[m].inlined; m++)
            add_mark(v, &s->mark[m]);
        add_line(v, i);
        for (; m < s->nmarks && s->mark[m].line <= i + 1; m++)
            add_mark(v, &s->mark[m]);
    }
}

/*
 * Was the file, which is not kept in an experiment, written after the last run began?
 */
static bool
is_newer(const struct session *session, const char *path)
{
    u64 last = 0;
    struct stat st;

    for (u32 i = 0; i < session->nexperiments; i++)
        if (session->experiment[i]->start_wall > last)
            last = session->experiment[i]->start_wall;
    return last && stat(path, &st) == 0 && (u64)st.st_mtime > last / 1000000000;
}

static int
show(struct shell *sh, const char *command, struct source *s)
{
    struct source_view v = { .sh = sh, .s = s };
    struct comparesource compared;
    struct function_info f;
    struct object_info o;
    int err = view_total(sh->session, &v.whole);

    if (!err && comparison_is_on(sh)) {
        err = comparesource_open(&compared, sh, s);
        v.compared = &compared;
    }
    if (err) {
        source_free(s);
        return shell_fail_errno(sh, err, "metrics cannot be read");
    }
    add_columns(&v, command);
    table_fact(v.t, "source", "Source file", file_path(sh->session, s->file));
    if (!s->found)
        table_fact(v.t, "missing", "The text was not found",
                   "setpath, addpath or pathmap can tell where it is");
    else if (strcmp(s->found, file_path(sh->session, s->file)))
        table_fact(v.t, "found", "Found as", s->found);
    if (s->found && is_newer(sh->session, s->found))
        table_fact(v.t, "newer", "The text is newer than the run",
                   "its lines may have moved");
    if (s->func) {
        function_get(sh->session, s->func, &f);
        object_get(sh->session, f.object, &o);
        table_fact(v.t, "object", "Load object", o.path);
    }
    find_lines(&v);
    add_lines(&v);
    if (v.compared)
        comparesource_close(v.compared);
    source_free(s);
    return shell_show(sh, v.t);
}

int
code_show_file(struct shell *sh, const char *command, u32 file)
{
    struct source s;
    int err = source_file(sh->session, file, shell_metric(sh), sh->sthresh, &s);

    if (err)
        return shell_fail_errno(sh, err, file_path(sh->session, file));
    return show(sh, command, &s);
}

/* No function has the name: show the source file of that name. */
static int
show_file(struct shell *sh, char **argv, u32 number)
{
    u32 *ids, count, file;
    int err = file_find(sh->session, argv[1], &ids, &count);

    if (err)
        return shell_fail(sh, "there is no function and no source file \"%s\"",
                          argv[1]);
    if (!number || number > count) {
        free(ids);
        return shell_fail(sh, "\"%s\" names %u source file%s", argv[1], count,
                          count == 1 ? "" : "s");
    }
    file = ids[number - 1];
    free(ids);
    return code_show_file(sh, argv[0], file);
}

int
cmd_source(struct shell *sh, int argc, char **argv)
{
    struct source s;
    u64 number = 1;
    u32 *ids, count, function;
    int err;

    if (argc > 2 && shell_number(sh, argv[2], UINT32_MAX, &number))
        return 1;
    err = function_find(sh->session, argv[1], &ids, &count);
    if (err)
        return show_file(sh, argv, (u32)number);
    free(ids);
    if (shell_function(sh, argc, argv, &function))
        return 1;
    err = source_function(sh->session, function, shell_metric(sh), sh->sthresh, &s);
    if (err == -ENODATA)
        return shell_fail(sh, "%s has no line information",
                          function_title(sh->session, function));
    if (err)
        return shell_fail_errno(sh, err, argv[1]);
    return show(sh, argv[0], &s);
}

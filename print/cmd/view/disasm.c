/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/disasm.h"

#include <errno.h>
#include <string.h>

#include "print/cmd/code.h"
#include "print/cmd/comparison.h"
#include "print/cmd/view/comparecode.h"
#include "print/cmd/list.h"
#include "print/model/views/source.h"

struct disasm_view {
    struct shell *sh;
    const struct disasm *d;
    struct values whole;
    struct table *t;
    struct mcols m;
    struct comparecode *compared; /* NULL = all groups are summed up */
    u32 mark, hot, kind, function, file, line, address, bytes, text;
    struct source source; /* the text of the file that headings speak of */
    u32 source_of;        /* that file; 0 = none */
};

static void
add_columns(struct disasm_view *v, const char *command)
{
    struct table *t = v->t = table_new(command, LAYOUT_COLUMNS);

    v->mark = table_column(t, "mark", "", "", COL_TEXT, COL_TEXT_ONLY);
    v->hot = table_column(t, "hot", "Hot", "", COL_BOOL, COL_DATA_ONLY);
    v->kind = table_column(t, "kind", "Kind", "", COL_TEXT, COL_DATA_ONLY);
    if (v->compared)
        comparecode_columns(v->compared, t);
    else
        mcols_before(&v->m, v->sh, t, MCOLS_PLACES);
    v->function = table_column(t, "function", "Function", "", COL_TEXT, COL_DATA_ONLY);
    v->file = table_column(t, "file", "File", "", COL_TEXT, COL_DATA_ONLY);
    v->line = table_column(t, "line", "Line", "", COL_COUNT, COL_SPARSE);
    v->address = table_column(t, "address", "Address", "", COL_ADDRESS, 0);
    v->bytes = table_column(t, "bytes", "Bytes", "", COL_TEXT,
                            v->sh->hex ? 0 : COL_DATA_ONLY);
    v->text = table_column(t, "text", "Instruction", "", COL_TEXT, COL_BEGINNING);
    if (!v->compared)
        mcols_after(&v->m);
}

/* Get a source line; NULL if its text is not known. */
static const struct source_line *
source_line(struct disasm_view *v, u32 file, u32 line)
{
    if (!file || !line)
        return NULL;
    if (v->source_of != file) {
        if (v->source_of)
            source_free(&v->source);
        v->source_of = 0;
        if (source_file(v->sh->session, file, METRIC_totalcpu, 100, &v->source))
            return NULL;
        v->source_of = file;
    }
    if (line > v->source.count || !v->source.line[line - 1].text)
        return NULL;
    return &v->source.line[line - 1];
}

/* Add the source line from which the instructions below it were compiled. */
static void
add_heading(struct disasm_view *v, const struct disasm_line *l, u32 func)
{
    struct session *s = v->sh->session;
    const struct source_line *text = source_line(v, l->file, l->line);
    char place[256];

    if (l->func == func && !l->file)
        return;
    list_place(v->sh, 0, l->file, l->line, place, sizeof(place));
    table_row(v->t, ROW_NOTE);
    table_function(v->t, l->func);
    table_text(v->t, v->kind, l->func == func ? "line" : "inlined");
    table_text(v->t, v->function, function_title(s, l->func));
    if (l->file)
        table_text(v->t, v->file, file_path(s, l->file));
    table_number(v->t, v->line, l->line);
    table_format(v->t, v->text, "<%s%s%s>%s%.*s", place,
                 l->func == func ? "" : " inlined ",
                 l->func == func ? "" : function_title(s, l->func),
                 text ? " " : "", text ? (int)text->length : 0, text ? text->text : "");
}

static void
fill(struct disasm_view *v, const struct disasm_line *l, u32 row)
{
    struct mcols_values values = {
        .excl = &l->excl,
        .incl = &l->incl,
        .whole = &v->whole,
    };

    if (v->compared)
        comparecode_fill(v->compared, row);
    else
        mcols_fill(&v->m, &values);
}

static void
add_instruction(struct disasm_view *v, const struct disasm_line *l, u32 row)
{
    char bytes[2 * sizeof(l->bytes) + 1] = "";

    for (u32 i = 0; !l->is_text && i < l->length && i < sizeof(l->bytes); i++)
        sprintf(bytes + (size_t)2 * i, "%02x", l->bytes[i]);
    table_row(v->t, l->hot ? ROW_HOT : 0);
    table_function(v->t, l->func);
    table_text(v->t, v->kind, "instruction");
    table_number(v->t, v->hot, l->hot);
    if (l->hot)
        table_text(v->t, v->mark, "##");
    fill(v, l, row);
    table_text(v->t, v->function, function_title(v->sh->session, l->func));
    if (l->file)
        table_text(v->t, v->file, file_path(v->sh->session, l->file));
    table_number(v->t, v->line, l->line);
    table_number(v->t, v->address, l->addr);
    table_text(v->t, v->bytes, bytes);
    table_format(v->t, v->text, "    %s", l->text);
}

static void
add_facts(const struct disasm_view *v)
{
    struct session *s = v->sh->session;
    struct function_info f;
    struct object_info o;

    function_get(s, v->d->func, &f);
    object_get(s, v->d->object, &o);
    table_fact(v->t, "function", "Function", function_title(s, v->d->func));
    if (f.file)
        table_fact(v->t, "source", "Source file", file_path(s, f.file));
    table_fact(v->t, "object", "Load object", o.path);
}

/* Do two instructions, perhaps of two builds, come from the same source line? */
static bool
same_place(struct session *s, const struct disasm_line *a, const struct disasm_line *b)
{
    if (a->line != b->line)
        return false;
    return (a->func == b->func ||
            !strcmp(function_name(s, a->func), function_name(s, b->func))) &&
           (a->file == b->file || !strcmp(list_base_name(file_path(s, a->file)),
                                          list_base_name(file_path(s, b->file))));
}

static void
add_compared(struct disasm_view *v)
{
    const struct disasm_line *last = NULL;

    for (u32 i = 0; i < v->compared->count; i++) {
        u32 func;
        const struct disasm_line *l = comparecode_line(v->compared, i, &func);

        if (!v->sh->no_source && (!last || !same_place(v->sh->session, l, last)))
            add_heading(v, l, func);
        add_instruction(v, l, i);
        last = l;
    }
}

static void
add_lines(struct disasm_view *v)
{
    const struct disasm *d = v->d;

    for (u32 i = 0; i < d->count; i++) {
        if (d->line[i].heading && !v->sh->no_source)
            add_heading(v, &d->line[i], d->func);
        add_instruction(v, &d->line[i], i);
    }
}

static int
show(struct shell *sh, const char *command, struct disasm *d)
{
    struct disasm_view v = { .sh = sh, .d = d };
    struct comparecode compared;
    int err = view_total(sh->session, &v.whole);

    if (!err && comparison_is_on(sh)) {
        err = comparecode_open(&compared, sh, d);
        v.compared = &compared;
    }
    if (err)
        return shell_fail_errno(sh, err, "metrics cannot be read");
    add_columns(&v, command);
    add_facts(&v);
    (v.compared ? add_compared : add_lines)(&v);
    if (v.compared)
        comparecode_close(v.compared);
    if (v.source_of)
        source_free(&v.source);
    return shell_show(sh, v.t);
}

/*
 * Open the disassembly of a function. If it is only inlined, open that of the function
 * into which it was inlined.
 */
static int
open_disasm(struct shell *sh, u32 function, struct disasm *d)
{
    enum metric metric = shell_metric(sh);
    int err = disasm_function(sh->session, function, metric, sh->dthresh, d);
    u32 home;

    if (err != -ENODATA || disasm_home(sh->session, function, metric, &home))
        return err;
    err = disasm_function(sh->session, home, metric, sh->dthresh, d);
    if (!err)
        shell_note(sh, "%s is inlined; this is %s, where most of it is",
                   function_title(sh->session, function),
                   function_title(sh->session, home));
    return err;
}

int
code_show_disasm(struct shell *sh, const char *command, u32 function)
{
    struct disasm d;
    const char *language = function_language(sh->session, function);
    int err = open_disasm(sh, function, &d);

    if (err == -ENODATA && language)
        return shell_fail(sh, "%s is a function of %s's: its machine code is not "
                          "recorded; source shows its lines",
                          function_title(sh->session, function), language);
    if (err == -ENODATA)
        return shell_fail(sh, "the code of %s is not known",
                          function_title(sh->session, function));
    if (err == -ENOTSUP)
        return shell_fail(sh, "%s is code of another kind of machine",
                          function_title(sh->session, function));
    if (err)
        return shell_fail_errno(sh, err, function_title(sh->session, function));
    err = show(sh, command, &d);
    disasm_free(&d);
    return err;
}

int
cmd_disasm(struct shell *sh, int argc, char **argv)
{
    u32 function;

    if (shell_function(sh, argc, argv, &function))
        return 1;
    return code_show_disasm(sh, argv[0], function);
}

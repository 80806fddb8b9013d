/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <strings.h>

#include "print/cmd/list.h"
#include "print/model/branch/branches.h"
#include "print/model/branch/loops.h"
#include "print/model/symbols/files.h"
#include "print/model/symbols/object.h"

/* The columns of one end of a branch. */
struct ends {
    u32 pc, place, function, offset, address, object, file, line;
};

struct view {
    struct shell *sh;
    struct table *t;
    struct branch_data data;
    u32 count, share, missed, cycles, type;
    u32 rounds, entries, each, back;
    struct ends from, to;
};

static void
end_columns(struct table *t, struct ends *e, const char *name, const char *title)
{
    char key[32], text[32];

#define COLUMN(what, heading, type, flags)                    \
    snprintf(key, sizeof(key), "%s%s", name, #what);          \
    snprintf(text, sizeof(text), "%s%s", title, heading);     \
    e->what = table_column(t, key, text, "", COL_##type, flags)
    COLUMN(pc, "", TEXT, COL_TEXT_ONLY);
    COLUMN(place, " line", TEXT, COL_TEXT_ONLY);
    COLUMN(function, " function", TEXT, COL_DATA_ONLY);
    COLUMN(offset, " offset", COUNT, COL_DATA_ONLY);
    COLUMN(address, " address", ADDRESS, COL_DATA_ONLY);
    COLUMN(object, " object", TEXT, COL_DATA_ONLY);
    COLUMN(file, " file", TEXT, COL_DATA_ONLY);
    COLUMN(line, " line number", COUNT, COL_DATA_ONLY);
#undef COLUMN
}

/* Get file and line of the code at an address; 0 = not known. */
static void
find_line(struct session *s, u32 object, u64 addr, u32 *file, u32 *line)
{
    const struct objfile *code = object ? object_file(s, object) : NULL;
    struct objfile_line l;

    *file = *line = 0;
    if (!code || objfile_line(code, addr, &l) < 0 || !l.file)
        return;
    *file = files_of_object(s, object, l.file);
    *line = l.line;
}

static void
fill_end(const struct view *v, const struct ends *e, u32 object, u64 addr)
{
    struct session *s = v->sh->session;
    u32 function = function_at(s, object, addr), file, line;
    const char *name = function_title(s, function);
    struct object_info o;
    char place[256];
    u64 offset;

    find_line(s, object, addr, &file, &line);
    if (function_offset(s, function, addr, &offset)) {
        table_format(v->t, e->pc, "%s + 0x%" PRIx64, name, offset);
        table_number(v->t, e->offset, offset);
    } else {
        table_format(v->t, e->pc, "%s at 0x%" PRIx64, name, addr);
    }
    table_text(v->t, e->place,
               list_place(v->sh, object, file, line, place, sizeof(place)));
    table_text(v->t, e->function, name);
    table_number(v->t, e->address, addr);
    if (object) {
        object_get(s, object, &o);
        table_text(v->t, e->object, o.path);
    }
    if (file)
        table_text(v->t, e->file, file_path(s, file));
    if (line)
        table_number(v->t, e->line, line);
}

static int
by_count(const void *a, const void *b)
{
    const struct branch_edge *x = *(const struct branch_edge *const *)a;
    const struct branch_edge *y = *(const struct branch_edge *const *)b;

    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return x < y ? -1 : x > y;
}

static void
fill_edge(const struct view *v, const struct branch_edge *e)
{
    static const char *const types[] = { "jump", "call", "return" };

    table_row(v->t, 0);
    table_number(v->t, v->count, e->count);
    table_real(v->t, v->share, 100 * (double)e->count / (double)v->data.branches);
    if (e->told)
        table_real(v->t, v->missed, 100 * (double)e->mispredicted / (double)e->told);
    if (e->timed)
        table_real(v->t, v->cycles, (double)e->cycles / (double)e->timed);
    table_text(v->t, v->type, types[branches_type(v->sh->session, e)]);
    fill_end(v, &v->from, e->from_object, e->from);
    fill_end(v, &v->to, e->to_object, e->to);
}

static int
show_edges(struct view *v, const char *command)
{
    const struct branch_edge **sorted = calloc((size_t)v->data.nedges + 1,
                                               sizeof(const void *));
    u32 shown;

    if (!sorted)
        return shell_fail(v->sh, "no memory is left");
    v->t = table_new(command, LAYOUT_COLUMNS);
    table_title(v->t, "Branches taken, by count");
    v->count = table_column(v->t, "count", "Count", "", COL_COUNT, 0);
    v->share = table_column(v->t, "share", "Share", "%", COL_PERCENT, COL_JOINED);
    v->missed = table_column(v->t, "mispredicted", "Mis-\npredicted", "%", COL_PERCENT,
                             0);
    v->cycles = table_column(v->t, "cycles", "Cycles", "", COL_REAL, 0);
    v->type = table_column(v->t, "type", "Type", "", COL_TEXT, 0);
    end_columns(v->t, &v->from, "from_", "From");
    end_columns(v->t, &v->to, "to_", "To");
    for (u32 i = 0; i < v->data.nedges; i++)
        sorted[i] = &v->data.edge[i];
    qsort(sorted, v->data.nedges, sizeof(const void *), by_count);
    shown = shell_limit(v->sh, v->t, v->data.nedges);
    for (u32 i = 0; i < shown; i++)
        fill_edge(v, sorted[i]);
    free(sorted);
    return shell_show(v->sh, v->t);
}

/*
 * Fill a row with a loop. If no entry into it was seen, the rounds per entry are not
 * known.
 */
static void
fill_loop(const struct view *v, const struct branch_loop *l)
{
    table_row(v->t, 0);
    table_function(v->t, l->function);
    table_number(v->t, v->rounds, l->rounds);
    table_number(v->t, v->entries, l->entries);
    if (l->entries)
        table_real(v->t, v->each, (double)l->rounds / (double)l->entries);
    table_number(v->t, v->back, l->back);
    if (l->told)
        table_real(v->t, v->missed, 100 * (double)l->mispredicted / (double)l->told);
    fill_end(v, &v->to, l->object, l->head);
    fill_end(v, &v->from, l->object, l->latch);
}

static int
show_loops(struct view *v, const char *command)
{
    struct branch_loop *loop;
    u32 count, shown;
    int err = loops_get(v->sh->session, &v->data, &loop, &count);

    if (err)
        return shell_fail_errno(v->sh, err, "loops cannot be shown");
    v->t = table_new(command, LAYOUT_COLUMNS);
    table_title(v->t, "Loops, by iterations");
    v->rounds = table_column(v->t, "iterations", "Iterations", "", COL_COUNT, 0);
    v->entries = table_column(v->t, "entries", "Entries", "", COL_COUNT, 0);
    v->each = table_column(v->t, "trip_count", "Iterations\nper entry", "", COL_REAL,
                           0);
    v->back = table_column(v->t, "back", "Jumps\nback", "", COL_COUNT, COL_DETAIL);
    v->missed = table_column(v->t, "mispredicted", "Mis-\npredicted", "%", COL_PERCENT,
                             0);
    end_columns(v->t, &v->to, "head_", "Loop");
    end_columns(v->t, &v->from, "end_", "Last jump back");
    shown = shell_limit(v->sh, v->t, count);
    for (u32 i = 0; i < shown; i++)
        fill_loop(v, &loop[i]);
    free(loop);
    return shell_show(v->sh, v->t);
}

int
cmd_branches(struct shell *sh, int argc, char **argv)
{
    bool loops = argc > 1 && !strcasecmp(argv[1], "loops");
    struct view v = { .sh = sh };
    int err;

    if (argc > 1 && !loops && strcasecmp(argv[1], "edges"))
        return shell_fail(sh, "\"%s\" is neither edges nor loops", argv[1]);
    err = branches_get(sh->session, &v.data);
    if (err)
        return shell_fail_errno(sh, err, "the branches cannot be shown");
    if (!v.data.recorded)
        err = shell_fail(sh, "no branch stacks are shown: no experiment has any, or "
                             "none passes the filter");
    else
        err = loops ? show_loops(&v, argv[0]) : show_edges(&v, argv[0]);
    branches_free(&v.data);
    return err;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "print/cmd/view/flame.h"
#include "print/cmd/list.h"
#include "print/cmd/mcols.h"
#include "print/cmd/screen.h"
#include "print/export/value.h"
#include "share/outfile.h"

enum {
    WIDTH = 100, /* columns, if there is no terminal that says how many */
    WIDTH_LEAST = 20,
};

/*
 * Place a node's children beside each other, from the node's left edge on, in their
 * order.
 */
static void
place_children(struct flame *f, u32 node)
{
    const struct calltree_node *n = &f->tree.node[node];
    double at = f->box[node].start;

    for (u32 i = n->child; i < n->child + n->nchildren; i++) {
        struct values values = calltree_incl(&f->tree, i);
        int64_t value = metric_value(&values, f->metric);

        f->box[i].value = value;
        f->box[i].start = at;
        f->box[i].share = value > 0 ? (double)value / (double)f->box[0].value : 0;
        at += f->box[i].share;
    }
}

int
flame_open(struct session *session, enum metric metric, struct flame *out)
{
    struct flame f = { .metric = metric };
    struct order order = { .by = ORDER_METRIC, .metric = metric,
                           .flavour = FLAVOUR_INCLUSIVE };
    struct values values;
    int err = calltree_build(session, &order, &f.tree);

    if (err)
        return err;
    values = calltree_incl(&f.tree, 0);
    f.box = mem_realloc(NULL, ((size_t)f.tree.count + 1) * sizeof(*f.box));
    memset(f.box, 0, ((size_t)f.tree.count + 1) * sizeof(*f.box));
    f.box[0] = (struct flame_box){ .value = metric_value(&values, metric), .share = 1 };
    for (u32 i = 0; i < f.tree.count && f.box[0].value > 0; i++)
        place_children(&f, i);
    f.scale = 1;
    for (u32 i = 0; i < f.tree.count; i++)
        if (f.box[i].start + f.box[i].share > 1 / f.scale)
            f.scale = 1 / (f.box[i].start + f.box[i].share);
    *out = f;
    return 0;
}

void
flame_close(struct flame *f)
{
    calltree_free(&f->tree);
    free(f->box);
}

const char *
flame_value(const struct flame *f, u32 node, char *buf)
{
    const struct metric_desc *d = &metrics[f->metric];
    struct column c = { .type = d->unit == METRIC_NS ? COL_NS : COL_COUNT,
                        .unit = d->unit == METRIC_BYTES ? "byte" : "" };
    struct cell v = { .number = (u64)f->box[node].value, .state = CELL_SET };
    size_t n;

    value_shown(&c, &v, buf);
    n = strlen(buf);
    while (n && buf[n - 1] == ' ')
        buf[--n] = '\0';
    strcpy(buf + n, d->unit == METRIC_NS ? " s" : d->unit == METRIC_BYTES ? " B" : "");
    return buf;
}

/* Show a table, for programs: a row for each node, from the root on. */
static int
show_table(struct shell *sh, const char *command, const struct flame *f)
{
    const struct metric_desc *d = &metrics[f->metric];
    struct table *t = table_new(command, LAYOUT_COLUMNS);
    u32 depth = table_column(t, "depth", "Depth", "", COL_COUNT, 0);
    u32 start = table_column(t, "start", "Start", "%", COL_PERCENT, 0);
    u32 share = table_column(t, "share", "Share", "%", COL_PERCENT, 0);
    u32 value = table_column(t, d->name, d->title, d->unit == METRIC_NS ? "sec." : "",
                             d->unit == METRIC_NS ? COL_NS : COL_COUNT, 0);
    u32 name = table_column(t, "name", "Name", "", COL_TEXT, 0);

    for (u32 i = 0; i < f->tree.count; i++) {
        if (f->box[i].value <= 0)
            continue;
        table_row(t, 0);
        table_number(t, depth, f->tree.node[i].depth);
        table_real(t, start, 100 * f->box[i].start);
        table_real(t, share, 100 * f->box[i].share);
        table_number(t, value, (u64)f->box[i].value);
        table_text(t, name, function_title(sh->session, f->tree.node[i].func));
    }
    return shell_show(sh, t);
}

/* The columns [*from, *to) of the screen that a node's bar takes. */
static void
columns_of(const struct flame *f, u32 node, u32 width, u32 *from, u32 *to)
{
    const struct flame_box *b = &f->box[node];

    *from = (u32)(b->start * f->scale * width + 0.5);
    *to = (u32)((b->start + b->share) * f->scale * width + 0.5);
    if (!node)
        *to = width;
    if (*to > width)
        *to = width;
}

/* Draw a bar of `room` columns: coloured, or between brackets. */
static void
draw_bar(const char *name, u32 room, const struct export_form *form, FILE *out)
{
    static const unsigned char colours[] = { 110, 152, 117, 153, 111, 189 };
    bool closed = !form->colour && room > 1;
    u32 hash = 0;
    size_t used = 0;

    for (const char *p = name; *p; p++)
        hash = hash * 31 + (unsigned char)*p;
    if (form->colour)
        fprintf(out, "\033[30;48;5;%um", colours[hash % sizeof(colours)]);
    else
        putc(closed ? '[' : '|', out);
    if (!form->colour)
        room -= closed ? 2 : 1;
    if (room > 2)
        used = value_write_cut(name, room - (form->colour ? 1 : 0), true, form->utf8,
                               out);
    for (; used < room; used++)
        putc(form->colour ? ' ' : '-', out);
    if (form->colour)
        fputs("\033[0m", out);
    else if (closed)
        putc(']', out);
}

/*
 * Draw the bars of one depth that are at least a column wide; false if there are none.
 */
static bool
draw_line(struct shell *sh, const struct flame *f, u32 *node, u32 depth, u32 width,
          const struct export_form *form)
{
    u32 at = 0;
    bool any = false;

    for (; *node < f->tree.count && f->tree.node[*node].depth == depth; ++*node) {
        u32 from, to;

        columns_of(f, *node, width, &from, &to);
        if (to <= from || f->box[*node].value <= 0)
            continue;
        fprintf(sh->out, "%*s", (int)(from - at), "");
        draw_bar(function_title(sh->session, f->tree.node[*node].func), to - from, form,
                 sh->out);
        at = to;
        any = true;
    }
    if (any)
        putc('\n', sh->out);
    return any;
}

/*
 * Draw the bars on a terminal, depth by depth: nodes are numbered breadth first, so
 * those of one depth are consecutive.
 */
static int
draw(struct shell *sh, const struct flame *f)
{
    struct export_form form = { 0 };
    char value[VALUE_MAX];
    u32 node = 0, width;

    if (sh->screen && sh->out == screen_stream(sh->screen)) {
        screen_form(sh->screen, &form);
        screen_allow_pager(sh->screen, !sh->file);
    }
    shell_report_problems(sh);
    width = form.width ? form.width : WIDTH;
    if (width < WIDTH_LEAST)
        width = WIDTH_LEAST;
    fprintf(sh->out, "%s, %s: callers above what they call\n\n",
            metrics[f->metric].title, flame_value(f, 0, value));
    for (u32 depth = 0; f->box[0].value > 0; depth++)
        if (!draw_line(sh, f, &node, depth, width, &form))
            break;
    fflush(sh->out);
    return 0;
}

static int
write_picture(struct shell *sh, const struct flame *f, const char *name)
{
    int fd = outfile_open(name, O_TRUNC);
    FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
    int bad;

    if (!out)
        return shell_fail(sh, "%s cannot be written: %s", name,
                          outfile_error(fd < 0 ? fd : -errno));
    shell_report_problems(sh);
    flame_svg(sh->session, f, out);
    bad = ferror(out);
    if (fclose(out) || bad)
        return shell_fail(sh, "%s could not be written", name);
    return 0;
}

int
cmd_flame(struct shell *sh, int argc, char **argv)
{
    struct flame f;
    int err = flame_open(sh->session, shell_metric(sh), &f), failed;

    if (err)
        return shell_fail_errno(sh, err, "the flame graph cannot be made");
    if (argc > 1)
        failed = write_picture(sh, &f, argv[1]);
    else if (sh->export == export_text)
        failed = draw(sh, &f);
    else
        failed = show_table(sh, argv[0], &f);
    flame_close(&f);
    return failed;
}

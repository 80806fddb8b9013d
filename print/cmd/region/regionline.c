/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/region/regionline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/cmd/region/regionnone.h"
#include "print/cmd/title.h"
#include "print/model/filter/filter.h"
#include "print/model/region/regionsteps.h"

enum {
    RANKS = REGION_STEPS_TOLD + 1,
    LEAST = 100, /* a region gets a letter for at least 1/LEAST of a step */
};

struct view {
    struct shell *sh;
    struct region_steps s;
};

static void
put_thread(const struct view *v, struct table *t, u32 column,
           const struct region_steps_thread *thread)
{
    const struct experiment *e = v->sh->session->experiment[thread->experiment];
    u32 id = thread->slot ? e->threads.row[thread->slot - 1].id : 0;
    char *name = NULL;
    size_t size;
    FILE *f = open_memstream(&name, &size);

    if (!f)
        return;
    fprintf(f, "Experiment %u, thread %u", thread->experiment + 1, id);
    title_thread(v->sh, thread->experiment + 1, id, f);
    if (!fclose(f))
        table_text(t, column, name);
    free(name);
}

/*
 * The letter of the region that took most of a step; in lower case if less than half of
 * it.
 */
static char
letter(const struct view *v, const double *ns)
{
    u32 top = 0;

    for (u32 i = 1; i < RANKS; i++)
        if (ns[i] > ns[top])
            top = i;
    if (ns[top] * LEAST < (double)v->s.width)
        return ' ';
    if (top == REGION_STEPS_TOLD)
        return '?';
    return (char)((ns[top] * 2 < (double)v->s.width ? 'a' : 'A') + (int)top);
}

static struct table *
draw(const struct view *v, const char *command)
{
    struct table *t = table_new(command, LAYOUT_COLUMNS);
    u32 line = table_column(t, "line", "From 0 to the end", "", COL_TEXT, 0);
    u32 name = table_column(t, "name", "Name", "", COL_TEXT, 0);
    u32 shown = shell_limit(v->sh, t, v->s.threads);
    char *text = malloc(v->s.steps + 3);

    for (u32 i = 0; i < shown && text; i++) {
        for (u32 k = 0; k < v->s.steps; k++)
            text[k + 1] = letter(v, v->s.thread[i].ns + k * RANKS);
        text[0] = text[v->s.steps + 1] = '|';
        text[v->s.steps + 2] = '\0';
        table_row(t, 0);
        table_text(t, line, text);
        put_thread(v, t, name, &v->s.thread[i]);
    }
    free(text);
    return t;
}

/* What the letters mean. */
static struct table *
legend(const struct view *v, const char *command)
{
    struct table *t = table_new(command, LAYOUT_COLUMNS);
    u32 mark = table_column(t, "letter", "Letter", "", COL_TEXT, 0);
    u32 self = table_column(t, "self", "Self", "ms", COL_REAL, 0);
    u32 name = table_column(t, "path", "Region", "", COL_TEXT, COL_BEGINNING);

    for (u32 i = 0; i < RANKS; i++) {
        char *path = i < v->s.told ? filter_region(v->sh->session, v->s.region[i])
                                   : NULL;

        if (v->s.total[i] > 0) {
            table_row(t, 0);
            table_format(t, mark, "%c", i < REGION_STEPS_TOLD ? (int)('A' + i) : '?');
            table_real(t, self, v->s.total[i] / 1e6);
            table_text(t, name, i < REGION_STEPS_TOLD ? path : "others");
        }
        free(path);
    }
    return t;
}

/* List a row for each step and region of a thread. */
static struct table *
list(const struct view *v, const char *command)
{
    struct table *t = table_new(command, LAYOUT_COLUMNS);
    u32 name = table_column(t, "name", "Name", "", COL_TEXT, 0);
    u32 from = table_column(t, "from", "From", "sec.", COL_NS, 0);
    u32 to = table_column(t, "to", "To", "sec.", COL_NS, 0);
    u32 self = table_column(t, "self", "Self", "ms", COL_REAL, 0);
    u32 region = table_column(t, "path", "Region", "", COL_TEXT, 0);
    u32 shown = shell_limit(v->sh, t, v->s.threads);

    for (u32 i = 0; i < shown; i++)
        for (u32 k = 0; k < v->s.steps * RANKS; k++) {
            u32 step = k / RANKS, rank = k % RANKS;
            char *path;

            if (v->s.thread[i].ns[k] < 1)
                continue;
            path = rank < v->s.told
                       ? filter_region(v->sh->session, v->s.region[rank])
                       : NULL;
            table_row(t, 0);
            put_thread(v, t, name, &v->s.thread[i]);
            table_number(t, from, step * v->s.width);
            table_number(t, to, (step + 1) * v->s.width);
            table_real(t, self, v->s.thread[i].ns[k] / 1e6);
            table_text(t, region, path ? path : "others");
            free(path);
        }
    return t;
}

int
regionline_show(struct shell *sh, const char *command, u32 steps, u64 width)
{
    struct view v = { .sh = sh };
    struct table *t;
    int err = regionsteps_make(sh->session, steps, width, &v.s);

    if (err == -ENOENT)
        return regionnone_fail(sh);
    if (err)
        return shell_fail_errno(sh, err, "the timeline cannot be made");
    t = sh->export == export_text ? draw(&v, command) : list(&v, command);
    table_title(t, "Timeline of regions, by threads");
    table_fact(t, "step", "A character",
               arena_printf(&t->arena, "%.6f sec.", (double)width / 1e9));
    if (sh->export == export_text)
        table_follow(&t, legend(&v, command));
    regionsteps_free(&v.s);
    return shell_show(sh, t);
}

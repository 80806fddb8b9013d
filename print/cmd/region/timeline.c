/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "print/cmd/list.h"
#include "print/cmd/region/regionline.h"
#include "print/cmd/title.h"
#include "print/model/views/index.h"

enum {
    STEPS = 60, /* columns of the drawing by default */
    STEPS_MAX = 1000,
};

/* For what the timeline can have lines: threads, processes, and so on. */
static const struct kind {
    const char *name, *first, *second, *title;
} kinds[] = {
    { "threads", "EXPID", "THRID", "Experiment %lld, thread %lld" },
    { "cpus", "CPUID", "0", "CPU %lld" },
    { "processes", "PID", "0", "Process %lld" },
    { "experiments", "EXPID", "0", "Experiment %lld" },
    { "regions", NULL, NULL, NULL }, /* of threads: regionline.c */
};

struct timeline {
    struct shell *sh;
    const struct kind *kind;
    enum metric metric;
    u64 steps;
    u64 width; /* ns of a step */
    struct index_rows rows;
    int64_t highest; /* value of a step */
};

static const struct kind *
find_kind(const char *name)
{
    size_t n = strlen(name);

    for (u32 i = 0; i < ER_COUNT(kinds) && n; i++)
        if (!strncasecmp(kinds[i].name, name, n))
            return &kinds[i];
    return NULL;
}

static u64
longest_run(const struct session *s)
{
    u64 longest = 1;

    for (u32 i = 0; i < s->nexperiments; i++) {
        u64 ns = experiment_since(s->experiment[i], s->experiment[i]->end_mono);

        longest = ns > longest ? ns : longest;
    }
    return longest;
}

static u64
step_width(const struct timeline *l)
{
    return (longest_run(l->sh->session) + l->steps - 1) / l->steps;
}

static int
build(struct timeline *l)
{
    char step[48];
    struct filter_error error;
    struct index_def def = { { l->kind->first, l->kind->second, step }, INDEX_PLAIN,
                             INDEX_MOMENTS };
    int err;

    l->width = step_width(l);
    snprintf(step, sizeof(step), "TSTAMP / %llu", (unsigned long long)l->width);
    err = index_build(l->sh->session, &def, &l->rows, &error);
    for (u32 i = 0; i < l->rows.count && !err; i++)
        if (l->rows.row[i].key.known &&
            l->rows.row[i].value.v[l->metric] > l->highest)
            l->highest = l->rows.row[i].value.v[l->metric];
    return err;
}

static bool
same_line(const struct index_row *a, const struct index_row *b)
{
    return a->key.v[0] == b->key.v[0] && a->key.v[1] == b->key.v[1];
}

static void
put_name(const struct timeline *l, struct table *t, u32 column,
         const struct index_row *row)
{
    bool both = strcmp(l->kind->second, "0") != 0;
    char *name = NULL;
    size_t size;
    FILE *f = open_memstream(&name, &size);

    if (f) {
        /* The formats are those in the table `kinds`. */
        fprintf(f, "%.*s%lld", (int)strcspn(l->kind->title, "%"), l->kind->title,
                (long long)row->key.v[0]);
        if (both)
            fprintf(f, ", thread %lld", (long long)row->key.v[1]);
        title_put(l->sh, l->kind->first, row->key.v[0], l->kind->second, row->key.v[1],
                  f);
        if (!fclose(f))
            table_text(t, column, name);
    }
    free(name);
}

/* The character for a value: the larger the value, the darker. */
static char
shade(const struct timeline *l, int64_t value)
{
    static const char shades[] = ".:-=+*#%@";
    u64 n = sizeof(shades) - 1;

    if (value <= 0)
        return ' ';
    n = (u64)((double)value / (double)l->highest * (double)n);
    return shades[n < sizeof(shades) - 1 ? n : sizeof(shades) - 2];
}

static u32
value_column(const struct timeline *l, struct table *t)
{
    const struct metric_desc *d = &metrics[l->metric];

    if (d->unit == METRIC_NS)
        return table_column(t, d->name, d->title, "sec.", COL_NS, 0);
    return table_column(t, d->name, d->title, d->unit == METRIC_BYTES ? "byte" : "",
                        COL_COUNT, 0);
}

/* Does the limit allow one more row? If not, the row is counted as left out. */
static bool
has_room(const struct timeline *l, struct table *t)
{
    bool room = !l->sh->limit || t->nrows < l->sh->limit;

    t->nleft_out += !room;
    return room;
}

/* Draw a line of shades for each thread (or process, ...). */
static void
draw(const struct timeline *l, struct table *t)
{
    u32 total = value_column(l, t);
    u32 line = table_column(t, "line", "From 0 to the end", "", COL_TEXT, 0);
    u32 name = table_column(t, "name", "Name", "", COL_TEXT, 0), next;
    char text[STEPS_MAX + 3];

    for (u32 i = 0; i < l->rows.count; i = next) {
        const struct index_row *first = &l->rows.row[i];
        int64_t sum = 0;

        next = i + 1;
        if (!first->key.known)
            continue;
        memset(text, ' ', sizeof(text));
        text[0] = text[l->steps + 1] = '|';
        text[l->steps + 2] = '\0';
        for (next = i; next < l->rows.count && same_line(first, &l->rows.row[next]);
             next++) {
            int64_t value = l->rows.row[next].value.v[l->metric];
            u64 step = (u64)l->rows.row[next].key.v[2];

            sum += value;
            text[1 + (step < l->steps ? step : l->steps - 1)] = shade(l, value);
        }
        if (!has_room(l, t))
            continue;
        table_row(t, 0);
        table_number(t, total, (u64)sum);
        table_text(t, line, text);
        put_name(l, t, name, first);
    }
}

/* List a row for each step that has a value. */
static void
list_steps(const struct timeline *l, struct table *t)
{
    u32 name = table_column(t, "name", "Name", "", COL_TEXT, 0);
    u32 from = table_column(t, "from", "From", "sec.", COL_NS, 0);
    u32 to = table_column(t, "to", "To", "sec.", COL_NS, 0);
    u32 value = value_column(l, t), lines = 0;

    for (u32 i = 0; i < l->rows.count; i++) {
        const struct index_row *row = &l->rows.row[i];

        lines += row->key.known && (!i || !same_line(row, row - 1));
        if (!row->key.known || !row->value.v[l->metric])
            continue;
        if (l->sh->limit && lines > l->sh->limit) {
            t->nleft_out++;
            continue;
        }
        table_row(t, 0);
        put_name(l, t, name, row);
        table_number(t, from, (u64)row->key.v[2] * l->width);
        table_number(t, to, ((u64)row->key.v[2] + 1) * l->width);
        table_number(t, value, (u64)row->value.v[l->metric]);
    }
}

static void
add_facts(const struct timeline *l, struct table *t)
{
    const char *sec = metrics[l->metric].unit == METRIC_NS ? " sec." : "";
    double unit = *sec ? 1e9 : 1;

    table_fact(t, "step", "A character",
               arena_printf(&t->arena, "%.6f sec.", (double)l->width / 1e9));
    table_fact(t, "highest", "The darkest",
               arena_printf(&t->arena, "%.*f%s", *sec ? 6 : 0,
                            (double)l->highest / unit, sec));
}

int
cmd_timeline(struct shell *sh, int argc, char **argv)
{
    struct timeline l = { .sh = sh, .metric = shell_metric(sh), .steps = STEPS };
    struct table *t;
    int err;

    l.kind = find_kind(argc > 1 ? argv[1] : "threads");
    if (!l.kind)
        return shell_fail(sh, "\"%s\" is none of threads, cpus, processes, "
                              "experiments, regions",
                          argv[1]);
    if (argc > 2 && shell_number(sh, argv[2], STEPS_MAX, &l.steps))
        return 1;
    if (!l.steps)
        return shell_fail(sh, "a timeline has at least one step");
    if (!l.kind->first)
        return regionline_show(sh, argv[0], (u32)l.steps, step_width(&l));
    err = build(&l);
    if (err)
        return shell_fail_errno(sh, err, "the timeline cannot be made");
    t = table_new(argv[0], LAYOUT_COLUMNS);
    table_title(t, "Timeline of %s, by %s", metrics[l.metric].title, l.kind->name);
    add_facts(&l, t);
    if (sh->export == export_text)
        draw(&l, t);
    else
        list_steps(&l, t);
    index_free(&l.rows);
    return shell_show(sh, t);
}

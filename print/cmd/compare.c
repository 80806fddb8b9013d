/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/compare.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "print/cmd/comparison.h"

static const struct {
    int (*rows)(struct session *, const struct order *, struct rows *);
    const char *title;
    const char *name;        /* heading of the names of functions */
    const char *key, *place; /* of the column before them */
} views[] = {
    [COMPARE_FUNCTIONS] = { view_functions, "Functions", "Name", "", "" },
    [COMPARE_LINES] = { view_lines, "Source lines", "Function", "line", "Line" },
    [COMPARE_PCS] = { view_pcs, "Program counters", "Function", "pc", "PC" },
    [COMPARE_CALLS] = { NULL, "Callers, *function, callees", "Name", "role", "" },
};

struct wanted {
    const struct comparison *c;
    const char *name, *place;
};

static bool
same_entry(const void *context, u32 index)
{
    const struct wanted *wanted = context;
    const struct entry *entry = &wanted->c->entry[index];

    return !strcmp(entry->name, wanted->name) && !strcmp(entry->place, wanted->place);
}

struct entry *
comparison_entry(struct comparison *c, const char *name, const char *place)
{
    struct wanted wanted = { c, name, place };
    u32 value = (u32)hash_str(hash_str(7, name), place);
    u32 at = hash_find(&c->hash, value, same_entry, &wanted);
    size_t size = c->ngroups * sizeof(struct values);

    if (at != HASH_NONE)
        return &c->entry[at];
    if (hash_add(&c->hash, value, c->count) < 0)
        return NULL;
    c->entry = mem_grow(c->entry, c->count, sizeof(*c->entry));
    c->entry[c->count] = (struct entry){
        arena_strdup(&c->arena, name),
        arena_strdup(&c->arena, place),
        false,
        ROLE_CALLER,
        arena_alloc(&c->arena, size),
        arena_alloc(&c->arena, size),
        arena_alloc(&c->arena, size),
    };
    return &c->entry[c->count++];
}

static int
take_rows(struct comparison *c, u32 group, const struct rows *rows)
{
    struct session *s = c->sh->session;

    values_add(&c->whole[group], &rows->total.incl);
    values_add(&c->entry[0].excl[group], &rows->total.incl);
    values_add(&c->entry[0].incl[group], &rows->total.incl);
    for (u32 i = 0; i < rows->count; i++) {
        const struct row *row = &rows->row[i];
        struct entry *entry;
        char place[256] = "";

        if (c->view == COMPARE_LINES)
            list_place(c->sh, row->object, row->file, row->line, place, sizeof(place));
        else if (c->view == COMPARE_PCS)
            list_pc(c->sh, row, place, sizeof(place));
        entry = comparison_entry(c, function_name(s, row->func), place);
        if (!entry)
            return -ENOMEM;
        entry->sampled = row->func == FUNC_UNKNOWN || row->func >= FUNC_PSEUDO_COUNT;
        values_add(&entry->excl[group], &row->excl);
        values_add(&entry->incl[group], &row->incl);
    }
    return 0;
}

/* What one group has, with a filter that lets only it pass. */
static int
take_group(struct comparison *c, u32 group)
{
    struct session *s = c->sh->session;
    struct filter_error error;
    struct rows rows;
    char text[40];
    int err;

    snprintf(text, sizeof(text), "EXPGRID == %u", c->group[group] + 1);
    err = filter_set(s, FILTER_GROUP, text, &error);
    if (!err && c->view == COMPARE_CALLS) {
        err = comparison_take_calls(c, group);
    } else if (!err) {
        err = views[c->view].rows(s, &c->order, &rows);
        if (err)
            return err;
        err = take_rows(c, group, &rows);
        rows_free(&rows);
    }
    return err ? err : noise_measure(s, &c->noise[group]);
}

static void
find_groups(const struct session *s, u32 **group, u32 *count)
{
    *group = NULL;
    *count = 0;
    for (u32 i = 0; i < s->nexperiments; i++) {
        u32 k = 0;

        while (k < *count && (*group)[k] != s->experiment[i]->group)
            k++;
        if (k < *count)
            continue;
        *group = mem_grow(*group, *count, sizeof(**group));
        (*group)[(*count)++] = s->experiment[i]->group;
    }
}

bool
compare_is_on(const struct shell *sh)
{
    u32 *group, count;

    if (sh->compare == COMPARE_OFF)
        return false;
    find_groups(sh->session, &group, &count);
    free(group);
    return count > 1;
}

static const struct values *
values_of(const struct entry *e, const struct mspec_item *it)
{
    return it->flavour == FLAVOUR_EXCLUSIVE    ? e->excl
           : it->flavour == FLAVOUR_ATTRIBUTED ? e->attr
                                               : e->incl;
}

static int64_t
value_of(const struct entry *e, u32 group, const struct mspec_item *it)
{
    return metric_value(&values_of(e, it)[group], it->metric);
}

/* |a - b|; 0 where one of them is not known. */
static int64_t
distance(int64_t a, int64_t b)
{
    u64 d = a < b ? (u64)b - (u64)a : (u64)a - (u64)b;

    if (a == METRIC_UNKNOWN || b == METRIC_UNKNOWN)
        return 0;
    return d < INT64_MAX ? (int64_t)d : INT64_MAX;
}

/* By what entries are sorted: differences, where they are shown. */
static int64_t
rank(const struct comparison *c, const struct entry *e)
{
    struct mspec_item it = { .metric = c->order.metric, .flavour = c->order.flavour };
    int64_t most = 0, first = value_of(e, 0, &it);

    for (u32 g = 0; g < c->ngroups; g++) {
        int64_t v = value_of(e, g, &it);

        if (c->sh->compare != COMPARE_ON)
            v = distance(v, first);
        most = v > most ? v : most;
    }
    return most;
}

static int
compare(const void *a, const void *b, void *context)
{
    const struct comparison *c = context;
    const struct entry *x = a, *y = b;
    int order = 0;

    if (x->role != y->role)
        return x->role < y->role ? -1 : 1;
    if (c->order.by == ORDER_METRIC) {
        int64_t left = rank(c, x), right = rank(c, y);

        order = left < right ? 1 : left > right ? -1 : 0;
    }
    if (!order)
        order = strcmp(x->name, y->name);
    if (!order)
        order = strcmp(x->place, y->place);
    return c->order.reverse ? -order : order;
}

static void
fill_ratio(const struct comparison *c, struct table *t, u32 column, u32 group,
           int64_t first, int64_t v)
{
    bool plain = c->sh->compare == COMPARE_ON || group == 0;

    if (v == METRIC_UNKNOWN || (!plain && first == METRIC_UNKNOWN))
        return;
    if (plain)
        table_real(t, column, (double)v / 1e6);
    else if (c->sh->compare == COMPARE_DELTA)
        table_real(t, column, ((double)v - (double)first) / 1e6);
    else if (first)
        table_real(t, column, (double)v / (double)first);
}

static void
fill_difference(const struct comparison *c, struct table *t, u32 column, u32 group,
                const struct entry *e, const struct mspec_item *it)
{
    int64_t first = value_of(e, 0, it), v = value_of(e, group, it);

    if (metric_is_ratio(it->metric)) {
        fill_ratio(c, t, column, group, first, v);
        return;
    }
    if (c->sh->compare == COMPARE_ON || group == 0)
        table_number(t, column, (u64)v);
    else if (c->sh->compare == COMPARE_DELTA)
        table_number(t, column, (u64)v - (u64)first);
    else if (first)
        table_real(t, column, (double)v / (double)first);
}

static void
fill_share(const struct comparison *c, struct table *t, u32 column, u32 group,
           const struct entry *e, const struct mspec_item *it)
{
    double share[2] = { 0 };

    for (u32 i = 0; i < 2; i++) {
        u32 g = i ? group : 0;
        double whole = (double)metric_value(&c->whole[g], it->metric);

        share[i] = whole != 0 ? 100 * (double)value_of(e, g, it) / whole : 0;
    }
    if (c->sh->compare == COMPARE_ON || group == 0)
        table_real(t, column, share[1]);
    else if (c->sh->compare == COMPARE_DELTA)
        table_real(t, column, share[1] - share[0]);
    else if (share[0] != 0)
        table_real(t, column, share[1] / share[0]);
}

/* A column of one item and one group. */
struct shown {
    struct mspec_item item;
    u32 group;
    u32 column;
    bool noise; /* whether it is the interval, and then the mark, of a difference */
    u32 mark;
};

struct columns {
    struct table *t;
    struct shown *shown;
    u32 count;
    u32 name, place, starred;
};

static enum column_type
type_of(const struct comparison *c, const struct mspec_item *it, u32 group)
{
    if (c->sh->compare == COMPARE_RATIO && group)
        return COL_REAL;
    if (it->visibility == '%')
        return COL_PERCENT;
    if (metric_is_ratio(it->metric))
        return COL_REAL;
    return metrics[it->metric].unit == METRIC_NS ? COL_NS : COL_COUNT;
}

static const char *
unit_of(const struct comparison *c, const struct mspec_item *it, u32 group)
{
    if (c->sh->compare == COMPARE_RATIO && group)
        return "ratio";
    if (it->visibility == '%')
        return "%";
    return metrics[it->metric].unit == METRIC_NS      ? "sec."
           : metrics[it->metric].unit == METRIC_BYTES ? "byte"
                                                      : "";
}

/* The interval, and whether the difference is within it. */
static void
add_noise(const struct comparison *c, struct columns *cols, struct shown shown)
{
    char key[64];

    if (!noise_concerns(shown.item.metric) || shown.item.visibility == '%' ||
        c->sh->compare == COMPARE_ON || shown.group == 0)
        return;
    shown.noise = true;
    snprintf(key, sizeof(key), "noise.%c%s.%u", "eia"[shown.item.flavour],
             metrics[shown.item.metric].name, shown.group + 1);
    shown.column = table_column(cols->t, key, "\n+/-\n95 %", "sec.", COL_NS, 0);
    snprintf(key, sizeof(key), "within.%c%s.%u", "eia"[shown.item.flavour],
             metrics[shown.item.metric].name, shown.group + 1);
    shown.mark = table_column(cols->t, key, "\n\n", "", COL_TEXT, 0);
    cols->shown = mem_grow(cols->shown, cols->count, sizeof(shown));
    cols->shown[cols->count++] = shown;
}

static void
add_item(const struct comparison *c, struct columns *cols, const struct mspec_item *it)
{
    static const char *const words[] = { "Excl.", "Incl.", "Attr." };
    static const char *const forms[] = { "", "", "delta ", "ratio " };

    for (u32 g = 0; g < c->ngroups; g++) {
        struct shown shown = { .item = *it, .group = g };
        char key[64], title[128];

        snprintf(key, sizeof(key), "%c%c%s.%u", "eia"[it->flavour], it->visibility,
                 metrics[it->metric].name, g + 1);
        snprintf(title, sizeof(title), "%s\n%s\n%s%u",
                 words[it->flavour], metrics[it->metric].title,
                 g ? forms[c->sh->compare] : "", g + 1);
        shown.column = table_column(cols->t, key, title, unit_of(c, it, g),
                                    type_of(c, it, g), 0);
        cols->shown = mem_grow(cols->shown, cols->count, sizeof(shown));
        cols->shown[cols->count++] = shown;
        add_noise(c, cols, shown);
    }
}

static void
add_columns(const struct comparison *c, struct columns *cols)
{
    struct mspec spec;

    mcols_shown(c->sh, c->view == COMPARE_CALLS ? MCOLS_CALLS : MCOLS_PLACES, &spec);
    for (u32 i = 0; i < spec.n; i++)
        if (spec.item[i].kind == MSPEC_METRIC && metric_is_there(spec.item[i].metric))
            add_item(c, cols, &spec.item[i]);
    if (c->view != COMPARE_FUNCTIONS)
        cols->place = table_column(cols->t, views[c->view].key, views[c->view].place,
                                   "", COL_TEXT,
                                   c->view == COMPARE_CALLS ? COL_DATA_ONLY : 0);
    if (c->view == COMPARE_CALLS)
        cols->starred =
            table_column(cols->t, "shown", "Name", "", COL_TEXT, COL_TEXT_ONLY);
    cols->name = table_column(cols->t, "name", views[c->view].name, "", COL_TEXT,
                              c->view == COMPARE_CALLS ? COL_DATA_ONLY : 0);
}

/* <Total>, <startup> and so on are what the kernel says: no chance is in them. */
static void
fill_noise(const struct comparison *c, const struct columns *cols,
           const struct shown *shown, const struct entry *e)
{
    const struct values *v = values_of(e, &shown->item);
    double variance = noise_variance(&c->noise[0], &v[0], shown->item.metric) +
                      noise_variance(&c->noise[shown->group], &v[shown->group],
                                     shown->item.metric);
    double width = 1.96 * sqrt(variance);
    double difference = (double)(v[shown->group].v[shown->item.metric] -
                                 v[0].v[shown->item.metric]);

    if (!e->sampled)
        return;
    table_number(cols->t, shown->column, (u64)(width + 0.5));
    if (fabs(difference) <= width)
        table_text(cols->t, shown->mark, "~");
}

static void
add_row(const struct comparison *c, const struct columns *cols, const struct entry *e)
{
    table_row(cols->t, 0);
    for (u32 i = 0; i < cols->count; i++) {
        const struct shown *shown = &cols->shown[i];

        if (shown->noise)
            fill_noise(c, cols, shown, e);
        else
            (shown->item.visibility == '%' ? fill_share : fill_difference)(
                c, cols->t, shown->column, shown->group, e, &shown->item);
    }
    table_text(cols->t, cols->name, e->name);
    if (c->view == COMPARE_CALLS)
        table_format(cols->t, cols->starred, "%c%s", e->role == ROLE_SELF ? '*' : ' ',
                     e->name);
    if (c->view != COMPARE_FUNCTIONS)
        table_text(cols->t, cols->place, e->place);
}

/* The functions that call each other, outermost first. */
static void
add_fragment(const struct comparison *c, struct table *t)
{
    const char *names = "";

    for (u32 i = 0; i < c->sh->nfragment; i++)
        names = arena_printf(&t->arena, "%s%s%s", names, i ? " > " : "",
                             function_name(c->sh->session, c->sh->fragment[i]));
    table_fact(t, "fragment", "Fragment", names);
}

static void
add_facts(const struct comparison *c, struct table *t)
{
    const struct session *s = c->sh->session;

    for (u32 g = 0; g < c->ngroups; g++) {
        const char *names = "";
        char key[16];

        for (u32 i = 0; i < s->nexperiments; i++)
            if (s->experiment[i]->group == c->group[g])
                names = arena_printf(&t->arena, "%s%s%s", names, *names ? ", " : "",
                                     s->experiment[i]->path);
        snprintf(key, sizeof(key), "group%u", g + 1);
        table_fact(t, key, arena_printf(&t->arena, "%u", g + 1), names);
    }
    if (c->view == COMPARE_CALLS && c->sh->nfragment > 1)
        add_fragment(c, t);
    if (c->sh->compare != COMPARE_ON && noise_concerns(c->order.metric))
        table_fact(t, "noise", "~", "within what chance does to samples, in 19 of 20 "
                                    "cases");
}

static int
show(struct comparison *c, const char *command)
{
    struct columns cols = { .t = list_table(command, views[c->view].title,
                                            &c->order) };
    bool calls = c->view == COMPARE_CALLS;
    u32 n, first = !calls;

    add_facts(c, cols.t);
    add_columns(c, &cols);
    if (!calls)
        add_row(c, &cols, &c->entry[0]);
    n = calls ? c->count : shell_limit(c->sh, cols.t, c->count - 1);
    qsort_r(c->entry + first, c->count - first, sizeof(*c->entry), compare, c);
    for (u32 i = first; i < first + n; i++)
        add_row(c, &cols, &c->entry[i]);
    free(cols.shown);
    return shell_show(c->sh, cols.t);
}

static int
run(struct shell *sh, const char *command, enum compare_view view)
{
    struct comparison c = { .sh = sh, .view = view };
    int err = 0;

    find_groups(sh->session, &c.group, &c.ngroups);
    c.order = view == COMPARE_CALLS ? list_call_order(sh) : list_order(sh);
    c.whole = arena_alloc(&c.arena, c.ngroups * sizeof(*c.whole));
    c.noise = mem_realloc(NULL, c.ngroups * sizeof(*c.noise));
    if (view != COMPARE_CALLS && !comparison_entry(&c, "<Total>", ""))
        err = -ENOMEM;
    for (u32 g = 0; g < c.ngroups && !err; g++)
        err = take_group(&c, g);
    filter_set(sh->session, FILTER_GROUP, NULL, NULL);
    err = err ? shell_fail_errno(sh, err, "the groups cannot be compared")
              : show(&c, command);
    hash_free(&c.hash);
    arena_free(&c.arena);
    free(c.entry);
    free(c.noise);
    free(c.group);
    return err;
}

int
compare_functions(struct shell *sh, const char *command)
{
    return run(sh, command, COMPARE_FUNCTIONS);
}

int
compare_lines(struct shell *sh, const char *command)
{
    return run(sh, command, COMPARE_LINES);
}

int
compare_pcs(struct shell *sh, const char *command)
{
    return run(sh, command, COMPARE_PCS);
}

int
compare_calls(struct shell *sh, const char *command)
{
    return run(sh, command, COMPARE_CALLS);
}

int
cmd_compare(struct shell *sh, int argc, char **argv)
{
    static const char *const modes[] = {
        [COMPARE_OFF] = "off",
        [COMPARE_ON] = "on",
        [COMPARE_DELTA] = "delta",
        [COMPARE_RATIO] = "ratio",
    };

    (void)argc;
    for (u32 i = 0; i < ER_COUNT(modes); i++)
        if (!strcasecmp(modes[i], argv[1])) {
            sh->compare = (enum compare_mode)i;
            return 0;
        }
    return shell_fail(sh, "\"%s\" is none of off, on, delta, ratio", argv[1]);
}

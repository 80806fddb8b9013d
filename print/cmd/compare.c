/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/compare.h"

#include <errno.h>
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
    const char *key, *place;
};

static bool
same_entry(const void *context, u32 index)
{
    const struct wanted *wanted = context;
    const struct entry *entry = &wanted->c->entry[index];

    return !strcmp(entry->key, wanted->key) && !strcmp(entry->place, wanted->place);
}

struct entry *
comparison_entry(struct comparison *c, u32 func, const char *place)
{
    struct wanted wanted = { c, comparison_key(c, func), place };
    u32 value = (u32)hash_str(hash_str(7, wanted.key), place);
    u32 at = hash_find(&c->hash, value, same_entry, &wanted);
    size_t size = c->ngroups * sizeof(struct values);

    if (at != HASH_NONE)
        return &c->entry[at];
    if (hash_add(&c->hash, value, c->count) < 0)
        return NULL;
    c->entry = mem_grow(c->entry, c->count, sizeof(*c->entry));
    c->entry[c->count] = (struct entry){
        arena_strdup(&c->arena, wanted.key),
        arena_strdup(&c->arena, comparison_shown(c, func)),
        arena_strdup(&c->arena, place),
        false,
        ROLE_CALLER,
        arena_alloc(&c->arena, size),
        arena_alloc(&c->arena, size),
        arena_alloc(&c->arena, size),
    };
    return &c->entry[c->count++];
}

/*
 * Write a row's function and offset; the function by the name that it has in this
 * group.
 */
static void
put_pc(const struct comparison *c, const struct row *row, char *place, size_t size)
{
    const char *title = function_title(c->sh->session, row->func);
    char text[256];

    list_pc(c->sh, row, text, sizeof(text));
    if (strncmp(text, title, strlen(title)) != 0)
        snprintf(place, size, "%s", text);
    else
        snprintf(place, size, "%s%s", comparison_shown(c, row->func),
                 text + strlen(title));
}

static int
add_rows(struct comparison *c, u32 group, const struct rows *rows)
{
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
            put_pc(c, row, place, sizeof(place));
        entry = comparison_entry(c, row->func, place);
        if (!entry)
            return -ENOMEM;
        entry->sampled = comparison_sampled(row->func);
        values_add(&entry->excl[group], &row->excl);
        values_add(&entry->incl[group], &row->incl);
    }
    return 0;
}

int
comparison_take_rows(struct comparison *c, u32 group, void *unused)
{
    struct rows rows;
    int err = views[c->view].rows(c->sh->session, &c->order, &rows);

    (void)unused;
    if (err)
        return err;
    err = add_rows(c, group, &rows);
    rows_free(&rows);
    return err;
}

static int
take_calls(struct comparison *c, u32 group, void *unused)
{
    (void)unused;
    return comparison_take_calls(c, group);
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
        int64_t left = comparison_rank(c, x), right = comparison_rank(c, y);

        order = left < right ? 1 : left > right ? -1 : 0;
    }
    if (!order)
        order = strcmp(x->key, y->key);
    if (!order)
        order = strcmp(x->place, y->place);
    return c->order.reverse ? -order : order;
}

void
comparison_sort(struct comparison *c, u32 first)
{
    qsort_r(c->entry + first, c->count - first, sizeof(*c->entry), compare, c);
}

struct columns {
    struct table *t;
    struct comparison_columns cols;
    u32 name, place, starred;
};

static void
add_columns(const struct comparison *c, struct columns *cols)
{
    bool calls = c->view == COMPARE_CALLS;

    comparison_columns(c, &cols->cols, cols->t, calls ? MCOLS_CALLS : MCOLS_PLACES);
    if (c->view != COMPARE_FUNCTIONS)
        cols->place = table_column(cols->t, views[c->view].key, views[c->view].place,
                                   "", COL_TEXT, calls ? COL_DATA_ONLY : 0);
    if (calls)
        cols->starred =
            table_column(cols->t, "shown", "Name", "", COL_TEXT, COL_TEXT_ONLY);
    cols->name = table_column(cols->t, "name", views[c->view].name, "", COL_TEXT,
                              calls ? COL_DATA_ONLY : 0);
}

static void
add_row(const struct comparison *c, const struct columns *cols, const struct entry *e)
{
    table_row(cols->t, 0);
    comparison_fill(c, &cols->cols, e);
    table_text(cols->t, cols->name, e->name);
    if (c->view == COMPARE_CALLS)
        table_format(cols->t, cols->starred, "%c%s", e->role == ROLE_SELF ? '*' : ' ',
                     e->name);
    if (c->view != COMPARE_FUNCTIONS)
        table_text(cols->t, cols->place, e->place);
}

/* List the functions of the fragment, which call each other, outermost first. */
static void
add_fragment(const struct comparison *c, struct table *t)
{
    const char *names = "";

    for (u32 i = 0; i < c->sh->nfragment; i++)
        names = arena_printf(&t->arena, "%s%s%s", names, i ? " > " : "",
                             function_name(c->sh->session, c->sh->fragment[i]));
    table_fact(t, "fragment", "Fragment", names);
}

static int
show(struct comparison *c, const char *command)
{
    struct columns cols = { .t = list_table(command, views[c->view].title,
                                            &c->order) };
    bool calls = c->view == COMPARE_CALLS;
    u32 n, first = !calls;

    comparison_facts(c, cols.t);
    if (calls && c->sh->nfragment > 1)
        add_fragment(c, cols.t);
    comparison_noise_fact(c, cols.t);
    add_columns(c, &cols);
    if (!calls)
        add_row(c, &cols, &c->entry[0]);
    n = calls ? c->count : shell_limit(c->sh, cols.t, c->count - 1);
    comparison_sort(c, first);
    for (u32 i = first; i < first + n; i++)
        add_row(c, &cols, &c->entry[i]);
    comparison_columns_free(&cols.cols);
    return shell_show(c->sh, cols.t);
}

static int
run(struct shell *sh, const char *command, enum compare_view view)
{
    struct comparison c;
    int err = 0;

    comparison_open(&c, sh, view == COMPARE_CALLS ? list_call_order(sh)
                                                  : list_order(sh));
    c.view = view;
    if (view != COMPARE_CALLS && !comparison_entry(&c, FUNC_TOTAL, ""))
        err = -ENOMEM;
    if (!err)
        err = comparison_each_group(
            &c, view == COMPARE_CALLS ? take_calls : comparison_take_rows, NULL);
    err = err ? shell_fail_errno(sh, err, "the groups cannot be compared")
              : show(&c, command);
    comparison_close(&c);
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

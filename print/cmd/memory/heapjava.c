/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/memory/heapjava.h"

#include "print/model/classes.h"
#include "print/model/views/index.h"

/* The metrics of the columns; a method's values are what it allocates itself. */
static const enum metric shown[] = {
    METRIC_javaallocbytes, METRIC_javaalloccnt, METRIC_javalivebytes,
    METRIC_javalivecnt,
};

enum { COLUMNS = ER_COUNT(shown) + 1 }; /* and the name */

bool
heapjava_any(struct shell *sh)
{
    struct record_source source;

    for (u32 i = 0; i < sh->session->nexperiments; i++)
        if (experiment_source(sh->session->experiment[i], FILE_objects, &source) == 0)
            return true;
    return false;
}

static void
add_columns(struct table *t, u32 *column)
{
    for (u32 i = 0; i < ER_COUNT(shown); i++)
        column[i] = table_column(t, metrics[shown[i]].name, metrics[shown[i]].title,
                                 metrics[shown[i]].unit == METRIC_BYTES ? "byte" : "",
                                 COL_COUNT, 0);
    column[ER_COUNT(shown)] = table_column(t, "name", "Name", "", COL_TEXT, 0);
}

static void
add_row(struct table *t, const u32 *column, const struct values *values,
        const char *name)
{
    table_row(t, 0);
    for (u32 i = 0; i < ER_COUNT(shown); i++)
        table_number(t, column[i], (u64)values->v[shown[i]]);
    table_text(t, column[ER_COUNT(shown)], name);
}

/* Say how much a sample stands for, by the first experiment that records that. */
static void
add_interval(struct shell *sh, struct table *t)
{
    for (u32 i = 0; i < sh->session->nexperiments; i++) {
        const struct log_event_row *event =
            log_find_event(&sh->session->experiment[i]->log, "java_objects");
        const char *bytes = event ? log_event_attr(event, "arg1") : NULL;

        if (!bytes)
            continue;
        table_fact(t, "estimated", "Estimated",
                   arena_printf(&t->arena, "from samples, one for each %s bytes on "
                                           "average", bytes));
        return;
    }
}

static int
add_classes(struct shell *sh, const char *command, struct table **tables)
{
    struct order order = { .by = ORDER_METRIC, .metric = shown[0],
                           .flavour = FLAVOUR_INCLUSIVE };
    struct index_def def = { { "JCLASS" }, INDEX_CLASS, false };
    u32 column[COLUMNS], left, known = 0;
    struct filter_error error;
    struct index_rows rows;
    struct table *t;
    int err = index_build(sh->session, &def, &rows, &error);

    if (err)
        return err;
    index_sort(&rows, &order);
    t = list_table(command, "Java's objects by class", &order);
    add_interval(sh, t);
    add_columns(t, column);
    add_row(t, column, &rows.total, "<Total>");
    for (u32 i = 0; i < rows.count; i++)
        if (rows.row[i].value.v[shown[0]])
            rows.row[known++] = rows.row[i];
    left = shell_limit(sh, t, known);
    for (u32 i = 0; i < left; i++) {
        const struct index_key *key = &rows.row[i].key;
        const char *name =
            key->known ? classes_name(sh->session, (u64)key->v[0]) : NULL;

        add_row(t, column, &rows.row[i].value, name ? name : "<Unknown>");
    }
    index_free(&rows);
    table_follow(tables, t);
    return 0;
}

static int
add_methods(struct shell *sh, const char *command, struct table **tables)
{
    struct order order = { .by = ORDER_METRIC, .metric = shown[0],
                           .flavour = FLAVOUR_EXCLUSIVE };
    u32 column[COLUMNS], left, known = 0;
    struct table *t;
    struct rows rows;
    int err = view_functions(sh->session, &order, &rows);

    if (err)
        return err;
    t = list_table(command, "Java's objects by the method that makes them", &order);
    add_columns(t, column);
    add_row(t, column, &rows.total.excl, "<Total>");
    for (u32 i = 0; i < rows.count; i++)
        if (rows.row[i].excl.v[shown[0]])
            rows.row[known++] = rows.row[i];
    left = shell_limit(sh, t, known);
    for (u32 i = 0; i < left; i++)
        add_row(t, column, &rows.row[i].excl,
                function_title(sh->session, rows.row[i].func));
    rows_free(&rows);
    table_follow(tables, t);
    return 0;
}

int
heapjava_follow(struct shell *sh, const char *command, struct table **t)
{
    int err = add_classes(sh, command, t);

    return err ? err : add_methods(sh, command, t);
}

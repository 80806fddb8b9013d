/* SPDX-License-Identifier: Apache-2.0 */
#include <strings.h>

#include "print/cmd/heapstacks.h"
#include "print/model/symbols/frametext.h"

/* The metrics that are columns, inclusive; the first one sorts. */
static const enum metric shown[] = {
    METRIC_heappeakbytes, METRIC_heapallocbytes, METRIC_heapalloccnt,
    METRIC_heapleakbytes, METRIC_heapleakcnt,
};

static u64
count(const struct heap_sums *sums)
{
    return sums->calls;
}

static u64
bytes(const struct heap_sums *sums)
{
    return sums->peak_bytes;
}

static void
add_row(struct shell *sh, struct table *t, const u32 *column, const struct row *row)
{
    table_row(t, 0);
    for (u32 i = 0; i < ER_COUNT(shown); i++)
        table_number(t, column[i], (u64)row->incl.v[shown[i]]);
    table_text(t, column[ER_COUNT(shown)], function_title(sh->session, row->func));
}

static bool
any_shown(const struct row *row)
{
    for (u32 i = 0; i < ER_COUNT(shown); i++)
        if (row->incl.v[shown[i]])
            return true;
    return false;
}

/*
 * Keep the rows to list, and say how many wrappers of allocators are not among them:
 * what they allocate is their callers'. Returns how many are left.
 */
static u32
choose_rows(struct shell *sh, struct table *t, struct rows *rows)
{
    u32 n = 0, wrappers = 0;

    for (u32 i = 0; i < rows->count; i++) {
        if (!any_shown(&rows->row[i]))
            continue;
        if (sh->session->user && frametext_is_wrapper(sh->session, rows->row[i].func))
            wrappers++;
        else
            rows->row[n++] = rows->row[i];
    }
    if (wrappers)
        table_fact(t, "wrappers", "Not listed",
                   arena_printf(&t->arena,
                                "%u functions of language libraries (viewmode expert "
                                "lists them)",
                                wrappers));
    return n;
}

static int
show_functions(struct shell *sh, const char *command)
{
    struct order order = { .by = ORDER_METRIC,
                           .metric = shown[0],
                           .flavour = FLAVOUR_INCLUSIVE };
    u32 column[ER_COUNT(shown) + 1], left;
    struct table *t;
    struct rows rows;
    int err = view_functions(sh->session, &order, &rows);

    if (err)
        return shell_fail_errno(sh, err, "the heap cannot be shown");
    t = list_table(command, "Heap by function", &order);
    for (u32 i = 0; i < ER_COUNT(shown); i++)
        column[i] = table_column(t, metrics[shown[i]].name, metrics[shown[i]].title,
                                 metrics[shown[i]].unit == METRIC_BYTES ? "byte" : "",
                                 COL_COUNT, i > 1 ? COL_DETAIL : 0);
    column[ER_COUNT(shown)] = table_column(t, "name", "Name", "", COL_TEXT, 0);
    add_row(sh, t, column, &rows.total);
    left = shell_limit(sh, t, choose_rows(sh, t, &rows));
    for (u32 i = 0; i < left; i++)
        add_row(sh, t, column, &rows.row[i]);
    rows_free(&rows);
    return shell_show(sh, t);
}

int
cmd_heap(struct shell *sh, int argc, char **argv)
{
    struct heapstacks stacks = { argv[0], "Heap by stack", "Stack", count, bytes,
                                 true };
    const struct heap *heap;
    int err;

    if (argc > 1 && !strcasecmp(argv[1], "stacks"))
        return heapstacks_show(sh, &stacks);
    if (argc > 1 && strcasecmp(argv[1], "functions"))
        return shell_fail(sh, "\"%s\" is neither functions nor stacks", argv[1]);
    err = heap_get(sh->session, &heap);
    if (err)
        return shell_fail_errno(sh, err, "the heap cannot be shown");
    if (!heapstacks_any(heap))
        return heapstacks_nothing(sh);
    return show_functions(sh, argv[0]);
}

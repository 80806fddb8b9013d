/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <strings.h>

#include "print/cmd/memory/heapjava.h"
#include "print/cmd/memory/heapstacks.h"
#include "print/model/heap/heapown.h"
#include "print/model/symbols/frametext.h"
#include "print/model/pass/tally.h"

/* The metrics of the columns, inclusive; rows are sorted by the first one. */
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

/* The columns: what a function has allocated itself, then the metrics. */
struct columns {
    struct shell *sh;
    struct table *t;
    const struct heapown *own;
    u32 own_peak;
    u32 metric[ER_COUNT(shown)];
    u32 name;
};

static void
make_columns(struct columns *c)
{
    struct table *t = c->t;

    c->own_peak = table_column(t, "own_heappeakbytes", "Own\nPeak Bytes", "byte",
                               COL_COUNT, 0);
    for (u32 i = 0; i < ER_COUNT(shown); i++)
        c->metric[i] = table_column(t, metrics[shown[i]].name, metrics[shown[i]].title,
                                    metrics[shown[i]].unit == METRIC_BYTES ? "byte"
                                                                           : "",
                                    COL_COUNT, i > 1 ? COL_DETAIL : 0);
    c->name = table_column(t, "name", "Name", "", COL_TEXT, 0);
}

static void
add_row(const struct columns *c, const struct row *row, u64 own)
{
    table_row(c->t, 0);
    table_function(c->t, row->func);
    table_number(c->t, c->own_peak, own);
    for (u32 i = 0; i < ER_COUNT(shown); i++)
        table_number(c->t, c->metric[i], (u64)row->incl.v[shown[i]]);
    table_text(c->t, c->name, function_title(c->sh->session, row->func));
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
 * Keep the rows to list. Functions that only wrap an allocator are left out, and
 * counted: what they allocate counts for their callers. Returns how many rows are kept.
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
                                "%u function%s of language libraries (viewmode expert "
                                "lists %s)", wrappers, wrappers == 1 ? "" : "s",
                                wrappers == 1 ? "it" : "them"));
    return n;
}

/* Sort by what functions have allocated themselves, then by the metrics, in order. */
static int
by_own(const void *a, const void *b, void *context)
{
    const struct row *x = a, *y = b;
    u64 first = heapown_peak(context, x->func), second = heapown_peak(context, y->func);

    if (first != second)
        return first < second ? 1 : -1;
    for (u32 i = 0; i < ER_COUNT(shown); i++)
        if (x->incl.v[shown[i]] != y->incl.v[shown[i]])
            return x->incl.v[shown[i]] < y->incl.v[shown[i]] ? 1 : -1;
    return x->func < y->func ? -1 : x->func > y->func;
}

static int
show_rows(struct shell *sh, const char *command, struct rows *rows,
          struct heapown *own)
{
    struct columns c = { .sh = sh, .t = table_new(command, LAYOUT_COLUMNS),
                         .own = own };
    u32 left;
    int err;

    table_title(c.t, "Heap by function, by what they hold themselves at the peak");
    make_columns(&c);
    add_row(&c, &rows->total, (u64)rows->total.incl.v[METRIC_heappeakbytes]);
    left = choose_rows(sh, c.t, rows);
    qsort_r(rows->row, left, sizeof(*rows->row), by_own, own);
    left = shell_limit(sh, c.t, left);
    for (u32 i = 0; i < left; i++)
        add_row(&c, &rows->row[i], heapown_peak(own, rows->row[i].func));
    err = heapjava_any(sh) ? heapjava_follow(sh, command, &c.t) : 0;
    if (!err)
        return shell_show(sh, c.t);
    table_free(c.t);
    return shell_fail_errno(sh, err, "Java's objects cannot be shown");
}

static int
show_functions(struct shell *sh, const char *command, const struct heap *heap)
{
    struct order order = { .by = ORDER_METRIC,
                           .metric = shown[0],
                           .flavour = FLAVOUR_INCLUSIVE };
    struct heapown own;
    struct rows rows;
    int err = heapown_get(sh->session, heap, &own), status;

    if (err == 0) {
        err = view_functions(sh->session, &order, &rows);
        if (err)
            heapown_free(&own);
    }
    if (err)
        return shell_fail_errno(sh, err, "the heap cannot be shown");
    status = show_rows(sh, command, &rows, &own);
    rows_free(&rows);
    heapown_free(&own);
    return status;
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
    err = tally_heap(sh->session, &heap);
    if (err)
        return shell_fail_errno(sh, err, "the heap cannot be shown");
    if (!heapstacks_any(heap))
        return heapstacks_nothing(sh);
    return show_functions(sh, argv[0], heap);
}

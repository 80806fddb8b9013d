/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/memory/heapfunctions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/model/heap/heaptime.h"
#include "print/model/symbols/function.h"

enum {
    FIRST = 10, /* functions that are shown of each order: by what they held, ... */
};

/* Of a function, or of several, in some steps. */
struct sums {
    u64 top, left, calls, bytes, temporary;
    bool partial; /* temporary is not known of all these blocks */
};

struct view {
    struct shell *sh;
    struct table *t;
    u32 from, to, top, left, calls, bytes, temporary, experiment, name;
    u32 steps; /* at most, of each process */
    /* Of the present process: */
    const char *path;
    const struct heap_process *process;
    struct heaptime time;
    struct sums *whole; /* by number of the function; top: the most in any step */
    struct sums *now;   /* in the present row's steps; left: up to now */
    u32 *order;         /* numbers of the functions that have rows */
    u32 shown;
    bool *has_rows; /* by number */
};

static void
make_columns(struct view *v, const char *command)
{
    struct table *t = v->t = table_new(command, LAYOUT_COLUMNS);

    table_title(t, "Heap over time, by the function that allocated");
    v->from = table_column(t, "from", "From", "sec.", COL_NS, 0);
    v->to = table_column(t, "to", "To", "sec.", COL_NS, 0);
    v->top = table_column(t, "top", "Held when\nmost was held", "byte", COL_COUNT, 0);
    v->left = table_column(t, "left", "At the end", "byte", COL_COUNT, 0);
    v->calls = table_column(t, "calls", "Allocations", "", COL_COUNT, 0);
    v->bytes = table_column(t, "bytes", "Allocated", "byte", COL_COUNT, 0);
    v->temporary = table_column(t, "temporary", "Temporary", "", COL_COUNT, 0);
    v->experiment = table_column(t, "experiment", "Experiment", "", COL_TEXT, 0);
    v->name = table_column(t, "name", "Name", "", COL_TEXT, 0);
}

/*
 * A function that neither holds nor did anything has no row. Which blocks are temporary
 * is not known of those that a filter left out.
 */
static void
add_row(const struct view *v, u64 from, u64 to, const struct sums *sums, u32 func,
        const char *name)
{
    if (!sums->top && !sums->left && !sums->calls && !sums->temporary)
        return;
    table_row(v->t, 0);
    table_function(v->t, func);
    table_number(v->t, v->from, from);
    table_number(v->t, v->to, to);
    table_number(v->t, v->top, sums->top);
    table_number(v->t, v->left, sums->left);
    table_number(v->t, v->calls, sums->calls);
    table_number(v->t, v->bytes, sums->bytes);
    if (!sums->partial)
        table_number(v->t, v->temporary, sums->temporary);
    table_text(v->t, v->experiment, v->path);
    table_text(v->t, v->name, name);
}

static void
add_sums(struct sums *to, const struct sums *more)
{
    to->top += more->top;
    to->left += more->left;
    to->calls += more->calls;
    to->bytes += more->bytes;
    to->temporary += more->temporary;
    to->partial |= more->partial;
}

/* <Total>, functions in their order, the others, and what a filter left out. */
static void
add_rows(const struct view *v, u64 from, u64 to)
{
    struct sums total = { 0 }, others = { 0 };

    for (u32 i = 0; i < v->time.nfuncs; i++) {
        add_sums(&total, &v->now[i]);
        if (i && !v->has_rows[i])
            add_sums(&others, &v->now[i]);
    }
    add_row(v, from, to, &total, 0, "<Total>");
    for (u32 i = 0; i < v->shown; i++) {
        u32 func = v->time.func[v->order[i]];

        add_row(v, from, to, &v->now[v->order[i]], func,
                function_title(v->sh->session, func));
    }
    add_row(v, from, to, &others, 0, "<others>");
    add_row(v, from, to, &v->now[0], 0, "<not selected>");
}

static u64
held(const struct sums *sums)
{
    return sums->top;
}

static u64
calls(const struct sums *sums)
{
    return sums->calls;
}

static u64
temporary(const struct sums *sums)
{
    return sums->temporary;
}

struct ranking {
    const struct view *view;
    u64 (*by)(const struct sums *sums);
};

static int
compare(const void *a, const void *b, void *context)
{
    const struct ranking *r = context;
    const u32 *x = a, *y = b;
    u64 first = r->by(&r->view->whole[*x]), second = r->by(&r->view->whole[*y]);

    if (first != second)
        return first < second ? 1 : -1;
    return *x < *y ? -1 : *x > *y;
}

/*
 * Give rows to the functions that held most, allocated most often, or freed most blocks
 * at once. Order them by what they held.
 */
static void
choose(struct view *v, u32 *number)
{
    static u64 (*const orders[])(const struct sums *) = { temporary, calls, held };
    u32 n = v->time.nfuncs - 1;

    for (u32 i = 0; i < n; i++)
        number[i] = i + 1;
    for (u32 k = 0; k < ER_COUNT(orders); k++) {
        struct ranking ranking = { v, orders[k] };

        qsort_r(number, n, sizeof(*number), compare, &ranking);
        for (u32 i = 0; i < n && i < FIRST && orders[k](&v->whole[number[i]]); i++)
            v->has_rows[number[i]] = true;
    }
    v->order = number;
    v->shown = 0;
    for (u32 i = 0; i < n; i++)
        if (v->has_rows[number[i]])
            number[v->shown++] = number[i];
}

static void
sum_cells(struct view *v)
{
    for (u32 i = 0; i < v->time.count; i++) {
        const struct heapsteps_cell *cell = &v->time.cell[i];
        struct sums *sums = &v->whole[cell->key];

        sums->top = cell->top > sums->top ? cell->top : sums->top;
        sums->calls += cell->calls;
        sums->temporary += cell->temporary;
    }
}

/*
 * Add rows, each of which stands for several steps. Show the top of the step in which
 * most was held.
 */
static void
add_steps(struct view *v)
{
    const struct heap_step *step = v->process->step;
    u32 each = (v->process->steps + v->steps - 1) / v->steps, cell = 0;
    u64 from = v->process->first;

    for (u32 i = 0; i < v->process->steps; i += each) {
        u32 end = i + each < v->process->steps ? i + each : v->process->steps, top = i;

        for (u32 k = i; k < end; k++)
            top = step[k].most > step[top].most ? k : top;
        for (u32 f = 0; f < v->time.nfuncs; f++)
            v->now[f] = (struct sums){ .left = v->now[f].left,
                                       .partial = !f && v->whole[f].calls };
        for (u32 k = i; k < end; k++) {
            for (u32 f = 0; f < v->time.nfuncs && k == top; f++)
                v->now[f].top = v->now[f].left;
            for (; cell < v->time.count && v->time.cell[cell].step == k; cell++) {
                const struct heapsteps_cell *c = &v->time.cell[cell];
                struct sums *now = &v->now[c->key];

                now->top = k == top ? c->top : now->top;
                now->left = c->left;
                now->calls += c->calls;
                now->bytes += c->bytes;
                now->temporary += c->temporary;
            }
        }
        add_rows(v, from, step[end - 1].end);
        from = step[end - 1].end;
    }
}

static int
show_process(struct view *v, const struct heap *heap)
{
    u32 index = (u32)(v->process - heap->process), *number;
    int ret = heaptime_get(v->sh->session, heap, index, &v->time);

    if (ret < 0)
        return ret;
    v->path = v->sh->session->experiment[index]->path;
    v->whole = calloc(v->time.nfuncs, sizeof(*v->whole));
    v->now = calloc(v->time.nfuncs, sizeof(*v->now));
    v->has_rows = calloc(v->time.nfuncs, sizeof(*v->has_rows));
    number = calloc(v->time.nfuncs, sizeof(*number));
    ret = v->whole && v->now && v->has_rows && number ? 0 : -ENOMEM;
    if (ret == 0) {
        sum_cells(v);
        choose(v, number);
        add_steps(v);
    }
    free(v->whole);
    free(v->now);
    free(v->has_rows);
    free(number);
    heaptime_free(&v->time);
    return ret;
}

int
heapfunctions_show(struct shell *sh, const char *command, const struct heap *heap,
                   const struct heap_process **process, u32 count, u32 steps)
{
    struct view v = { .sh = sh, .steps = steps };
    u32 shown = 0;
    int ret = 0;

    make_columns(&v, command);
    for (; shown < count && ret == 0 && (!sh->limit || v.t->nrows < sh->limit);
         shown++) {
        v.process = process[shown];
        ret = show_process(&v, heap);
    }
    for (; shown < count; shown++)
        v.t->nleft_out += process[shown]->steps < steps ? process[shown]->steps : steps;
    if (ret == 0)
        return shell_show(sh, v.t);
    table_free(v.t);
    return shell_fail_errno(sh, ret, "the heap cannot be shown");
}

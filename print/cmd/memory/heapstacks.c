/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/memory/heapstacks.h"

#include <stdlib.h>

#include "print/cmd/stackcell.h"
#include "print/model/pass/tally.h"

struct view {
    struct shell *sh;
    const struct heapstacks *what;
    const struct heap *heap;
    struct table *t;
    u32 heading, count, bytes, stack;
    struct heapsums sums;
};

struct entry {
    u64 bytes;
    u64 count;
    u32 index; /* in heap->stack */
};

void
heapsums_columns(struct heapsums *c, struct table *t)
{
    c->table = t;
    c->calls = table_column(t, "calls", "Allocations", "", COL_COUNT, 0);
    c->bytes = table_column(t, "bytes", "Bytes", "", COL_COUNT, COL_BYTES);
    c->peak = table_column(t, "peak_blocks", "Blocks\nat the peak", "", COL_COUNT, 0);
    c->peak_bytes =
        table_column(t, "peak_bytes", "Bytes\nat the peak", "", COL_COUNT, COL_BYTES);
    c->leaks = table_column(t, "leaks", "Never\nfreed", "", COL_COUNT, 0);
    c->leak_bytes =
        table_column(t, "leak_bytes", "Bytes\nnever freed", "", COL_COUNT, COL_BYTES);
    c->temporary = table_column(t, "temporary", "Temporary", "", COL_COUNT, COL_DETAIL);
    c->life = table_column(t, "life", "Average\nlife", "us", COL_REAL, COL_DETAIL);
    c->shortest =
        table_column(t, "shortest", "Shortest\nlife", "us", COL_REAL, COL_DETAIL);
}

void
heapsums_fill(const struct heapsums *c, const struct heap_sums *sums)
{
    table_number(c->table, c->calls, sums->calls);
    table_number(c->table, c->bytes, sums->bytes);
    table_number(c->table, c->peak, sums->peak);
    table_number(c->table, c->peak_bytes, sums->peak_bytes);
    table_number(c->table, c->leaks, sums->leaks);
    table_number(c->table, c->leak_bytes, sums->leak_bytes);
    table_number(c->table, c->temporary, sums->temporary);
    if (!sums->ended)
        return;
    table_real(c->table, c->life, (double)sums->life / 1e3 / (double)sums->ended);
    table_real(c->table, c->shortest, (double)sums->shortest / 1e3);
}

bool
heapstacks_any(const struct heap *heap)
{
    for (u32 i = 0; i < heap->nprocesses; i++)
        if (heap->process[i].recorded)
            return true;
    return false;
}

int
heapstacks_nothing(struct shell *sh)
{
    return shell_fail(sh, "no experiment has heap data (collect -H on records it)");
}

static int
compare(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? 1 : -1;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return x->index < y->index ? -1 : 1;
}

static int
add_row(const struct view *v, const struct entry *entry, u32 number)
{
    const struct heap_stack *stack = &v->heap->stack[entry->index];

    table_row(v->t, 0);
    table_format(v->t, v->heading, "%s %u", v->what->word, number);
    if (v->what->all) {
        heapsums_fill(&v->sums, &stack->sums);
    } else {
        table_number(v->t, v->count, entry->count);
        table_number(v->t, v->bytes, entry->bytes);
    }
    return stackcell_fill(v->sh, v->t, v->stack, stack->node);
}

static void
add_columns(struct view *v)
{
    v->t = table_new(v->what->command, LAYOUT_BLOCKS);
    table_title(v->t, "%s", v->what->title);
    v->heading = table_column(v->t, "heading", v->what->word, "", COL_TEXT, 0);
    if (v->what->all) {
        heapsums_columns(&v->sums, v->t);
    } else {
        v->count = table_column(v->t, "count", "Blocks", "", COL_COUNT, 0);
        v->bytes = table_column(v->t, "bytes", "Bytes", "", COL_COUNT, COL_BYTES);
    }
    v->stack = table_column(v->t, "stack", "Stack", "", COL_LIST, 0);
}

static void
add_facts(const struct view *v, const struct entry *entry, u32 n)
{
    struct arena *a = &v->t->arena;
    u64 count = 0, bytes = 0;

    for (u32 i = 0; i < n; i++) {
        count += entry[i].count;
        bytes += entry[i].bytes;
    }
    table_fact(v->t, "stacks", "Stacks", arena_printf(a, "%u", n));
    table_fact(v->t, "count", v->what->all ? "Allocations" : "Blocks",
               arena_printf(a, "%llu", (unsigned long long)count));
    table_fact_bytes(v->t, "bytes", v->what->all ? "Bytes at the peak" : "Bytes",
                     bytes);
}

/* The stacks to list, sorted; the caller frees them. */
static struct entry *
choose(const struct view *v, u32 *n)
{
    struct entry *entry = mem_realloc(NULL, v->heap->count * sizeof(*entry));

    *n = 0;
    for (u32 i = 0; i < v->heap->count; i++) {
        const struct heap_sums *sums = &v->heap->stack[i].sums;

        if (v->what->count(sums))
            entry[(*n)++] =
                (struct entry){ v->what->bytes(sums), v->what->count(sums), i };
    }
    if (*n)
        qsort(entry, *n, sizeof(*entry), compare);
    return entry;
}

int
heapstacks_show(struct shell *sh, const struct heapstacks *what)
{
    struct view v = { .sh = sh, .what = what };
    struct entry *entry;
    u32 n, shown;
    int err = tally_heap(sh->session, &v.heap);

    if (err)
        return shell_fail_errno(sh, err, "the heap cannot be shown");
    if (!heapstacks_any(v.heap))
        return heapstacks_nothing(sh);
    entry = choose(&v, &n);
    add_columns(&v);
    add_facts(&v, entry, n);
    shown = shell_limit(sh, v.t, n);
    for (u32 i = 0; i < shown && !err; i++)
        err = add_row(&v, &entry[i], i + 1);
    free(entry);
    if (!err)
        return shell_show(sh, v.t);
    table_free(v.t);
    return shell_fail(sh, "no memory is left");
}

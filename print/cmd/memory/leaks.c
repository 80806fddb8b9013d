/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "print/cmd/memory/heapstacks.h"
#include "print/cmd/stackcell.h"
#include "print/cmd/suppress.h"
#include "print/model/pass/tally.h"

/*
 * The kinds of blocks that are listed, in this order. Indirectly lost blocks are not
 * listed: they count for the lost blocks that lead to them.
 */
static const struct {
    enum heap_kind kind;
    const char *word;
} listed[] = {
    { HEAP_LOST, "Lost" },
    { HEAP_UNKNOWN, "Leak" },
    { HEAP_POSSIBLY, "Possibly lost" },
    { HEAP_REACHABLE, "Still reachable" },
    { HEAP_MAPPED, "Mapped" },
};

/* The kinds whose totals are shown. */
static const struct {
    enum heap_kind kind;
    const char *name;
    const char *title;
} totals[] = {
    { HEAP_LOST, "lost", "Lost" },
    { HEAP_INDIRECT, "indirectly_lost", "Indirectly lost" },
    { HEAP_POSSIBLY, "possibly_lost", "Possibly lost" },
    { HEAP_REACHABLE, "reachable", "Still reachable" },
    { HEAP_MAPPED, "mapped", "Mapped" },
};

struct entry {
    struct heap_count own;
    struct heap_count under; /* blocks reached only from them */
    u32 list;                /* index in listed[] */
    u32 index;               /* in heap->stack */
    char *text;              /* its stack, while entries are merged */
};

enum {
    MERGED_MAX = 20000, /* with more stacks, those that print alike are not merged */
};

struct view {
    struct shell *sh;
    const struct heap *heap;
    struct table *t;
    struct heap_kept sum;
    struct heap_count suppressed;
    u32 heading, count, bytes, under, under_bytes, stack;
    u32 number[ER_COUNT(listed)]; /* by kind: the number of the next entry */
};

static int
compare(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    u64 bytes = x->own.bytes + x->under.bytes, others = y->own.bytes + y->under.bytes;

    if (x->list != y->list)
        return x->list < y->list ? -1 : 1;
    if (bytes != others)
        return bytes < others ? 1 : -1;
    return x->index < y->index ? -1 : 1;
}

static int
compare_text(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = strcmp(x->text, y->text);

    if (x->list != y->list)
        return x->list < y->list ? -1 : 1;
    return order ? order : compare(a, b);
}

/* Make the entries, which the caller frees. */
static struct entry *
choose(const struct heap *heap, u32 *n)
{
    struct entry *entry =
        mem_realloc(NULL, (heap->count + 1) * ER_COUNT(listed) * sizeof(*entry));

    *n = 0;
    for (u32 i = 0; i < heap->count; i++) {
        const struct heap_kept *kept = &heap->stack[i].kept;

        for (u32 l = 0; l < ER_COUNT(listed); l++) {
            struct entry e = { .list = l, .index = i };

            e.own = kept->kind[listed[l].kind];
            if (listed[l].kind == HEAP_LOST)
                e.under = kept->under;
            if (e.own.count)
                entry[(*n)++] = e;
        }
    }
    return entry;
}

static void
add_count(struct heap_count *to, const struct heap_count *from)
{
    to->count += from->count;
    to->bytes += from->bytes;
}

/* Merge successive entries with the same kind and text. Returns how many remain. */
static u32
merge_same(struct entry *entry, u32 n)
{
    u32 kept = 0;

    for (u32 i = 0; i < n; i++) {
        struct entry *to = kept ? &entry[kept - 1] : NULL;

        if (!to || to->list != entry[i].list || strcmp(to->text, entry[i].text)) {
            entry[kept++] = entry[i];
            continue;
        }
        add_count(&to->own, &entry[i].own);
        add_count(&to->under, &entry[i].under);
        free(entry[i].text);
    }
    return kept;
}

/*
 * Merge entries whose stacks have the same text, as they differ only in instructions;
 * then sort. 0, or 1 = no memory.
 */
static int
merge(struct shell *sh, const struct heap *heap, struct entry *entry, u32 *n)
{
    u32 texts = *n <= MERGED_MAX ? *n : 0;
    int err = 0;

    for (u32 i = 0; i < texts; i++) {
        entry[i].text = stackcell_text(sh, heap->stack[entry[i].index].node);
        err |= !entry[i].text;
    }
    if (texts && !err) {
        qsort(entry, texts, sizeof(*entry), compare_text);
        *n = texts = merge_same(entry, texts);
    }
    for (u32 i = 0; i < texts; i++)
        free(entry[i].text);
    if (*n)
        qsort(entry, *n, sizeof(*entry), compare);
    return err;
}

static bool
is_suppressed(const struct view *v, const struct entry *entry)
{
    const struct heap_count *c = &entry->own;
    u64 size = c->bytes % c->count ? 0 : c->bytes / c->count;

    return suppress_has(v->sh->suppressions, v->sh->session,
                        v->heap->stack[entry->index].node, size);
}

/* Remove the entries that a suppression matches; returns how many remain. */
static u32
suppress(struct view *v, struct entry *entry, u32 n)
{
    u32 kept = 0;

    for (u32 i = 0; i < n; i++) {
        if (is_suppressed(v, &entry[i])) {
            add_count(&v->suppressed, &entry[i].own);
            add_count(&v->suppressed, &entry[i].under);
        } else {
            entry[kept++] = entry[i];
        }
    }
    return kept;
}

static void
sum_up(struct view *v, const struct entry *entry, u32 n)
{
    struct arena *a = &v->t->arena;
    struct heap_count all = { 0, 0 };

    for (u32 i = 0; i < n; i++) {
        add_count(&all, &entry[i].own);
        add_count(&all, &entry[i].under);
    }
    table_fact(v->t, "stacks", "Stacks", arena_printf(a, "%u", n));
    table_fact(v->t, "count", "Blocks",
               arena_printf(a, "%llu", (unsigned long long)all.count));
    table_fact_bytes(v->t, "bytes", "Bytes", all.bytes);
}

static void
add_totals(struct view *v)
{
    bool scanned = false;

    for (u32 i = 0; i < v->heap->nprocesses; i++) {
        const struct heap_process *p = &v->heap->process[i];

        scanned |= p->scanned;
        for (u32 k = 0; k < HEAP_KINDS; k++) {
            v->sum.kind[k].count += p->kept.kind[k].count;
            v->sum.kind[k].bytes += p->kept.kind[k].bytes;
        }
    }
    for (u32 i = 0; i < ER_COUNT(totals) && scanned; i++) {
        const struct heap_count *c = &v->sum.kind[totals[i].kind];

        if (c->count || totals[i].kind == HEAP_LOST)
            table_fact_blocks(v->t, totals[i].name, totals[i].title, c->count, c->bytes,
                              "");
    }
}

/* What an exec has ended is not listed: nobody could have freed it later. */
static void
add_ended(struct view *v)
{
    const struct heap_count *c = &v->sum.kind[HEAP_EXEC];

    if (c->count)
        table_fact_blocks(v->t, "ended_by_exec", "Ended by an exec", c->count, c->bytes,
                          ", not listed: their process became another program");
}

static bool
has_reason(const struct heap_process *p, const char *why)
{
    return p->why && p->kept.kind[HEAP_UNKNOWN].count && !strcmp(p->why, why);
}

static void
add_suppressed(struct view *v)
{
    const struct heap_count *c = &v->suppressed;

    if (c->count)
        table_fact_blocks(v->t, "suppressed", "Not listed", c->count, c->bytes,
                          " that the suppressions name");
}

/* Say of which processes, and why, blocks could not be classified; each reason once. */
static void
add_reasons(struct view *v)
{
    const struct heap *heap = v->heap;

    for (u32 i = 0; i < heap->nprocesses; i++) {
        const char *why = heap->process[i].why;
        u32 same = 0, before = 0;

        for (u32 k = 0; k < heap->nprocesses && why; k++)
            if (has_reason(&heap->process[k], why)) {
                same++;
                before += k < i;
            }
        if (!same || before || !has_reason(&heap->process[i], why))
            continue;
        if (heap->nprocesses == 1)
            why = arena_printf(&v->t->arena, "not known: %s", why);
        else
            why = arena_printf(&v->t->arena, "not known of %u process%s: %s", same,
                               same == 1 ? "" : "es", why);
        table_fact(v->t, "not_known", "Lost or not", why);
    }
}

static void
add_columns(struct view *v, const char *command)
{
    v->t = table_new(command, LAYOUT_BLOCKS);
    table_title(v->t, heap_ran_on(v->heap) ? "Blocks alive at the end"
                                           : "Blocks never freed");
    v->heading = table_column(v->t, "heading", "Leak", "", COL_TEXT, 0);
    v->count = table_column(v->t, "count", "Blocks", "", COL_COUNT, 0);
    v->bytes = table_column(v->t, "bytes", "Bytes", "", COL_COUNT, COL_BYTES);
    v->under =
        table_column(v->t, "under", "Lost with\nthem: blocks", "", COL_COUNT, 0);
    v->under_bytes = table_column(v->t, "under_bytes", "Lost with\nthem: bytes", "",
                                  COL_COUNT, COL_BYTES);
    v->stack = table_column(v->t, "stack", "Stack", "", COL_LIST, 0);
}

static int
add_row(struct view *v, const struct entry *entry)
{
    table_row(v->t, 0);
    table_format(v->t, v->heading, "%s %u",
                 heap_ran_on(v->heap) ? "Alive" : listed[entry->list].word,
                 ++v->number[entry->list]);
    table_number(v->t, v->count, entry->own.count);
    table_number(v->t, v->bytes, entry->own.bytes);
    if (entry->under.count) {
        table_number(v->t, v->under, entry->under.count);
        table_number(v->t, v->under_bytes, entry->under.bytes);
    }
    return stackcell_fill(v->sh, v->t, v->stack, v->heap->stack[entry->index].node);
}

int
cmd_leaks(struct shell *sh, int argc, char **argv)
{
    struct view v = { .sh = sh };
    struct entry *entry;
    u32 n, shown;
    int err = tally_heap(sh->session, &v.heap);

    (void)argc;
    if (err)
        return shell_fail_errno(sh, err, "the heap cannot be shown");
    if (!heapstacks_any(v.heap))
        return heapstacks_nothing(sh);
    if (!sh->suppressions)
        sh->suppressions = suppress_default();
    if (!sh->suppressions)
        return shell_fail(sh, "no memory is left");
    entry = choose(v.heap, &n);
    n = suppress(&v, entry, n);
    err = merge(sh, v.heap, entry, &n);
    add_columns(&v, argv[0]);
    sum_up(&v, entry, n);
    add_totals(&v);
    add_ended(&v);
    add_suppressed(&v);
    add_reasons(&v);
    shown = shell_limit(sh, v.t, n);
    for (u32 i = 0; i < shown && !err; i++)
        err = add_row(&v, &entry[i]);
    free(entry);
    if (!err)
        return shell_show(sh, v.t);
    table_free(v.t);
    return shell_fail(sh, "no memory is left");
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "print/cmd/list.h"
#include "print/model/views/calltree.h"

struct unit {
    const char *name;
    double ns;
};

static const struct unit units[] = {
    { "s", 1e9 },
    { "ms", 1e6 },
    { "us", 1e3 },
    { "ns", 1 },
};

static const struct unit *
find_unit(const char *name)
{
    for (u32 i = 0; i < ER_COUNT(units); i++)
        if (!strcasecmp(units[i].name, name))
            return &units[i];
    return NULL;
}

struct stacks_view {
    struct shell *sh;
    const struct calltree *tree;
    struct table *t;
    const struct unit *unit; /* of times */
    enum metric metric;
    u32 stack, value;
};

/* Names from the root to a node, <Total> left out, into a list cell. */
static void
fill_stack(const struct stacks_view *v, u32 node)
{
    size_t size = 1;
    char *text, *p;

    for (u32 i = node; i; i = v->tree->node[i].parent)
        size += strlen(function_title(v->sh->session, v->tree->node[i].func)) + 1;
    text = mem_realloc(NULL, size);
    p = text + size - 1;
    *p = '\0';
    for (u32 i = node; i; i = v->tree->node[i].parent) {
        const char *name = function_title(v->sh->session, v->tree->node[i].func);
        size_t len = strlen(name);

        p -= len + 1;
        for (size_t k = 0; k < len; k++)
            p[k] = name[k] == '\n' ? ' ' : name[k];
        p[len] = i == node ? '\0' : '\n';
    }
    table_text(v->t, v->stack, p);
    free(text);
}

static void
fill_value(const struct stacks_view *v, int64_t value)
{
    if (metrics[v->metric].unit != METRIC_NS || v->unit->ns == 1)
        table_number(v->t, v->value, (u64)value);
    else if (v->t->columns[v->value].type == COL_NS)
        table_number(v->t, v->value, (u64)value);
    else
        table_real(v->t, v->value, (double)value / v->unit->ns);
}

static enum column_type
value_type(const struct stacks_view *v)
{
    if (metrics[v->metric].unit != METRIC_NS || v->unit->ns == 1)
        return COL_COUNT;
    return v->unit->ns == 1e9 ? COL_NS : COL_REAL;
}

struct stack {
    int64_t value;
    u32 node;
};

static int
compare(const void *a, const void *b)
{
    const struct stack *x = a, *y = b;

    if (x->value != y->value)
        return x->value < y->value ? 1 : -1;
    return x->node < y->node ? -1 : 1;
}

/* Stacks as flame graphs want them: no zero, nothing negative; largest first. */
static void
add_rows(const struct stacks_view *v)
{
    const struct calltree *tree = v->tree;
    struct stack *stacks = NULL;
    u32 n = 0, shown;

    for (u32 i = 1; i < tree->count; i++) {
        int64_t value = grid_value(&tree->excl, tree->node[i].row, v->metric);

        if (value <= 0)
            continue;
        stacks = mem_grow(stacks, n, sizeof(*stacks));
        stacks[n++] = (struct stack){ value, i };
    }
    if (n)
        qsort(stacks, n, sizeof(*stacks), compare);
    shown = shell_limit(v->sh, v->t, n);
    for (u32 i = 0; i < shown; i++) {
        table_row(v->t, 0);
        fill_stack(v, stacks[i].node);
        fill_value(v, stacks[i].value);
    }
    free(stacks);
}

int
cmd_stacks(struct shell *sh, int argc, char **argv)
{
    struct order order = list_call_order(sh);
    struct calltree tree;
    struct stacks_view v = {
        .sh = sh,
        .tree = &tree,
        .unit = find_unit(argc > 1 ? argv[1] : "s"),
        .metric = shell_metric(sh),
    };
    int err, is_time = metrics[v.metric].unit == METRIC_NS;

    if (!v.unit)
        return shell_fail(sh, "\"%s\" is none of s, ms, us, ns", argv[1]);
    err = calltree_build(sh->session, &order, &tree);
    if (err)
        return shell_fail_errno(sh, err, "stacks cannot be listed");
    v.t = table_new(argv[0], LAYOUT_PLAIN);
    v.stack = table_column(v.t, "stack", "Stack", "", COL_LIST, 0);
    v.value = table_column(v.t, "value", metrics[v.metric].title,
                           is_time ? v.unit->name : "", value_type(&v), 0);
    add_rows(&v);
    calltree_free(&tree);
    return shell_show(sh, v.t);
}

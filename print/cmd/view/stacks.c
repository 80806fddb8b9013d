/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "print/cmd/list.h"
#include "print/model/filter/filter.h"
#include "print/model/views/calltree.h"
#include "print/model/views/index.h"

enum {
    REGIONS_MAX = 1000,
};

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

struct stack {
    int64_t value;
    u32 order;
    char *text; /* names from the root to the leaf, a line each */
};

struct stacks_view {
    struct shell *sh;
    const struct calltree *tree;
    const char *root; /* a region that they are in, its names a line each; or "" */
    struct stack *found;
    u32 count;
    struct table *t;
    const struct unit *unit; /* of times */
    enum metric metric;
    u32 stack, value;
};

/* Make text of the stack of a node; <Total> is left out. */
static char *
text_of(const struct stacks_view *v, u32 node)
{
    size_t before = strlen(v->root), size = before + 1;
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
    memcpy(text, v->root, before);
    return text;
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

static int
compare(const void *a, const void *b)
{
    const struct stack *x = a, *y = b;

    if (x->value != y->value)
        return x->value < y->value ? 1 : -1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* Find the stacks that have a value above 0, as flame graphs show only these. */
static int
find(struct stacks_view *v)
{
    struct order order = list_call_order(v->sh);
    struct calltree tree;
    int err = calltree_build(v->sh->session, &order, &tree);

    if (err)
        return err;
    v->tree = &tree;
    for (u32 i = 1; i < tree.count; i++) {
        int64_t value = grid_value(&tree.excl, tree.node[i].row, v->metric);

        if (value <= 0)
            continue;
        v->found = mem_grow(v->found, v->count, sizeof(*v->found));
        v->found[v->count] = (struct stack){ value, v->count, text_of(v, i) };
        v->count++;
    }
    calltree_free(&tree);
    return 0;
}

/* Find the stacks that also pass another filter. */
static int
find_filtered(struct stacks_view *v, const char *filter)
{
    struct filter_error error;
    int err = filter_set(v->sh->session, FILTER_REGION, filter, &error);

    return err ? err : find(v);
}

/*
 * Find the stacks in each region, and put them below the region's names; then find the
 * other stacks.
 */
static int
find_rooted(struct stacks_view *v)
{
    struct index_def def = { { "REGIONID" }, INDEX_REGION, INDEX_RECORDS };
    struct index_rows rows;
    struct filter_error error;
    int err = index_build(v->sh->session, &def, &rows, &error);

    if (err)
        return err;
    if (rows.count > REGIONS_MAX)
        err = -E2BIG;
    for (u32 i = 0; i < rows.count && !err; i++) {
        char filter[64], *root;

        if (!rows.row[i].key.known || !rows.row[i].value.v[metric_sum(v->metric)])
            continue;
        snprintf(filter, sizeof(filter), "REGIONID == %lld",
                 (long long)rows.row[i].key.v[0]);
        root = filter_region_lines(v->sh->session, rows.row[i].key.v[0]);
        v->root = root ? root : "";
        err = root ? find_filtered(v, filter) : -ENOMEM;
        free(root);
    }
    index_free(&rows);
    v->root = "";
    if (!err)
        err = find_filtered(v, "!(REGIONID > 0)");
    filter_set(v->sh->session, FILTER_REGION, NULL, NULL);
    return err;
}

/* Largest first. */
static void
add_rows(const struct stacks_view *v)
{
    u32 shown = shell_limit(v->sh, v->t, v->count);

    if (v->count)
        qsort(v->found, v->count, sizeof(*v->found), compare);
    for (u32 i = 0; i < v->count; i++) {
        if (i < shown) {
            table_row(v->t, 0);
            table_text(v->t, v->stack, v->found[i].text);
            fill_value(v, v->found[i].value);
        }
        free(v->found[i].text);
    }
    free(v->found);
}

int
cmd_stacks(struct shell *sh, int argc, char **argv)
{
    bool rooted = argc > 1 && !strcasecmp(argv[argc - 1], "regions");
    struct stacks_view v = {
        .sh = sh,
        .root = "",
        .unit = find_unit(argc > 1 + rooted ? argv[1] : "s"),
        .metric = shell_metric(sh),
    };
    int err, is_time = metrics[v.metric].unit == METRIC_NS;

    if (!v.unit)
        return shell_fail(sh, "\"%s\" is none of s, ms, us, ns, regions", argv[1]);
    if (argc > 2 && !rooted)
        return shell_fail(sh, "\"%s\" is none of regions", argv[2]);
    err = rooted ? find_rooted(&v) : find(&v);
    if (err == -E2BIG)
        return shell_fail(sh, "there are more than %u regions; a filter such as REGION "
                              "== \"NAME\" leaves fewer", REGIONS_MAX);
    if (err)
        return shell_fail_errno(sh, err, "stacks cannot be listed");
    v.t = table_new(argv[0], LAYOUT_PLAIN);
    v.stack = table_column(v.t, "stack", "Stack", "", COL_LIST, 0);
    v.value = table_column(v.t, "value", metrics[v.metric].title,
                           is_time ? v.unit->name : "", value_type(&v), 0);
    add_rows(&v);
    return shell_show(sh, v.t);
}

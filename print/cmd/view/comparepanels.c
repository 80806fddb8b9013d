/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/cmd/compare.h"
#include "print/cmd/comparison.h"

/* A function with its callers and callees. */
struct panel {
    const char *key;
    const char *name;
    struct comparison calls;
    u32 function; /* its first function; others by `next`; 0 = none */
};

struct panels {
    struct comparison names; /* functions that are shown, in order */
    struct panel *panel;     /* [0] is <Total> */
    u32 count;
    u32 *next; /* by function: another one of the same key; 0 = none */
    u32 functions;
    struct hash hash; /* of panels, by key */
    struct arena arena;
    struct table *t;
    struct comparison_columns cols;
    u32 function, role, shown, name;
};

struct wanted {
    const struct panels *p;
    const char *key;
};

static bool
same_panel(const void *context, u32 index)
{
    const struct wanted *wanted = context;

    return !strcmp(wanted->p->panel[index].key, wanted->key);
}

static int
add_panel(struct panels *p, const struct entry *e)
{
    struct shell *sh = p->names.sh;
    struct panel *panel = &p->panel[p->count];

    panel->key = e->key;
    panel->name = e->name;
    comparison_open(&panel->calls, sh, list_call_order(sh));
    panel->calls.view = COMPARE_CALLS;
    panel->calls.key = p->names.key;
    panel->calls.shown = p->names.shown;
    panel->calls.names = p->names.names;
    return hash_add(&p->hash, (u32)hash_str(7, e->key), p->count++);
}

/* Assign each function to the panel with its key; <Total> has no callers or callees. */
static int
sort_out(struct panels *p)
{
    struct session *s = p->names.sh->session;

    p->functions = function_count(s);
    p->next = calloc(p->functions, sizeof(*p->next));
    if (!p->next)
        return -ENOMEM;
    for (u32 i = p->functions; i-- > FUNC_TOTAL + 1;) {
        struct wanted wanted = { p, comparison_key(&p->names, i) };
        u32 value = (u32)hash_str(7, wanted.key);
        u32 at = hash_find(&p->hash, value, same_panel, &wanted);

        if (at == HASH_NONE)
            continue;
        p->next[i] = p->panel[at].function;
        p->panel[at].function = i;
    }
    return 0;
}

static int
add_group(struct comparison *names, u32 group, void *context)
{
    struct panels *p = context;
    u32 total = FUNC_TOTAL;
    int err = comparison_add_around(&p->panel[0].calls, group, &total, 1);

    (void)names;
    for (u32 i = 1; i < p->count && !err; i++)
        for (u32 f = p->panel[i].function; f && !err; f = p->next[f])
            err = comparison_add_around(&p->panel[i].calls, group, &f, 1);
    return err;
}

static void
add_columns(struct panels *p)
{
    struct comparison *c = &p->panel[0].calls;
    struct table *t = p->t;

    comparison_facts(c, t);
    comparison_noise_fact(c, t);
    p->function = table_column(t, "function", "Function", "", COL_TEXT, COL_DATA_ONLY);
    p->role = table_column(t, "role", "Role", "", COL_TEXT, COL_DATA_ONLY);
    comparison_columns(c, &p->cols, t, MCOLS_CALLS);
    p->shown = table_column(t, "shown", "Name", "", COL_TEXT, COL_TEXT_ONLY);
    p->name = table_column(t, "name", "Name", "", COL_TEXT, COL_DATA_ONLY);
}

static void
add_rows(const struct panels *p, struct panel *panel)
{
    struct comparison *c = &panel->calls;
    struct table *t = p->t;

    c->noise = p->names.noise;
    comparison_sort(c, 0);
    for (u32 i = 0; i < c->count; i++) {
        const struct entry *e = &c->entry[i];
        bool self = e->role == ROLE_SELF;

        table_row(t, (!i && t->nrows ? ROW_GAP : 0) | (self ? ROW_SELF : 0));
        comparison_fill(c, &p->cols, e);
        table_text(t, p->function, panel->name);
        table_text(t, p->role, e->place);
        table_text(t, p->name, e->name);
        table_format(t, p->shown, "%c%s", self ? '*' : ' ', e->name);
    }
}

/* Choose the panels to show: <Total>, and as many functions as the limit allows. */
static int
choose(struct panels *p, const char *command)
{
    struct comparison *c = &p->names;
    struct order order = list_call_order(c->sh);
    u32 n;
    int err = comparison_entry(c, FUNC_TOTAL, "") ? 0 : -ENOMEM;

    if (!err)
        err = comparison_each_group(c, comparison_add_rows, NULL);
    if (err)
        return err;
    comparison_sort(c, 1);
    p->t = list_table(command, "Callers, *function, callees", &order);
    n = shell_limit(c->sh, p->t, c->count - 1);
    p->panel = arena_alloc(&p->arena, ((size_t)n + 1) * sizeof(*p->panel));
    for (u32 i = 0; i <= n && !err; i++)
        err = add_panel(p, &c->entry[i]);
    return err ? err : sort_out(p);
}

static void
close_panels(struct panels *p)
{
    for (u32 i = 0; i < p->count; i++)
        comparison_close(&p->panel[i].calls);
    comparison_columns_free(&p->cols);
    comparison_close(&p->names);
    hash_free(&p->hash);
    arena_free(&p->arena);
    free(p->next);
}

int
compare_panels(struct shell *sh, const char *command)
{
    struct panels p = { 0 };
    int err;

    comparison_open(&p.names, sh, list_order(sh));
    p.names.view = COMPARE_FUNCTIONS;
    err = choose(&p, command);
    if (!err)
        err = comparison_each_group(&p.names, add_group, &p);
    if (!err) {
        add_columns(&p);
        for (u32 i = 0; i < p.count; i++)
            add_rows(&p, &p.panel[i]);
    }
    close_panels(&p);
    if (!err)
        return shell_show(sh, p.t);
    if (p.t)
        table_free(p.t);
    return shell_fail_errno(sh, err, "callers and callees cannot be compared");
}

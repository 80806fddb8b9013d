/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/comparison.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void
find_groups(const struct session *s, u32 **group, u32 *count)
{
    *group = NULL;
    *count = 0;
    for (u32 i = 0; i < s->nexperiments; i++) {
        u32 k = 0;

        while (k < *count && (*group)[k] != s->experiment[i]->group)
            k++;
        if (k < *count)
            continue;
        *group = mem_grow(*group, *count, sizeof(**group));
        (*group)[(*count)++] = s->experiment[i]->group;
    }
}

bool
comparison_is_on(const struct shell *sh)
{
    u32 *group, count;

    if (sh->compare == COMPARE_OFF)
        return false;
    find_groups(sh->session, &group, &count);
    free(group);
    return count > 1;
}

void
comparison_open(struct comparison *c, struct shell *sh, struct order order)
{
    *c = (struct comparison){ .sh = sh, .order = order };
    find_groups(sh->session, &c->group, &c->ngroups);
    c->whole = arena_alloc(&c->arena, c->ngroups * sizeof(*c->whole));
    c->noise = arena_alloc(&c->arena, c->ngroups * sizeof(*c->noise));
}

void
comparison_close(struct comparison *c)
{
    hash_free(&c->hash);
    arena_free(&c->arena);
    free(c->entry);
    free(c->group);
}

int
comparison_each_group(struct comparison *c, comparison_take *take, void *context)
{
    struct session *s = c->sh->session;
    struct filter_error error;
    char text[40];
    int err = c->names ? 0 : comparison_names(c);

    for (u32 g = 0; g < c->ngroups && !err; g++) {
        snprintf(text, sizeof(text), "EXPGRID == %u", c->group[g] + 1);
        err = filter_set(s, FILTER_GROUP, text, &error);
        if (!err)
            err = take(c, g, context);
        if (!err)
            err = noise_measure(s, &c->noise[g]);
    }
    filter_set(s, FILTER_GROUP, NULL, NULL);
    return err;
}

struct entry
comparison_scratch(struct comparison *c)
{
    size_t size = c->ngroups * sizeof(struct values);

    return (struct entry){
        .excl = arena_alloc(&c->arena, size),
        .incl = arena_alloc(&c->arena, size),
        .attr = arena_alloc(&c->arena, size),
    };
}

void
comparison_facts(const struct comparison *c, struct table *t)
{
    const struct session *s = c->sh->session;

    for (u32 g = 0; g < c->ngroups; g++) {
        const char *names = "";
        char key[16];

        for (u32 i = 0; i < s->nexperiments; i++)
            if (s->experiment[i]->group == c->group[g])
                names = arena_printf(&t->arena, "%s%s%s", names, *names ? ", " : "",
                                     s->experiment[i]->path);
        snprintf(key, sizeof(key), "group%u", g + 1);
        table_fact(t, key, arena_printf(&t->arena, "%u", g + 1), names);
    }
}

void
comparison_noise_fact(const struct comparison *c, struct table *t)
{
    if (c->sh->compare != COMPARE_ON && noise_concerns(c->order.metric))
        table_fact(t, "noise", "~", "within what chance does to samples, in 19 of 20 "
                                    "cases");
}

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
comparison_add_rows(struct comparison *c, u32 group, void *unused)
{
    struct session *s = c->sh->session;
    struct rows rows;
    int err;

    (void)unused;
    if (c->view == COMPARE_FUNCTIONS)
        err = view_functions(s, &c->order, &rows);
    else if (c->view == COMPARE_LINES)
        err = view_lines(s, &c->order, &rows);
    else
        err = view_pcs(s, &c->order, &rows);
    if (err)
        return err;
    err = add_rows(c, group, &rows);
    rows_free(&rows);
    return err;
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

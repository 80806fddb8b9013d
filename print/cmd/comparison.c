/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/comparison.h"

#include <stdlib.h>

#include "print/cmd/compare.h"

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
compare_is_on(const struct shell *sh)
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


/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/call/callsum.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/lookup/callvalue.h"

enum { NO_GROUP = ~0u };

struct grouping {
    const struct calls *calls;
    struct call_sums *out;
    u32 *group; /* by call: its index in out->sum; NO_GROUP = none */
    u32 *head;  /* hash of keys: index in out->sum + 1 */
    u32 *next;
    u32 next_room;
    u32 heads;
};

static u32
hash(u32 name, const char *key)
{
    u32 h = name * 2654435761u + 5381;

    for (; *key; key++)
        h = h * 33 + (unsigned char)*key;
    return h;
}

/* Get the group of a key, or make it; the group then owns the key. 0 or -ENOMEM. */
static int
group_of(struct grouping *g, u32 name, char *key, u32 *out)
{
    u32 *head = &g->head[hash(name, key) & (g->heads - 1)];
    struct call_sums *s = g->out;

    for (u32 i = *head; i; i = g->next[i - 1])
        if (s->sum[i - 1].name == name && !strcmp(s->sum[i - 1].key, key)) {
            free(key);
            *out = i - 1;
            return 0;
        }
    if (array_room(&s->sum, &s->room, s->count + 1, sizeof(*s->sum)) < 0 ||
        array_room(&g->next, &g->next_room, s->count + 1, sizeof(*g->next)) < 0) {
        free(key);
        return -ENOMEM;
    }
    s->sum[s->count] = (struct call_sum){ .name = name, .key = key };
    g->next[s->count] = *head;
    *out = s->count++;
    *head = s->count;
    return 0;
}

static int
group_by(struct grouping *g, const char *word)
{
    const struct calls *c = g->calls;
    int found = 0, ret = 0;
    int *argument = malloc((c->names + 1) * sizeof(*argument));

    g->heads = 65536;
    g->head = calloc(g->heads, sizeof(*g->head));
    if (!argument || !g->head)
        ret = -ENOMEM;
    for (u32 i = 0; i < c->names && ret == 0; i++) {
        argument[i] = callvalue_find(&c->name[i], word);
        found |= argument[i] >= 0;
    }
    for (u64 i = 0; i < c->count && ret == 0; i++) {
        const struct call_made *m = &c->made[i];
        char *key;

        g->group[i] = NO_GROUP;
        if (argument[m->name] < 0)
            continue;
        key = callvalue_argument(c, m, (u32)argument[m->name], true);
        ret = key ? group_of(g, m->name, key, &g->group[i]) : -ENOMEM;
    }
    free(argument);
    /* "text" asks for any text argument: it is not an error if no function has one. */
    return ret == 0 && !found && strcmp(word, "text") != 0 ? -ENOENT : ret;
}

/* Make a row for each function, also for those that nobody has called. */
static int
group_by_function(struct grouping *g)
{
    const struct calls *c = g->calls;

    if (array_room(&g->out->sum, &g->out->room, c->names + 1,
                   sizeof(*g->out->sum)) < 0)
        return -ENOMEM;
    for (u32 i = 0; i < c->names; i++)
        g->out->sum[i] = (struct call_sum){ .name = i };
    g->out->count = c->names;
    for (u64 i = 0; i < c->count; i++)
        g->group[i] = c->made[i].name;
    return 0;
}

static void
add(struct call_sum *to, const struct call_made *m)
{
    to->count++;
    to->failed += call_has_failed(m);
    to->left += call_was_left(m);
    to->time += m->took;
    to->self += m->self;
    if (m->took > to->longest)
        to->longest = m->took;
}

static int
compare_numbers(const void *a, const void *b)
{
    u64 x = *(const u64 *)a, y = *(const u64 *)b;

    return x < y ? -1 : x > y;
}

/*
 * Find each group's 99th percentile: put the durations of each group side by side, and
 * sort them.
 */
static int
find_p99(struct grouping *g)
{
    const struct calls *c = g->calls;
    struct call_sums *s = g->out;
    u64 *took = malloc((c->count + 1) * sizeof(*took));
    u64 *at = malloc((s->count + 1) * sizeof(*at));
    u64 next = 0;

    if (!took || !at) {
        free(took);
        free(at);
        return -ENOMEM;
    }
    for (u32 i = 0; i < s->count; i++) {
        at[i] = next;
        next += s->sum[i].count;
    }
    for (u64 i = 0; i < c->count; i++)
        if (g->group[i] != NO_GROUP)
            took[at[g->group[i]]++] = c->made[i].took;
    for (u32 i = 0; i < s->count; i++) {
        u64 n = s->sum[i].count;

        if (!n)
            continue;
        qsort(took + at[i] - n, n, sizeof(*took), compare_numbers);
        s->sum[i].p99 = took[at[i] - n + (n * 99 + 99) / 100 - 1];
    }
    free(took);
    free(at);
    return 0;
}

static int
compare_sums(const void *a, const void *b)
{
    const struct call_sum *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? 1 : -1;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    return x->key && y->key ? strcmp(x->key, y->key) : 0;
}

int
callsum_build(const struct calls *calls, const char *word, struct call_sums *out)
{
    struct grouping g = { .calls = calls, .out = out };
    int ret;

    *out = (struct call_sums){ 0 };
    g.group = malloc((calls->count + 1) * sizeof(*g.group));
    ret = !g.group ? -ENOMEM : word ? group_by(&g, word) : group_by_function(&g);
    for (u64 i = 0; i < calls->count && ret == 0; i++)
        if (g.group[i] != NO_GROUP)
            add(&out->sum[g.group[i]], &calls->made[i]);
    if (ret == 0)
        ret = find_p99(&g);
    free(g.group);
    free(g.head);
    free(g.next);
    if (ret == 0 && out->count > 1)
        qsort(out->sum, out->count, sizeof(*out->sum), compare_sums);
    if (ret < 0)
        callsum_free(out);
    return ret;
}

void
callsum_free(struct call_sums *s)
{
    for (u32 i = 0; i < s->count; i++)
        free(s->sum[i].key);
    free(s->sum);
    *s = (struct call_sums){ 0 };
}

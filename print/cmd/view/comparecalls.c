/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>

#include "print/cmd/comparison.h"

static int
add_row(struct comparison *c, u32 group, const struct row *row, enum compare_role role)
{
    static const char *const roles[] = { "caller", "self", "callee" };
    struct entry *e = comparison_entry(c, row->func, roles[role]);

    if (!e)
        return -ENOMEM;
    e->role = role;
    e->sampled = comparison_sampled(row->func);
    values_add(&e->excl[group], &row->excl);
    values_add(&e->incl[group], &row->incl);
    values_add(&e->attr[group], &row->attr);
    return 0;
}

int
comparison_add_around(struct comparison *c, u32 group, const u32 *fragment, u32 length)
{
    struct around a;
    int err = view_around(c->sh->session, fragment, length, &c->order, &a);

    if (err)
        return err;
    values_add(&c->whole[group], &a.self.incl);
    for (u32 i = 0; i < a.callers.count && !err; i++)
        err = add_row(c, group, &a.callers.row[i], ROLE_CALLER);
    if (!err)
        err = add_row(c, group, &a.self, ROLE_SELF);
    for (u32 i = 0; i < a.callees.count && !err; i++)
        err = add_row(c, group, &a.callees.row[i], ROLE_CALLEE);
    around_free(&a);
    return err;
}

static bool
same_name(const struct comparison *c, u32 one, u32 other)
{
    return one == other || !strcmp(comparison_key(c, one), comparison_key(c, other));
}

/*
 * The function with the same name as `function` in an object; if it has none,
 * `function`.
 */
static u32
namesake(const struct comparison *c, u32 function, u32 object)
{
    struct session *s = c->sh->session;
    struct function_info info;

    for (u32 i = FUNC_PSEUDO_COUNT; i < function_count(s); i++) {
        if (!same_name(c, i, function))
            continue;
        function_get(s, i, &info);
        if (info.object == object)
            return i;
    }
    return function;
}

/* Take the fragment, with the functions that have its names in the object of `last`. */
static int
add_object(struct comparison *c, u32 group, u32 last)
{
    struct session *s = c->sh->session;
    u32 fragment[FRAGMENT_MAX], length = c->sh->nfragment;
    struct function_info info;

    function_get(s, last, &info);
    for (u32 i = 0; i + 1 < length; i++)
        fragment[i] = namesake(c, c->sh->fragment[i], info.object);
    fragment[length - 1] = last;
    return comparison_add_around(c, group, fragment, length);
}

/*
 * Groups may be of different builds: in each object, take the function that has the
 * name of the fragment's last one.
 */
int
comparison_add_calls(struct comparison *c, u32 group)
{
    struct session *s = c->sh->session;
    u32 last = c->sh->fragment[c->sh->nfragment - 1], count = function_count(s);
    int err = 0;

    for (u32 i = 0; i < count && !err; i++)
        if (same_name(c, i, last))
            err = add_object(c, group, i);
    return err;
}

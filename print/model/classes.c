/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/classes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "share/named.h"

struct wanted {
    const struct classes *classes;
    const char *name;
};

static bool
same_name(const void *context, u32 index)
{
    const struct wanted *wanted = context;

    return !strcmp(wanted->classes->name[index], wanted->name);
}

/* The number of the class with that name; a new class gets one. 0 = no memory. */
static u32
number_of_name(struct classes *c, const char *name)
{
    struct wanted wanted = { c, name };
    u32 hash = (u32)hash_str(0, name);
    u32 number = numbers_find(&c->numbers, hash, same_name, &wanted);

    if (number <= c->numbers.count)
        return number;
    if (array_room(&c->name, &c->room, number, sizeof(*c->name)) < 0 ||
        numbers_add(&c->numbers, hash) < 0)
        return 0;
    c->name[number - 1] = name;
    return number;
}

static int
add_class(struct classes *c, struct number_map *map, const struct recorded_name *row)
{
    u32 number;

    if (row->kind != NAMED_CLASS || !numbers_accepts(row->id))
        return 0;
    number = number_of_name(c, row->text);
    return number ? numbers_set(map, row->id, number) : -ENOMEM;
}

static int
read_experiment(void *owner, struct experiment *e, struct number_map *map)
{
    int ret = experiment_names(e);

    for (u32 i = 0; i < e->names.count && ret == 0; i++)
        ret = add_class(owner, map, &e->names.row[i]);
    return ret;
}

static void
classes_free(struct classes *c)
{
    if (!c)
        return;
    numbers_free(&c->numbers);
    free(c->name);
    free(c);
}

static int
make(struct session *session)
{
    struct classes *c = calloc(1, sizeof(*c));
    int ret = c ? numbers_read(&c->numbers, session, read_experiment, c) : -ENOMEM;

    if (ret < 0)
        classes_free(c);
    else
        session->classes = c;
    return ret;
}

int
classes_map(struct session *session, u32 experiment, const struct number_map **out)
{
    int ret = session->classes ? 0 : make(session);

    if (ret == 0)
        *out = &session->classes->numbers.map[experiment];
    return ret;
}

const char *
classes_name(const struct session *session, u64 number)
{
    const struct classes *c = session->classes;

    return c && number && number <= c->numbers.count ? c->name[number - 1] : NULL;
}

void
classes_reset(struct session *session)
{
    classes_free(session->classes);
    session->classes = NULL;
}

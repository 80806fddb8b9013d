/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/classes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/load/array.h"
#include "share/named.h"

enum {
    IDS_MAX = 1 << 24, /* ids beyond are damage */
};

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

/* The number of that name, new if need be; 0 = no memory. */
static u32
number_of(struct classes *c, const char *name)
{
    struct wanted wanted = { c, name };
    u32 hash = (u32)hash_str(0, name);
    u32 at = hash_find(&c->hash, hash, same_name, &wanted);

    if (at != HASH_NONE)
        return at + 1;
    if (array_room(&c->name, &c->room, c->count + 1, sizeof(*c->name)) < 0 ||
        hash_add(&c->hash, hash, c->count) < 0)
        return 0;
    c->name[c->count] = name;
    return ++c->count;
}

static int
take(struct classes *c, struct class_map *map, const struct noted_name *row)
{
    if (row->kind != NAMED_CLASS || row->id >= IDS_MAX)
        return 0;
    if (array_room_zero(&map->number, &map->count, (u32)row->id + 1,
                        sizeof(*map->number)) < 0)
        return -ENOMEM;
    map->number[row->id] = number_of(c, row->text);
    return map->number[row->id] ? 0 : -ENOMEM;
}

static int
read_experiment(struct classes *c, struct experiment *e, struct class_map *map)
{
    int ret = experiment_names(e);

    for (u32 i = 0; i < e->names.count && ret == 0; i++)
        ret = take(c, map, &e->names.row[i]);
    return ret;
}

static void
classes_free(struct classes *c)
{
    if (!c)
        return;
    for (u32 i = 0; i < c->maps; i++)
        free(c->map[i].number);
    free(c->map);
    free(c->name);
    hash_free(&c->hash);
    free(c);
}

static int
make(struct session *session)
{
    struct classes *c = calloc(1, sizeof(*c));
    int ret = c ? 0 : -ENOMEM;

    if (c)
        c->map = calloc((size_t)session->nexperiments + 1, sizeof(*c->map));
    if (!c || !c->map)
        ret = -ENOMEM;
    for (u32 i = 0; i < session->nexperiments && ret == 0; i++, c->maps++)
        ret = read_experiment(c, session->experiment[i], &c->map[i]);
    if (ret < 0)
        classes_free(c);
    else
        session->classes = c;
    return ret;
}

int
classes_map(struct session *session, u32 experiment, const struct class_map **out)
{
    int ret = session->classes ? 0 : make(session);

    if (ret == 0)
        *out = &session->classes->map[experiment];
    return ret;
}

const char *
classes_name(const struct session *session, u64 number)
{
    const struct classes *c = session->classes;

    return c && number && number <= c->count ? c->name[number - 1] : NULL;
}

void
classes_reset(struct session *session)
{
    classes_free(session->classes);
    session->classes = NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/filter/filterdata.h"

#include <errno.h>
#include <stdlib.h>

#include "print/model/data/datatitle.h"
#include "print/model/symbols/stacks.h"

/*
 * Which of the m->count equal parts of the time contains a moment: an index in
 * m->first. The last part also contains what is later, the first what is earlier.
 */
static u32
part_of(const struct filter_moments *m, u64 ticks)
{
    u64 since = ticks < m->from ? 0 : ticks - m->from;

    if (since >= m->span)
        return m->count - 1;
    return (u32)((unsigned __int128)since * m->count / m->span);
}

static int
index_moments(struct filter_moments *m)
{
    u32 part = 0;

    if (!m->count)
        return 0;
    m->first = malloc(((size_t)m->count + 1) * sizeof(*m->first));
    if (!m->first)
        return -ENOMEM;
    m->from = m->row[0].ticks;
    m->span = m->row[m->count - 1].ticks - m->from + 1;
    for (u32 i = 0; i < m->count; i++)
        for (u32 to = part_of(m, m->row[i].ticks); part <= to; part++)
            m->first[part] = i;
    for (; part <= m->count; part++)
        m->first[part] = m->count;
    return 0;
}

/*
 * The number of the data object in row `row`. That of a block or mapping is computed
 * from the stack that allocated it, so that accesses and heap events get the same
 * number.
 */
static int64_t
number_of(const struct data_thing *thing, u32 row)
{
    if (thing->kind != DATA_BLOCK && thing->kind != DATA_MAPPING)
        return row;
    return FILTERDATA_BLOCK + 2 * (int64_t)thing->node +
           (thing->kind == DATA_MAPPING);
}

static int
load_accesses(struct session *session, struct filter_data *data, u32 experiment)
{
    struct filter_moments *m = &data->experiment[experiment];
    struct data_access *access = NULL;
    u32 count = 0;
    int ret = datafind(session, experiment, NULL, &data->things, &access, &count);

    if (ret < 0)
        return ret;
    m->row = malloc(((size_t)count + 1) * sizeof(*m->row));
    for (u32 i = 0; i < count && m->row; i++)
        m->row[i] = (struct data_moment){ access[i].ticks, access[i].addr,
                                          access[i].thing, access[i].stack };
    m->count = m->row ? count : 0;
    free(access);
    ret = m->row ? index_moments(m) : -ENOMEM;
    m->loaded = ret == 0;
    return ret;
}

static int
load_nodes(struct session *session, struct filter_data *data, u32 experiment)
{
    const struct nodes *nodes = &session->experiment[experiment]->nodes;
    struct filter_moments *m = &data->experiment[experiment];
    struct node_row row;
    int ret = 0;

    m->node = calloc((size_t)nodes->count + 1, sizeof(*m->node));
    if (!m->node)
        return -ENOMEM;
    m->nodes = nodes->count;
    for (u32 id = 1; id < nodes->count && ret == 0; id++)
        if (nodes_get(nodes, id, &row) == 0)
            ret = stacks_of(session, experiment, id, &m->node[id]);
    return ret;
}

int
filterdata_load(struct session *session, struct filter_data *data, u32 experiment,
                bool blocks)
{
    struct filter_moments *m;
    int ret = 0;

    if (!data->experiment) {
        data->experiment = calloc((size_t)session->nexperiments + 1, sizeof(*m));
        data->experiments = data->experiment ? session->nexperiments : 0;
    }
    if (experiment >= data->experiments)
        return -ENOMEM;
    m = &data->experiment[experiment];
    if (blocks && !m->node)
        ret = load_nodes(session, data, experiment);
    if (!blocks && !m->loaded)
        ret = load_accesses(session, data, experiment);
    return ret;
}

void
filterdata_free(struct filter_data *data)
{
    for (u32 i = 0; i < data->experiments; i++) {
        free(data->experiment[i].row);
        free(data->experiment[i].first);
        free(data->experiment[i].node);
    }
    free(data->experiment);
    data_things_free(&data->things);
    *data = (struct filter_data){ .experiments = 0 };
}

/* Does a row come before the moment with these members? */
static bool
precedes(const struct data_moment *m, u64 ticks, u64 addr, bool stack)
{
    if (m->ticks != ticks)
        return m->ticks < ticks;
    return m->addr != addr ? m->addr < addr : m->stack < stack;
}

int64_t
filterdata_access(const struct filter_data *data, u32 experiment, u64 ticks, u64 addr,
                  bool stack)
{
    const struct filter_moments *m = &data->experiment[experiment];
    u32 part, lo, hi;

    if (!m->count)
        return -1;
    part = part_of(m, ticks);
    lo = m->first[part];
    hi = m->first[part + 1];
    while (lo < hi) {
        u32 mid = lo + (hi - lo) / 2;

        if (precedes(&m->row[mid], ticks, addr, stack))
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo == m->count || m->row[lo].ticks != ticks || m->row[lo].addr != addr ||
        m->row[lo].stack != stack)
        return -1;
    return number_of(&data->things.row[m->row[lo].thing], m->row[lo].thing);
}

int64_t
filterdata_block(const struct filter_data *data, u32 experiment, u32 node, bool mapping)
{
    const struct filter_moments *m = &data->experiment[experiment];

    if (node >= m->nodes || !m->node[node])
        return -1;
    return FILTERDATA_BLOCK + 2 * (int64_t)m->node[node] + mapping;
}

int
filterdata_match(struct session *session, const struct filter_data *data,
                 const regex_t *pattern, struct filter_data_set *out)
{
    struct filter_data_set set = { .things = data->things.count };
    int ret;

    set.thing = calloc((size_t)set.things + 1, 1);
    if (!set.thing)
        return -ENOMEM;
    for (u32 i = 0; i < set.things; i++) {
        const struct data_thing *thing = &data->things.row[i];

        if (number_of(thing, i) < FILTERDATA_BLOCK)
            set.thing[i] = datatitle_fits(session, thing, pattern);
    }
    ret = datatitle_blocks(session, pattern, &set.block, &set.blocks);
    if (ret < 0)
        filterdata_set_free(&set);
    else
        *out = set;
    return ret;
}

void
filterdata_set_free(struct filter_data_set *set)
{
    free(set->thing);
    free(set->block);
    *set = (struct filter_data_set){ .things = 0 };
}

bool
filterdata_has(const struct filter_data_set *set, int64_t number)
{
    if (number >= FILTERDATA_BLOCK)
        return number - FILTERDATA_BLOCK < set->blocks &&
               set->block[number - FILTERDATA_BLOCK];
    return number >= 0 && number < set->things && set->thing[number];
}

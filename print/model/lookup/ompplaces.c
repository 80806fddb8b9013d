/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/lookup/ompplaces.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/load/log.h"
#include "print/model/symbols/stacks.h"
#include "print/model/symbols/frametext.h"
#include "share/record.h"

/* A place in the code, with a stack that has it as its leaf. */
struct spot {
    u32 experiment;
    u32 node; /* the experiment's node id */
    u32 place[3]; /* function, file, and line or (if that is not known) site */
};

struct spots {
    struct spot *spot; /* number 1 has index 0 */
    u32 count, room;
};

struct ompplaces {
    struct spots spots[OMPPLACE_KINDS];
    struct ompplaces_map *map; /* by experiment */
    u32 maps;
};

static const char *const records[OMPPLACE_KINDS] = { "preg", "otask" };

/* By kind, then by node id of one experiment: 1 = a place is the leaf of the node. */
struct reading {
    unsigned char *is[OMPPLACE_KINDS];
    u32 count;
};

static void
on_batch(void *context, const struct batch *batch)
{
    struct reading *r = context;
    const u64 *row = batch->row;
    u32 kind = 0;
    int at;

    while (kind < OMPPLACE_KINDS && strcmp(batch->record->name, records[kind]))
        kind++;
    at = schema_find_number(batch->record, "node");
    if (kind == OMPPLACE_KINDS || at < 0)
        return;
    for (u32 i = 0; i < batch->count; i++, row += batch->record->nfields)
        if (row[at] < r->count)
            r->is[kind][row[at]] = 1;
}

/* The number of the place at a node's leaf; a new place gets one. 0 = no memory. */
static u32
number_of(struct session *session, struct spots *spots, u32 experiment, u32 node)
{
    struct spot spot = { .experiment = experiment, .node = node };
    struct stack_frame frame = { 0 };
    u32 at, i = 0;

    if (stacks_of(session, experiment, node, &at) < 0 ||
        frametext_place(session, at, &frame) == -ENOMEM)
        return 0;
    spot.place[0] = frame.func;
    spot.place[1] = frame.file;
    spot.place[2] = frame.line ? frame.line : session->stacks->node[at].site;
    while (i < spots->count &&
           memcmp(spots->spot[i].place, spot.place, sizeof(spot.place)) != 0)
        i++;
    if (i < spots->count)
        return i + 1;
    if (array_room(&spots->spot, &spots->room, spots->count + 1, sizeof(spot)) < 0)
        return 0;
    spots->spot[spots->count++] = spot;
    return spots->count;
}

/*
 * Give a node, and those of its callers that have no number yet, the number of the
 * first of its callers that has one; UINT32_MAX - 1 if none has, or if the callers form
 * a cycle, as in a damaged file.
 */
static void
climb(const struct nodes *nodes, u32 *number, u32 node)
{
    static const u32 open = UINT32_MAX;
    struct node_row row;
    u32 found = 0, at;

    for (at = node; at && at < nodes->count; at = row.parent) {
        if (number[at]) {
            found = number[at] == open ? 0 : number[at];
            break;
        }
        number[at] = open;
        if (nodes_get(nodes, at, &row) < 0)
            break;
    }
    for (at = node; at && at < nodes->count && number[at] == open; at = row.parent) {
        number[at] = found ? found : open - 1;
        if (nodes_get(nodes, at, &row) < 0)
            break;
    }
}

/*
 * Number the nodes that are places, then give each node the number of its place. 0 or
 * -ENOMEM.
 */
static int
spread(struct session *session, u32 experiment, const unsigned char *is,
       struct spots *spots, u32 *number)
{
    const struct nodes *nodes = &session->experiment[experiment]->nodes;

    for (u32 i = 1; i < nodes->count; i++) {
        if (!is[i])
            continue;
        number[i] = number_of(session, spots, experiment, i);
        if (!number[i])
            return -ENOMEM;
    }
    for (u32 i = 1; i < nodes->count; i++)
        climb(nodes, number, i);
    for (u32 i = 1; i < nodes->count; i++)
        if (number[i] >= UINT32_MAX - 1)
            number[i] = 0;
    return 0;
}

static int
read_experiment(struct session *session, struct ompplaces *p, u32 index,
                struct ompplaces_map *map)
{
    struct experiment *e = session->experiment[index];
    struct reading reading = { .count = e->nodes.count };
    struct record_sink sink = { on_batch, &reading, false };
    struct record_source source;
    int ret = 0;

    if (!log_find_event(&e->log, "openmp") ||
        experiment_source(e, FILE_profile, &source) < 0)
        return 0;
    map->count = e->nodes.count;
    for (u32 k = 0; k < OMPPLACE_KINDS; k++) {
        reading.is[k] = calloc((size_t)map->count + 1, 1);
        map->number[k] = calloc((size_t)map->count + 1, sizeof(*map->number[k]));
        if (!reading.is[k] || !map->number[k])
            ret = -ENOMEM;
    }
    if (ret == 0)
        ret = records_scan(&source, &sink, 1, NULL);
    for (u32 k = 0; k < OMPPLACE_KINDS && ret == 0; k++)
        ret = spread(session, index, reading.is[k], &p->spots[k], map->number[k]);
    for (u32 k = 0; k < OMPPLACE_KINDS; k++)
        free(reading.is[k]);
    return ret;
}

void
ompplaces_reset(struct session *session)
{
    struct ompplaces *p = session->ompplaces;

    for (u32 i = 0; p && i < p->maps; i++)
        for (u32 k = 0; k < OMPPLACE_KINDS; k++)
            free(p->map[i].number[k]);
    for (u32 k = 0; p && k < OMPPLACE_KINDS; k++)
        free(p->spots[k].spot);
    if (p)
        free(p->map);
    free(p);
    session->ompplaces = NULL;
}

static int
make(struct session *session)
{
    struct ompplaces *p = calloc(1, sizeof(*p));
    int ret = 0;

    session->ompplaces = p;
    if (p)
        p->map = calloc((size_t)session->nexperiments + 1, sizeof(*p->map));
    if (!p || !p->map)
        ret = -ENOMEM;
    else
        p->maps = session->nexperiments;
    for (u32 i = 0; ret == 0 && i < p->maps; i++)
        ret = read_experiment(session, p, i, &p->map[i]);
    if (ret < 0)
        ompplaces_reset(session);
    return ret;
}

int
ompplaces_map(struct session *session, u32 experiment, const struct ompplaces_map **out)
{
    int ret = session->ompplaces ? 0 : make(session);

    if (ret == 0)
        *out = &session->ompplaces->map[experiment];
    return ret;
}

u32
ompplaces_node(struct session *session, enum ompplace_kind kind, u64 number)
{
    const struct ompplaces *p = session->ompplaces;
    const struct spot *spot;
    u32 node;

    if (!p || !number || number > p->spots[kind].count)
        return 0;
    spot = &p->spots[kind].spot[number - 1];
    return stacks_of(session, spot->experiment, spot->node, &node) < 0 ? 0 : node;
}

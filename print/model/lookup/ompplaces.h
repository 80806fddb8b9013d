/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers for the places in the code that begin OpenMP parallel regions, and for those
 * that create tasks: from 1, the same in all experiments. An event belongs to the
 * innermost place of each kind on its stack. Ordinary process context; read when first
 * asked for, whatever the filter.
 */
#ifndef ERTOOLS_PRINT_MODEL_LOOKUP_OMPPLACES_H
#define ERTOOLS_PRINT_MODEL_LOOKUP_OMPPLACES_H

#include "print/model/session.h"

enum ompplace_kind {
    OMPPLACE_REGION,
    OMPPLACE_TASK,
    OMPPLACE_KINDS,
};

/* By kind, then by an experiment's node id: the number of its place, 0 = none. */
struct ompplaces_map {
    u32 *number[OMPPLACE_KINDS];
    u32 count; /* of nodes */
};

/* Get the map of an experiment; the session owns it. 0 or -ENOMEM. */
int ompplaces_map(struct session *session, u32 experiment,
                  const struct ompplaces_map **out);

static inline u32
ompplaces_number(const struct ompplaces_map *map, enum ompplace_kind kind, u64 node)
{
    return node < map->count && map->number[kind] ? map->number[kind][node] : 0;
}

/* A stack node of the session whose leaf is the place with that number; 0 = none. */
u32 ompplaces_node(struct session *session, enum ompplace_kind kind, u64 number);

/* Forget all: experiments have changed. */
void ompplaces_reset(struct session *session);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The classes of Java's objects, with one number for a name in all experiments.
 * Ordinary process context; read when first asked for.
 */
#ifndef ERTOOLS_PRINT_MODEL_CLASSES_H
#define ERTOOLS_PRINT_MODEL_CLASSES_H

#include "print/load/hash.h"
#include "print/model/session.h"

/* What an experiment's own ids are: numbers, by id; 0 = not known. */
struct class_map {
    u32 *number;
    u32 count;
};

struct classes {
    const char **name; /* number 1 is [0]; of the experiments */
    u32 count, room;
    struct hash hash;
    struct class_map *map; /* by experiment */
    u32 maps;
};

/* What an experiment's ids are; the session's. 0 or -ENOMEM. */
int classes_map(struct session *session, u32 experiment, const struct class_map **out);

static inline u32
class_number(const struct class_map *map, u64 id)
{
    return id < map->count ? map->number[id] : 0;
}

/* The name of a number; NULL for a number that none has. */
const char *classes_name(const struct session *session, u64 number);

/* Forget all: experiments have changed. */
void classes_reset(struct session *session);

#endif

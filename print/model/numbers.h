/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One number for what several experiments have, each with an id of its own: classes of
 * Java's objects, communicators of MPI. Numbers are 1, 2, ... in the order in which
 * things are first met. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_NUMBERS_H
#define ERTOOLS_PRINT_MODEL_NUMBERS_H

#include "print/load/hash.h"
#include "print/model/session.h"

/* What an experiment's own ids are: numbers, by id; 0 = not known. */
struct number_map {
    u32 *number;
    u32 count;
};

/* All 0 is empty. The owner has an array of things; number 1 is its first element. */
struct numbers {
    struct hash hash;
    u32 count;
    struct number_map *map; /* by experiment */
    u32 maps;
};

static inline u32
number_of(const struct number_map *map, u64 id)
{
    return id < map->count ? map->number[id] : 0;
}

/*
 * Have read() fill the map of each experiment of the session; owner is for it. 0 or
 * what read() returns below 0; numbers_free() is to be called in either case.
 */
int numbers_read(struct numbers *numbers, struct session *session,
                 int (*read)(void *owner, struct experiment *e, struct number_map *map),
                 void *owner);

/*
 * The number of the thing of that hash value for which `same` is true. If there is
 * none: numbers->count + 1, for a thing that the owner adds and numbers_add() counts.
 */
u32 numbers_find(const struct numbers *numbers, u32 hash,
                 bool (*same)(const void *key, u32 index), const void *key);

/* The owner has added a thing. 0 or -ENOMEM. */
int numbers_add(struct numbers *numbers, u32 hash);

/* Could an experiment have that id? Others are damage. */
bool numbers_believes(u64 id);

/* An experiment's id, which numbers_believes(), has that number. 0 or -ENOMEM. */
int numbers_set(struct number_map *map, u64 id, u32 number);

void numbers_free(struct numbers *numbers);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Session-wide numbers for things that each experiment knows by an id of its own: Java
 * classes, MPI communicators. The same thing has the same number in all experiments.
 * Numbers are 1, 2, ... in the order in which things are first found. Ordinary process
 * context.
 */
#ifndef ERTOOLS_PRINT_MODEL_NUMBERS_H
#define ERTOOLS_PRINT_MODEL_NUMBERS_H

#include "print/base/hash.h"
#include "print/model/session.h"

/* number[id] is the number of the thing with that id; 0 = not known. */
struct number_map {
    u32 *number;
    u32 count;
};

/* All 0 is empty. The owner has an array of the things: number 1 has index 0. */
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
 * Call read() for each experiment of the session until one fails; it must fill the
 * experiment's map. owner: passed to read(). Returns 0, -ENOMEM, or the error of
 * read(); call numbers_free() even then.
 */
int numbers_read(struct numbers *numbers, struct session *session,
                 int (*read)(void *owner, struct experiment *e, struct number_map *map),
                 void *owner);

/*
 * The number of the thing with this hash value for which same() is true. If there is
 * none: numbers->count + 1; the owner then adds the thing and calls numbers_add().
 */
u32 numbers_find(const struct numbers *numbers, u32 hash,
                 bool (*same)(const void *key, u32 index), const void *key);

/* The owner has added a thing, which gets the next number. 0 or -ENOMEM. */
int numbers_add(struct numbers *numbers, u32 hash);

/* Is an id small enough to be genuine? Treat a larger one as damage. */
bool numbers_accepts(u64 id);

/* Set the number for an id; numbers_accepts(id) must be true. 0 or -ENOMEM. */
int numbers_set(struct number_map *map, u64 id, u32 number);

void numbers_free(struct numbers *numbers);

#endif

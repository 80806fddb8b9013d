/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The load instances that there have been: an object at a place. The same one back at
 * the same place is the same instance. Normal context, under guard_map.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_INSTANCE_H
#define ERTOOLS_COLLECTOR_PRELOAD_INSTANCE_H

#include "share/types.h"

struct instance {
    u32 id;     /* 1 and on */
    u32 loaded; /* 1 = in map.xml and the table as present */
    u32 round;  /* of the refresh that last met it */
    u32 flags;  /* enum objtab_flag */
    u32 mapped; /* 1 = not the loader's: found among the mappings */
    u32 next_alike; /* ids, 0 = none */
    u32 next_loaded;
    u64 lo;
    u64 hi;
    u64 bias;
    u64 check; /* of name and identity */
};

/* How many there have been. */
extern u32 map_objects;

/* The instance with this place and check, or NULL. */
struct instance *instance_find(u64 lo, u64 hi, u64 bias, u64 check);

/*
 * A new one, not loaded, with the place, check, flags and mapped of *like; NULL: no
 * memory. Pointers to others are void afterwards.
 */
struct instance *instance_new(const struct instance *like);

/* It is loaded. */
void instance_load(struct instance *i);

/* Call `gone` with each loaded one: those that it returns 1 for are not loaded now. */
void instance_sweep(int (*gone)(const struct instance *, void *), void *arg);

/* 1 if a loaded one that was met in this round touches [lo, hi). */
int instance_covers(u64 lo, u64 hi, u32 round);

/* The loaded ones with this bias are met in this round. */
void instance_meet_bias(u64 bias, u32 round);

/* None is known any more: a map.xml begins that has none of them. */
void instance_forget_all(void);

#endif

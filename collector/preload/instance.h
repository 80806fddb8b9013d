/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All load instances so far. An instance is an object at an address; an object that is
 * loaded again at the same address is the same instance. Normal context, under
 * guard_map.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_INSTANCE_H
#define ERTOOLS_COLLECTOR_PRELOAD_INSTANCE_H

#include "share/types.h"

struct instance {
    u32 id;     /* from 1 on */
    u32 loaded; /* 1 = map.xml and the table say that it is loaded */
    u32 round;  /* number of the last refresh that found it */
    u32 flags;  /* enum objtab_flag */
    u32 mapped; /* 1 = unknown to the loader: found among the mappings */
    u32 next_alike;  /* id of the next one in the same hash list, 0 = none */
    u32 next_loaded; /* id of the next one that is loaded, 0 = none */
    u64 lo;
    u64 hi;
    u64 bias;
    u64 check; /* hash of the object's name and identity (map.c: check_of()) */
};

/* The number of instances so far: their ids are 1 to this number. */
extern u32 instance_total;

/* The instance with these addresses and this check, or NULL. */
struct instance *instance_find(u64 lo, u64 hi, u64 bias, u64 check);

/*
 * Add an instance that is not loaded, with the addresses, check, flags and mapped of
 * *like. NULL: no memory. Pointers to other instances are invalid afterwards.
 */
struct instance *instance_new(const struct instance *like);

/* Mark an instance that is not loaded as loaded. */
void instance_load(struct instance *i);

/*
 * Call `gone` for each loaded instance; if it returns 1, mark the instance as unloaded.
 */
void instance_sweep(int (*gone)(const struct instance *, void *), void *arg);

/* 1 if a loaded instance that this round has found overlaps [lo, hi). */
int instance_covers(u64 lo, u64 hi, u32 round);

/* Mark the loaded instances with this bias as found in this round. */
void instance_mark_loaded(u64 bias, u32 round);

/*
 * Forget all instances, and remove the loaded ones from the table of sig/objtab.h: a
 * new map.xml begins.
 */
void instance_forget_all(void);

#endif

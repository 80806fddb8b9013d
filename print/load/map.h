/* SPDX-License-Identifier: Apache-2.0 */
/*
 * map.xml in memory: the load objects of a process, when each was loaded, and symbols
 * of the kernel.
 */
#ifndef ERTOOLS_PRINT_LOAD_MAP_H
#define ERTOOLS_PRINT_LOAD_MAP_H

#include <stdbool.h>

#include "archive/object/objfile.h"
#include "print/base/problems.h"
#include "share/types.h"

struct pool;

enum map_kind {
    MAP_FILE,
    MAP_VDSO,
    MAP_ANON,
    MAP_JIT,
    MAP_KERNEL, /* the kernel, or a module of it; of addresses, only the low 48 bits */
};

/*
 * One interval in which an object was loaded: [from, to), CLOCK_MONOTONIC ns. to =
 * UINT64_MAX: until the end.
 */
struct map_interval {
    u64 from;
    u64 to;
};

/* One load of an object. The map owns the strings; "" = not known. */
struct map_instance {
    u32 id;
    enum map_kind kind;
    u64 bias; /* pc - bias = link-time vaddr */
    u64 lo;   /* pcs are in [lo, hi) */
    u64 hi;
    struct objfile_id file; /* name, buildid, dev, inode, fsize, mtime */
    const char *boot; /* MAP_KERNEL: the boot's id; "" = not known */
    bool main;              /* the program itself */
    bool mapped; /* a file among the mappings that the loader does not know */
    bool collector;         /* libcollector.so and its family */
    struct map_interval *interval;
    u32 nintervals;
};

/*
 * Maps an early number, which is a provisional instance id in stack nodes, to the id;
 * see ER_EARLY_FIRST.
 */
struct map_early {
    u32 number; /* at least ER_EARLY_FIRST */
    u32 id;
};

/* A function of the kernel or of a kernel module, at [lo, hi). */
struct map_symbol {
    u64 lo;
    u64 hi;
    const char *name;
};

struct map {
    struct map_instance *instance; /* sorted by id */
    u32 count;
    struct map_symbol *symbol; /* in the order of the file */
    u32 nsymbols;
    struct map_early *early; /* sorted by number */
    u32 nearly;
    bool closed;  /* the final </map> was found */
    bool is_read; /* by map_parse() */
    struct pool *memory;
};

/*
 * Read map.xml, or its text in memory. name: for problems, in which damage is reported.
 * 0 and *out, for map_free(). -ENOENT: no such file; -EBADMSG: not a list of load
 * objects; or another -errno.
 */
int map_read(struct map *out, int dirfd, const char *name, struct problems *problems);
int map_parse(struct map *out, const char *text, size_t len, const char *name,
              struct problems *problems);
void map_free(struct map *map);

/* The instance with that id, or that early number; NULL if there is none. */
const struct map_instance *map_find(const struct map *map, u32 id);

/*
 * The instance that contains pc. mono: only one that was loaded at that time counts
 * (CLOCK_MONOTONIC ns, 0 = at any time). NULL: there is none, or several of different
 * objects.
 */
const struct map_instance *map_find_pc(const struct map *map, u64 pc, u64 mono);

#endif

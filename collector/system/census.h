/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processes of the machine: which program each runs, and its executable mappings,
 * at the time of the record that is being read. /proc gives the processes that run at
 * the start; later only the kernel's records count, since a process may have ended when
 * its samples are read. Normal context of er_kernel, one thread.
 */
#ifndef ERTOOLS_SYSTEM_CENSUS_H
#define ERTOOLS_SYSTEM_CENSUS_H

#include <sys/types.h>

#include "collector/outside/mirror.h"
#include "share/types.h"

enum {
    CENSUS_NAME = 16, /* bytes of a name as the kernel has it, with its final zero */
    CENSUS_SLOTS = 4096,
};

/*
 * Only processes of kind CENSUS_PROGRAM get an experiment of their own. Samples of the
 * others go to the machine's.
 */
enum census_kind {
    CENSUS_PROGRAM,
    CENSUS_KERNEL, /* a thread of the kernel, or a processor's idle task */
    CENSUS_OWN,    /* er_kernel and its helpers */
};

struct part;

struct census_process {
    u32 pid, parent;
    enum census_kind kind;
    char name[CENSUS_NAME];
    /* CLOCK_MONOTONIC ns of its fork or last exec; 0 = before the start, or unknown */
    u64 born;
    u64 gone;   /* CLOCK_MONOTONIC ns of its first thread's end, 0 = it still runs */
    u32 parts;  /* experiments that it had as this program */
    struct part *part; /* where its samples go now, NULL = it has none */
    struct mirror_mapping *map; /* the names are malloc'ed, the census owns them */
    u32 maps, room;
    struct census_process *next;
};

/* An empty census is all zero, except for `own`. */
struct census {
    pid_t own; /* er_kernel */
    struct census_process *slot[CENSUS_SLOTS];
};

/* Add all processes that run now. mono: the time, CLOCK_MONOTONIC ns. */
void census_start(struct census *c, u64 mono);

/*
 * The process with this id. One that is not known yet is added from /proc. NULL = no
 * memory.
 */
struct census_process *census_get(struct census *c, u32 pid, u64 mono);

/* As census_get(), but NULL if the process is not known yet. */
struct census_process *census_find(const struct census *c, u32 pid);

/* A process was forked. An earlier process with this id must have no part any more. */
void census_fork(struct census *c, u32 pid, u32 parent, u64 mono);

/*
 * Record that the process has executed a program of that name. Its part must have been
 * stopped.
 */
void census_exec(struct census_process *p, const char *name, u64 mono);

void census_name(struct census_process *p, const char *name);

/*
 * Add an executable mapping, of which a copy is kept, in place of those that it covers.
 * Without memory, or if there are too many, it is left out.
 */
void census_map(struct census_process *p, const struct mirror_mapping *mapping);

/* The process has ended, and its part was stopped: free it. */
void census_remove(struct census *c, struct census_process *p);

#endif

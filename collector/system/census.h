/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processes of the machine: which program each runs, and what it has mapped to be
 * executed, at the time of the record that is looked at. By /proc for those that run
 * at the start, then by the kernel's records alone: a process may have ended when its
 * samples are read. Normal context of er_kernel, one thread.
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

/* Whose samples have no experiment of their own. */
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
    u64 born;   /* CLOCK_MONOTONIC ns of its fork or exec, 0 = before the start */
    u64 gone;   /* its first thread has ended then, 0 = it has not */
    u32 parts;  /* experiments that it had as this program */
    struct part *part; /* where its samples go now, NULL = nowhere yet */
    struct mirror_mapping *map; /* names are the census's own */
    u32 maps, room;
    struct census_process *next;
};

/* All zero but for `own` = empty. */
struct census {
    pid_t own; /* er_kernel */
    struct census_process *slot[CENSUS_SLOTS];
};

/* All that runs now; mono: the time. */
void census_start(struct census *c, u64 mono);

/* The process; one that is not known is looked at in /proc. NULL = no memory. */
struct census_process *census_get(struct census *c, u32 pid, u64 mono);

/* The same, if it is known; else NULL. */
struct census_process *census_find(const struct census *c, u32 pid);

/* A process was forked. What had this number before has no part any more. */
void census_fork(struct census *c, u32 pid, u32 parent, u64 mono);

/* It has become another program, of that name. It has no part. */
void census_exec(struct census_process *p, const char *name, u64 mono);

void census_name(struct census_process *p, const char *name);

/* It has mapped something to be executed. */
void census_map(struct census_process *p, const struct mirror_mapping *mapping);

/* It has gone, and has no part. */
void census_remove(struct census *c, struct census_process *p);

#endif

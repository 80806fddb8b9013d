/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of a process to which collect attaches (attach.h). Normal context of
 * the launcher, one thread. Errors are -errno.
 */
#ifndef ERTOOLS_COLLECTOR_ATTACH_ATTACH_STATE_H
#define ERTOOLS_COLLECTOR_ATTACH_ATTACH_STATE_H

#include <sys/types.h>

#include "collector/attach/image.h"
#include "share/attach.h"
#include "share/types.h"

/* Addresses of a mapping, which may be a thread's stack. */
struct attach_map {
    u64 lo, hi;
};

struct attach {
    pid_t pid;
    int pidfd;
    struct images images;
    char *pages; /* our mapping of the pages shared with the target; NULL = none */
    u64 base;    /* address of the pages in the target */
    int created; /* the agent was created, and may still run */
    int gone;    /* the process has executed another program */
    u64 gone_since; /* CLOCK_MONOTONIC ns when the caller saw that; 0 = not yet */
    int lost;    /* a thread still runs in the pages: they stay mapped */
    pid_t *seen; /* threads whose recording was begun */
    u32 seen_count;
    struct attach_map *maps; /* writable mappings, read before threads were stopped */
    u32 map_count, map_room;
    u64 *pauses; /* duration of each stop of a thread, ns */
    u32 pause_count, pause_room;
    u32 threads; /* how many threads were begun from outside */
    u64 create;  /* address of pthread_create() in the target */
    pid_t agent; /* the agent's thread id in our PID namespace */
    pid_t safe;  /* with a debugger: a thread that may call any function */
    char why[600];
    char sandbox[160]; /* how the target's seccomp filters prevent recording */
};

/* What is to be recorded, and where; strings are the caller's. */
struct attach_order {
    const char *params;
    const char *experiment;
    const char *libraries[ATTACH_LIBRARIES]; /* the collector first; NULL = no more */
    int directory; /* of the experiment, for a process that does not see its path */
};

static inline struct attach_page *
attach_page(const struct attach *a)
{
    return (struct attach_page *)(void *)(a->pages + ATTACH_CODE_BYTES);
}

/* Prepare only to notice the end of the process, without attaching to it. */
int attach_watch(struct attach *a, pid_t pid);

/* 1: this path names the same file for the process as for us. */
int attach_sees(const struct attach *a, const char *path);

/* 1: the process has ended, or has become another program. */
int attach_is_over(const struct attach *a);

/* 1: the process has ended. */
int attach_has_ended(const struct attach *a);

/*
 * 1 while our pages are mapped in the target. An exec unmaps them; then no thread may
 * be made to run what is at their address. Call while some thread is stopped.
 */
int attach_is_there(struct attach *a);

/* Add to a->pauses for how long a thread was stopped; 0 is ignored. */
void attach_add_pause(struct attach *a, u64 ns);

/* Compute the median, the 99th percentile and the longest of the pauses, in ns. */
void attach_pauses(struct attach *a, u64 *median, u64 *p99, u64 *longest);

#endif

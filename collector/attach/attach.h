/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Attaches to a running process and detaches from it: see doc/ARCHITECTURE.md. Normal
 * context of the launcher, one thread. Errors are -errno; if `why` is set, it has the
 * reason as text.
 */
#ifndef ERTOOLS_COLLECTOR_ATTACH_ATTACH_H
#define ERTOOLS_COLLECTOR_ATTACH_ATTACH_H

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
    char *pages; /* shared with the target; NULL = not mapped in the target */
    u64 base;    /* address of the pages in the target */
    int created; /* the agent was created, and may still run */
    int gone;    /* the process has executed another program */
    u64 gone_since; /* CLOCK_MONOTONIC ns, the user's */
    int lost;    /* a thread still runs in the pages: they stay mapped */
    pid_t *seen; /* threads whose recording was begun */
    u32 seen_count;
    struct attach_map *maps; /* as they were before threads were stopped */
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

/* Prepare to attach; nothing changes in the target. */
int attach_open(struct attach *a, pid_t pid);

/* Prepare only to notice the end of the process, without attaching to it. */
int attach_watch(struct attach *a, pid_t pid);

/* 1: this path names the same file for the process as for us. */
int attach_sees(const struct attach *a, const char *path);

/* The agent's thread id in our PID namespace; 0 = it has not started. */
pid_t attach_agent(struct attach *a);

/* Start the agent in the target and begin the recording; no thread is recorded yet. */
int attach_enter(struct attach *a, const struct attach_order *order);

/*
 * Begin to record each thread that is not recorded yet; known(arg, tid) says which
 * already are. To be repeated periodically. Returns how many were begun.
 */
int attach_threads(struct attach *a, int (*known)(void *arg, pid_t tid), void *arg);

/* Redirect the target's calls to the hooks of the collector's libraries. */
int attach_lead(struct attach *a);

/*
 * End the recording of all threads, restore what was changed in the process, and
 * detach.
 */
int attach_leave(struct attach *a);

/* 1: the process has ended, or has become another program. */
int attach_is_over(const struct attach *a);

/* 1: it has ended. */
int attach_has_ended(const struct attach *a);

/* Compute the median, the 99th percentile and the longest of the pauses, in ns. */
void attach_pauses(struct attach *a, u64 *median, u64 *p99, u64 *longest);

void attach_close(struct attach *a);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Into a running process and out of it: see doc/ARCHITECTURE.md. Normal context of the
 * launcher, one thread. Errors are -errno; where `why` is set, it says more.
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
    char *pages; /* shared with the target; NULL = not in it */
    u64 base;    /* of the same, there */
    int created; /* our thread was made, and may be there */
    int gone;    /* the process has become another program */
    u64 gone_since; /* CLOCK_MONOTONIC ns, the user's */
    int lost;    /* a thread is still in them: they stay */
    pid_t *seen; /* threads that were begun */
    u32 seen_count;
    struct attach_map *maps; /* as they were before threads were stopped */
    u32 map_count, map_room;
    u64 *pauses; /* ns for which a thread was stopped, of each stop */
    u32 pause_count, pause_room;
    u32 threads; /* that were begun from outside */
    u64 create;  /* pthread_create() there */
    pid_t agent; /* our thread, by its id here */
    pid_t safe;  /* with a debugger: a thread that may call what it likes */
    char why[600];
    char sandbox[160]; /* how its filters of system calls are in the way */
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

/* Only know when it ends. */
int attach_watch(struct attach *a, pid_t pid);

/* 1: the process has the same file under this path as we. */
int attach_sees(const struct attach *a, const char *path);

/* Our thread in the process; 0 = it has not come. */
pid_t attach_agent(struct attach *a);

/* Bring our thread into the target, and begin to record, without any thread yet. */
int attach_enter(struct attach *a, const struct attach_order *order);

/*
 * Begin to record each thread that is not recorded; known(arg, tid) says which are
 * recorded already. To be repeated now and then. Returns how many were begun.
 */
int attach_threads(struct attach *a, int (*known)(void *arg, pid_t tid), void *arg);

/* Have the target's calls lead to what the libraries replace. */
int attach_lead(struct attach *a);

/* End the recording of all threads, put everything back and go. */
int attach_leave(struct attach *a);

/* 1: the process has ended, or has become another program. */
int attach_is_over(const struct attach *a);

/* 1: it has ended. */
int attach_has_ended(const struct attach *a);

/* The median of the pauses and the one that 1 of 100 is longer than, ns. */
void attach_pauses(struct attach *a, u64 *median, u64 *p99, u64 *longest);

void attach_close(struct attach *a);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The state of one run of collect. Normal context of the launcher; one thread. */
#ifndef ERTOOLS_SESSION_SESSION_H
#define ERTOOLS_SESSION_SESSION_H

#include <limits.h>
#include <sys/types.h>

#include "collector/counter/counter.h"
#include "collector/inspect/host.h"
#include "collector/inspect/moment.h"
#include "collector/inspect/preflight.h"
#include "collector/session/delays.h"
#include "collector/session/name.h"
#include "collector/session/overview.h"
#include "collector/session/request.h"
#include "share/experiment.h"
#include "share/params.h"

/* How fast a data file grows; see room.c. */
struct pace {
    u64 next;
    u64 time; /* CLOCK_MONOTONIC ns, 0 = not yet */
};

struct recording;

/* A helper process (outside/worker.h). */
struct worker {
    pid_t pid; /* 0 = there is none */
    int stop;  /* write end of a pipe; a byte in the pipe asks the helper to end */
};

/* Sampling from outside (outside/outside.h). All zero = nothing is sampled so. */
struct outside {
    int wanted;   /* the target is to be sampled from outside */
    int kin;      /* the programs that it starts are to be sampled, too */
    int only_kin; /* only these: the target itself can load the collector */
    int from_now; /* the program runs already; 0 = sample from the next exec on */
    /* Called in the helper after the exec to write the heads. NULL: already written. */
    void (*begin)(struct recording *s);
    struct ctl *bell; /* page that wakes the launcher; NULL = the experiment's own */
    int started;  /* sampling was started; stays set after its end */
    int stops;    /* sampled by stopping threads, as perf events are not permitted */
    struct worker worker;
};

struct family;
struct madecode;
struct heapscan;
struct attach;

/* The rings that report mappings (regions.h). All zero = none. */
struct region_rings {
    struct regions_ring *ring;
    u32 count;
};

struct recording {
    const struct request *request;
    struct attach *attach; /* the target ran before us; NULL = it is our child */
    struct family *family; /* its descendants; NULL = none are recorded */
    struct host host;
    struct preflight preflight;
    char *call_rows; /* those of the request, with the types that were found, or NULL */
    char program[PATH_MAX]; /* what is executed */
    char library[2 * PATH_MAX]; /* for LD_PRELOAD; "" = the target runs without */
    const char *no_library; /* the reason, if library is "" */
    struct outside outside; /* who samples the target, if it runs without */
    struct worker kernel; /* who samples its system time, if that is permitted */
    struct er_params params;
    int parent;                /* the experiment's parent directory */
    char name[NAME_MAX_BYTES]; /* the experiment, below parent */
    char founder[NAME_MAX_BYTES]; /* of a rank: what parent is called; else "" */
    int job; /* of a rank: descriptor, locked while it is recorded */
    char shown[PATH_MAX];      /* the same for people, as they asked for it */
    char path[PATH_MAX];       /* the same, absolute */
    struct expdir experiment;
    pid_t pid; /* the target */
    int kept;        /* keeper.c serves its descendants, in another process */
    int over;        /* in keeper.c: the target has ended, not its descendants */
    int in_place;    /* at the end: the experiment is still where it was made */
    int became;      /* by exec, a program that has an experiment of its own */
    u64 became_user; /* CPU ns of the process up to then */
    u64 became_system;
    u64 base_user;   /* CPU ns of the process before it became this one */
    u64 base_system;
    struct moment start;
    struct counter_set counters;
    struct region_rings regions; /* of the founder, for all */
    struct delays delays; /* with -p wall */
    struct process_use account;
    struct overview overview;
    struct pace pace[FILE_COUNT];
    struct madecode *madecode; /* see madecode_of() */
    struct heapscan *heapscan; /* under way, or NULL */
    int scanned;    /* its heap was, or it is logged why not */
    int inherits;   /* blocks of the process that forked it */
    int was_paused; /* for a while, recording was */
};

#endif

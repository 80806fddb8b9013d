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
#include "collector/session/delayed.h"
#include "collector/session/name.h"
#include "collector/session/overview.h"
#include "collector/session/request.h"
#include "share/experiment.h"
#include "share/params.h"

/* How fast a data file grows; see ahead() in room.c. */
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
    int wanted;   /* the target itself is to be sampled from outside */
    int children;      /* the programs that the target starts are to be sampled, too */
    int only_children; /* sample only these: the target can load the collector */
    int from_now; /* the program runs already; 0 = sample from the next exec on */
    /* Called in the helper after the exec to write the heads. NULL: already written. */
    void (*begin)(struct recording *s);
    struct ctl *bell; /* page that wakes the launcher; NULL = the experiment's own */
    int started;  /* sampling was started; stays set after its end */
    int stops;    /* sample by stopping threads, as perf events are not permitted */
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
    struct attach *attach; /* how to attach; NULL = the target is our child */
    struct family *family; /* its descendants; NULL = none are recorded */
    struct host host;
    struct preflight preflight;
    char *call_rows; /* request->call_rows, completed with types, or NULL */
    char program[PATH_MAX]; /* what is executed */
    char library[2 * PATH_MAX]; /* for LD_PRELOAD; "" = the target runs without */
    const char *no_library; /* the reason, if library is "" */
    struct outside outside; /* who samples the target, if it runs without */
    struct worker kernel; /* who samples its system time, if that is permitted */
    struct er_params params;
    int parent;                /* descriptor of the experiment's parent directory */
    char name[NAME_MAX_BYTES]; /* the experiment, below parent */
    char founder[NAME_MAX_BYTES]; /* of a rank: the name of `parent`; else "" */
    int job; /* of a rank: descriptor of a file, locked while it is recorded */
    char shown[PATH_MAX];      /* the experiment's path as the user asked for it */
    char path[PATH_MAX];       /* the experiment's absolute path */
    struct expdir experiment;
    pid_t pid; /* the target */
    int kept;        /* keeper.c serves its descendants, in another process */
    int over;        /* in keeper.c: the target has ended, not its descendants */
    int in_place;    /* at the end: the experiment is still where it was made */
    int became;      /* the process runs a program with its own experiment now */
    u64 became_user; /* CPU ns of the process up to that exec */
    u64 became_system;
    u64 base_user;   /* CPU ns that it used before this program, or before the attach */
    u64 base_system;
    struct moment start;
    struct counter_set counters;
    struct region_rings regions; /* of the founder, for the whole family */
    struct delays delays; /* with -p wall */
    struct process_use account;
    struct overview overview;
    struct pace pace[FILE_COUNT];
    struct madecode *madecode; /* see madecode_state_of() */
    struct heapscan *heapscan; /* a search for lost blocks under way, or NULL */
    int scanned;    /* its heap was searched, or the reason why not is logged */
    int inherits;   /* it has blocks of the process that forked it */
    int was_paused; /* recording was paused for a while */
};

#endif

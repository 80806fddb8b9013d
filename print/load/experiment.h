/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An experiment directory, opened for reading. Ordinary process context, one thread.
 *
 * Opening reads log.xml, map.xml and the threads, and opens the data files. Events are
 * decoded only when a command needs them (print/model).
 */
#ifndef ERTOOLS_PRINT_LOAD_EXPERIMENT_H
#define ERTOOLS_PRINT_LOAD_EXPERIMENT_H

#include <stdbool.h>

#include "print/load/archived.h"
#include "print/load/clock.h"
#include "print/load/codes.h"
#include "print/load/record/collected.h"
#include "print/load/counters.h"
#include "print/load/record/datafile.h"
#include "print/load/founder.h"
#include "print/load/log.h"
#include "print/load/made.h"
#include "print/load/map.h"
#include "print/load/names.h"
#include "print/load/record/nodes.h"
#include "print/base/problems.h"
#include "print/load/record/reconcile.h"
#include "print/load/record/records.h"
#include "print/load/samples.h"
#include "print/load/threads.h"
#include "share/types.h"

enum experiment_state {
    EXPERIMENT_COMPLETE, /* has an end event */
    EXPERIMENT_LIVE,   /* no end event, and the process still runs */
    EXPERIMENT_KILLED, /* no end event, and the process does not run */
    EXPERIMENT_ALONE,  /* no end event, but the process logged that it exited */
};

struct experiment {
    char *path;  /* as the user named it, without trailing slashes */
    int dir;     /* descriptor of `path` during experiment_open(), then -1 */
    bool is_founder;
    struct founder *founder; /* whose directory has archives/; its own, if is_founder */
    enum experiment_state state;
    struct log log;
    const struct schema *schema; /* in its own log, or in its founder's */
    struct map map;
    struct nodes nodes;
    struct threads threads;
    struct counters counters; /* totals by experiment_totals() */
    bool have_totals;
    struct samples samples; /* by experiment_samples() */
    bool have_samples;
    struct codes codes; /* by experiment_codes() */
    bool have_codes;
    struct nametable names; /* by experiment_names() */
    bool have_names;
    struct collected collected;
    struct reconcile reconcile; /* of its clock hits, by experiment_source() */
    struct clock clock; /* by experiment_clock() */
    bool have_clock;
    struct datafile file[FILE_COUNT]; /* by enum er_file */
    struct problems problems;
    u32 pid;          /* 0 = not known */
    /* for the caller's use: index of the command-line name by which it was loaded */
    u32 group;
    u64 start_mono;   /* CLOCK_MONOTONIC ns of the run event */
    /*
     * When the founder's run began, as CLOCK_MONOTONIC ns of this experiment's host;
     * times count from it. start_mono if that is not known.
     */
    u64 origin_mono;
    u64 start_wall;   /* ns since 1970, 0 = not known */
    u64 end_mono;     /* ns: of the end event, else of the last thing found recorded */
    u64 over_mono;    /* ns: when recording ended; at most end_mono */
    /*
     * The process's CPU time in ns by the kernel's account. `final`: the time until the
     * process ended; else the last that was recorded. exit_user and exit_system are the
     * parts of `user` and `system` that were used after the collector had ended.
     */
    bool has_account;
    bool final;
    u64 user;
    u64 system;
    u64 exit_user;
    u64 exit_system;
    struct made made; /* functions made at run time, also those of its creators */
    /* the files madecode of creators, to which strings in `made` point */
    struct datafile *made_from;
    u32 nmade_from;
    char *notes; /* the user's comments (file notes); "" = none */
};

/*
 * Open the experiment at path. 0 and *out, for experiment_close(); damage is reported
 * in (*out)->problems. If nothing can be read: -errno, and a sentence in *why, which
 * the caller frees (NULL if memory ran out).
 */
int experiment_open(struct experiment **out, const char *path, char **why);

void experiment_close(struct experiment *experiment);

/*
 * The paths for which a name on the command line stands: the members of a group file
 * (.erg; their paths are relative to it), else the name itself. Each is followed by its
 * sub-experiments (_*.er and M_*.er in it). The caller frees each string and the array.
 * 0, or -errno and *why as for experiment_open().
 */
int experiment_expand(const char *name, char ***paths, u32 *count, char **why);

/* The last part of an experiment's path; no copy. */
const char *experiment_base(const struct experiment *experiment);

/*
 * The path of a file in the experiment's directory, for messages; the caller frees it.
 * NULL = no memory.
 */
char *experiment_file_path(const struct experiment *experiment, const char *name);

/*
 * Does a directory's name (without the path to it) look like that of a sub-experiment?
 */
bool experiment_is_sub_name(const char *name);

/* Read the sample points, unless that was done. 0 or -ENOMEM. */
int experiment_samples(struct experiment *experiment);

/*
 * Read the interpreted code to which stacks refer, unless that was done. 0 or -ENOMEM.
 */
int experiment_codes(struct experiment *experiment);

/*
 * Read the names of classes, threads and objects, which records `named` give to their
 * ids, unless that was done. 0 or -ENOMEM.
 */
int experiment_names(struct experiment *experiment);

/* Read the totals of counters, unless that was done. 0 or -ENOMEM. */
int experiment_totals(struct experiment *experiment);

/*
 * Prepare experiment->clock, which converts ticks, unless that was done. 0 or -ENOMEM.
 */
int experiment_clock(struct experiment *experiment);

/*
 * The index of the founder's archives; the founder owns it. It is read at the first
 * call, and read again if `again`. If it cannot be read, it is empty.
 */
const struct archived *experiment_archived(struct experiment *experiment, bool again);

/*
 * The named times (labels) of the experiment's founder, which owns them. They are read
 * at the first call, and read again if `again`. There are none if the file does not
 * exist or cannot be read; damage in it is reported.
 */
const struct labels *experiment_labels(struct experiment *experiment, bool again);

/*
 * Get what records_scan() needs for a data file. 0; -ENOENT if the file is missing,
 * empty, not described in log.xml, or has no chunks.
 */
int experiment_source(struct experiment *experiment, enum er_file file,
                      struct record_source *out);

/*
 * Should the experiment have this file? log.xml describes all files, but those of
 * traces and counters exist only if the user asked for them. False for files that the
 * collector makes only when it has something to write; true for all others.
 */
bool experiment_is_requested(const struct experiment *experiment, enum er_file file);

/*
 * Was there a profiling clock: did the user ask for one, or did the collector start one
 * as all counters were refused? True if the log does not say.
 */
bool experiment_clocked(const struct experiment *experiment);

/*
 * The ns from the experiment's own start to its end; 0 if these contradict each other.
 */
static inline u64
experiment_duration(const struct experiment *e)
{
    return e->end_mono > e->start_mono ? e->end_mono - e->start_mono : 0;
}

/*
 * The ns from the start of the founder's run to a moment of CLOCK_MONOTONIC; 0 if that
 * is before it.
 */
u64 experiment_since(const struct experiment *experiment, u64 mono);

#endif

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
#include "print/load/collected.h"
#include "print/load/counters.h"
#include "print/load/datafile.h"
#include "print/load/founder.h"
#include "print/load/log.h"
#include "print/load/made.h"
#include "print/load/map.h"
#include "print/load/names.h"
#include "print/load/nodes.h"
#include "print/load/problems.h"
#include "print/load/reconcile.h"
#include "print/load/records.h"
#include "print/load/samples.h"
#include "print/load/threads.h"
#include "share/types.h"

enum experiment_state {
    EXPERIMENT_COMPLETE,
    EXPERIMENT_LIVE,   /* no end event, and the process still runs */
    EXPERIMENT_KILLED, /* no end event, and the process does not run */
    EXPERIMENT_ALONE,  /* the process ended in order, but after collect */
};

struct experiment {
    char *path;  /* as the user named it, without trailing slashes */
    int dir;     /* its directory while it is opened, then -1 */
    bool is_founder;
    struct founder *founder; /* whose directory has archives/: itself, or its founder */
    enum experiment_state state;
    struct log log;
    const struct schema *schema; /* of its log, or of its founder's */
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
    struct datafile file[FILE_COUNT];
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
    u64 end_mono;     /* of the end event, else of the last thing that was recorded */
    u64 over_mono;    /* when recording ended, perhaps before the target did */
    /*
     * The process's CPU time in ns by the kernel's account. `final`: it is that of the
     * ended process; else the last that was recorded. exit_user and exit_system are the
     * part of it that was used after the collector had ended.
     */
    bool has_account;
    bool final;
    u64 user;
    u64 system;
    u64 exit_user;
    u64 exit_system;
    struct made made; /* functions made at run time, also those of its creators */
    /* the creators' files, to which strings in `made` point */
    struct datafile *made_from;
    u32 nmade_from;
    char *notes; /* the user's comments (file notes); "" = none */
};

/*
 * Open the experiment at path. 0 and *out, for experiment_close(). If nothing of it can
 * be read: -errno, and a sentence in *why (the caller frees it; NULL if memory ran
 * out). If something can be read, damage is reported in (*out)->problems.
 */
int experiment_open(struct experiment **out, const char *path, char **why);

void experiment_close(struct experiment *experiment);

/*
 * The paths for which a name on the command line stands: the name itself, the members
 * of a group file (.erg; their paths are relative to it) and, after each founder, its
 * sub-experiments (_*.er, M_*.er in it). The caller frees each string and the array. 0,
 * or -errno and *why as for experiment_open().
 */
int experiment_expand(const char *name, char ***paths, u32 *count, char **why);

/* The last part of an experiment's path; no copy. */
const char *experiment_base(const struct experiment *experiment);

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
 * call, and read anew if `again`. If it cannot be read, it is empty.
 */
const struct archived *experiment_archived(struct experiment *experiment, bool again);

/*
 * The named times (labels) of the experiment's founder. They are read once, and again
 * if `again`. There are none if the file does not exist, or cannot be read, which is
 * reported.
 */
const struct labels *experiment_labels(struct experiment *experiment, bool again);

/* Get what records_scan() needs for a data file; -ENOENT if the file has no records. */
int experiment_source(struct experiment *experiment, enum er_file file,
                      struct record_source *out);

/*
 * Did the user ask for records of this file, even if there are none? log.xml describes
 * all files, but some files are made only on demand. False for files that the collector
 * makes only when it has something to write.
 */
bool experiment_asks(const struct experiment *experiment, enum er_file file);

/* Did the user ask for clock profiling? True if the log does not say. */
bool experiment_clocked(const struct experiment *experiment);

/* The ns from the experiment's own start to its end. */
static inline u64
experiment_took(const struct experiment *e)
{
    return e->end_mono > e->start_mono ? e->end_mono - e->start_mono : 0;
}

/*
 * The ns from the start of the founder's run to a moment of CLOCK_MONOTONIC; 0 if that
 * is before it.
 */
u64 experiment_since(const struct experiment *experiment, u64 mono);

#endif

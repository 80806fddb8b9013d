/* SPDX-License-Identifier: Apache-2.0 */
/* What the user asked of collect. options.c fills it in, the other files read it. */
#ifndef ERTOOLS_SESSION_REQUEST_H
#define ERTOOLS_SESSION_REQUEST_H

#include "share/ctl.h"
#include "share/record.h"
#include "share/types.h"

enum {
    REQUEST_COMMENTS = 10,
    CLOCK_DEFAULT = 10007000, /* ns */
};

/* Strings are the command line's own. */
struct request {
    u64 clock_ns;        /* 0 = no clock profiling */
    int clock_given;     /* -p was given */
    int wall; /* -p wall: also record what threads do while they do not run */
    /* Families of tracing, as asked for: on, or a family's own word; NULL = off. */
    const char *trace[TRACE_COUNT];
    int sync_all;        /* record every event of synchronization */
    u64 sync_ns; /* else: ns of the shortest wait to record, 0 = as calibrated */
    const char *counters[ER_COUNTERS]; /* arguments of -h */
    int ncounters;
    const char *branches; /* argument of -b; NULL = off */
    int list_counters;   /* -h without an argument */
    u64 sample_ns;       /* 0 = no periodic sample points */
    int sample_signal;   /* signal that takes a sample point, 0 = none */
    int pause_signal;    /* 0 = none */
    int stopped;         /* -x: leave the target stopped after its exec */
    int paused;          /* begin paused (-y without ,r) */
    int window;          /* -t was given */
    u64 begin_ns;        /* start of -t's window, from the target's start */
    u64 end_ns;          /* end of the window, 0 = the target's end */
    u64 limit_mb;        /* 0 = none */
    int ranks;           /* 1 = each rank of MPI gets an experiment */
    int ranks_given;     /* -M was given */
    int mpi_given;       /* -m was given */
    int jit;             /* -j jit: have runtimes write what code they make */
    int kernel;          /* have the kernel sample system time, where that can be */
    int no_omp;          /* leave OpenMP alone */
    int no_java;         /* do not ask a Java machine what it compiles */
    const char *java;    /* path of the Java machine for a class or archive, or NULL */
    const char *java_arguments[REQUEST_COMMENTS]; /* each may be several words */
    int njava_arguments;
    int follow;          /* record descendants, too */
    const char *follow_only; /* regular expression for their names, NULL = all */
    const char *archive; /* "on", "copy" or "src"; NULL = off */
    const char *name;
    const char *cgroup;  /* er_kernel: directory of the only group, NULL = all */
    const char *unnamed; /* name if `name` is NULL; NULL = test.1.er */
    const char *directory;
    const char *group;
    const char *output;
    const char *calls;   /* the values of -T, cut off when long; NULL = none */
    char *call_rows;     /* rows of -T, a line each; NULL = none */
    const char *comments[REQUEST_COMMENTS];
    int ncomments;
    int dry;
    int verbose;
    int version;
    int help;
    const char *debugger; /* socket of the debugger that traces the target, or NULL */
    int pid;       /* the running process to attach to, 0 = none */
    char **target; /* the target's argv, with a final NULL; NULL = none given */
};

#endif

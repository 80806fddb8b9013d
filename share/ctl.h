/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The control page: the only page that both a recorded process and its launcher write.
 * It is the experiment's file `.control`, which both have mapped. Any context.
 *
 * The target, also in its signal handlers, reserves space in files. The launcher, to
 * which the target's limits do not apply, extends the files. If there is no launcher
 * (it was killed, or is on another host), the target extends them in normal context.
 */
#ifndef ERTOOLS_SHARE_CTL_H
#define ERTOOLS_SHARE_CTL_H

#include <fcntl.h>
#include <unistd.h>

#include "share/chunk.h"
#include "share/record.h"
#include "share/types.h"

enum {
    ER_CTL_MAGIC = 0x4c544345, /* "ECTL" */
    ER_CTL_VERSION = 14,
};

enum er_ctl_flag {
    CTL_PAUSED = 1,    /* record no events; sample points are still recorded */
    CTL_ENDED = 2,     /* recording has ended for good; the target runs on */
    CTL_NO_SPACE = 4,  /* a file cannot grow: disk full, quota, file-size limit */
    CTL_LIMIT = 8,     /* the size limit of -L is reached */
    CTL_ATTACHED = 16, /* libcollector.so, or the sampling from outside, has started */
    CTL_DETACHED = 32, /* what CTL_ATTACHED tells of has ended in good order */
    CTL_MADE = 128, /* code is made at run time: the file madecode is wanted */
    CTL_REGIONS = 256, /* the program names regions: the file regions is wanted */
    CTL_OBJECTS = 512, /* a Java machine's objects are sampled into the file objects */
    CTL_CLOSED = 1024, /* the launcher has ended: the target logs nothing more */
    CTL_CUT = 64, /* with NO_SPACE: a store to a mapped file failed; ctl.cut: which */
};

enum {
    CTL_OVER = CTL_ENDED | CTL_NO_SPACE | CTL_LIMIT, /* no event is recorded any more */
    CTL_SILENT = CTL_OVER | CTL_PAUSED,              /* none is recorded now */
};

/* Why the target wakes the launcher: the bits of `want`. */
enum er_ctl_want {
    WANT_SPACE = 1, /* a file has little room left: ctl_is_scarce() */
    WANT_MAP = 2,   /* a pc was in no known object */
    WANT_LOG = 4,   /* a flag has changed that goes into log.xml */
    WANT_SAMPLE = 8, /* -l's signal came to a thread that is not recorded */
    WANT_SCAN = 32,  /* the process ends, and waits for a scan of its heap */
    WANT_FAMILY = 16, /* founder only: a request, or a want of a descendant */
};

/* How far the launcher's scan of a heap is, when the process ends (ctl.scan). */
enum er_scan {
    SCAN_NONE,
    SCAN_ASKED, /* by the process, which waits */
    SCAN_TAKEN, /* the launcher is scanning */
    SCAN_DONE,  /* the process may go on */
};

/* Memory of the collector in the target, which a scan of the heap must ignore. */
struct ctl_range {
    u64 addr;
    u64 bytes;
};

/* How a process, or the program in it, came into being. */
enum er_how {
    HOW_FORK,  /* the creator's forked child */
    HOW_EXEC,  /* the creator's process, which became another program */
    HOW_SPAWN, /* an unrecorded child became another program */
    HOW_CLONE, /* like FORK, by clone() with a stack of its own */
    HOW_COUNT,
};

/* What a request says about a program that cannot load the collector, here X. */
enum er_outside {
    OUTSIDE_NOT,     /* the process asks for itself: it has the collector */
    OUTSIDE_EXEC,    /* the process is about to exec X */
    OUTSIDE_FAILED,  /* its exec of X has failed */
    OUTSIDE_SPAWNED, /* its child has become X */
    OUTSIDE_CHILD,     /* a process created by X has called exec */
};

/* The state of a request. The bits above these are the id of the process that asks. */
enum er_request {
    REQUEST_FREE,
    REQUEST_CLAIMED, /* being written by the process */
    REQUEST_ASKED,
    REQUEST_GRANTED, /* the launcher has made the experiment `name` */
    REQUEST_REFUSED, /* the launcher does not record this process */
    REQUEST_BITS = 3,
    REQUEST_STATE = (1 << REQUEST_BITS) - 1,
};

/*
 * Locks (F_SETLK) at these offsets of the founder's control file, far beyond the page,
 * serve processes in another PID namespace, where pids mean nothing. The launcher holds
 * ER_LOCK_LAUNCHER, so that such a process can see that the launcher lives, though
 * kill(2) cannot reach it. The process holds another lock, and puts that lock's offset
 * into its request in place of its pid; the kernel then tells the launcher which
 * process holds it.
 */
enum {
    ER_LOCK_LAUNCHER = 1 << 20,
    ER_LOCK_REQUESTERS = 1 << 21,
    ER_REQUESTER_BY_LOCK = 1 << 28, /* flag in such a request */
};

static inline struct flock
ctl_lock(u64 place)
{
    return (struct flock){ .l_type = F_WRLCK,
                           .l_whence = SEEK_SET,
                           .l_start = (off_t)place,
                           .l_len = 1 };
}

enum {
    ER_REQUESTS = 8,
    ER_NAME_BYTES = 152, /* for a sub-experiment's name, with its final zero */
};

/*
 * On the founder's page: the request of a process to get an experiment of its own. The
 * process claims a free request by compare-and-swap of `state`, waits on that word for
 * the answer, and frees the request.
 */
struct ctl_request {
    u32 state;       /* requester << REQUEST_BITS | enum er_request; a futex */
    u32 how : 4;     /* enum er_how */
    u32 beyond : 4;  /* enum er_outside; if not 0, name is its program's */
    u32 objects : 24; /* how many of its creator's load objects it has; 0 = all */
    u32 rank : 28;   /* MPI rank, by its environment, + 1; 0 = none */
    u32 image : 4;   /* enum image_kind, if beyond */
    u32 ppid;        /* pid of its parent, 0 = find out; if beyond: the child's */
    u64 base_user;   /* HOW_EXEC: user CPU ns of the process up to then */
    u64 base_system; /* HOW_EXEC: system CPU ns up to then */
    char creator[ER_NAME_BYTES]; /* experiment of the creator; "" = the founder */
    char name[ER_NAME_BYTES];    /* the answer */
};

enum {
    ER_COUNTERS = 8,
    ER_PROBE_BYTES = 408, /* for all paths of probes, each with a zero, and one more */
};

enum er_counter_flag {
    COUNTER_SAMPLED = 1, /* one hit per interval; else only its total is read */
    COUNTER_ADDRESS = 2, /* hits have the address of the data */
    COUNTER_KERNEL = 4,  /* what happens in the kernel counts, too */
    COUNTER_PHYSICAL = 8, /* beside ADDRESS: with the physical one, if permitted */
    COUNTER_BRANCHES = 32, /* hits have the branches that were taken before them */
    COUNTER_PROBE = 16, /* of a place in a file, whose path is at probe[config1] */
};

/* A counter, as perf_event_open(2) wants it. */
struct ctl_counter {
    u32 type;
    u32 flags; /* enum er_counter_flag */
    u32 precise;
    u32 unused;
    u64 config;
    u64 config1;
    u64 config2;
    u64 interval; /* events between two hits */
};

enum {
    ER_CODE_RANGES = 16,
    ER_CODE_PAGES_BITS = 28,
};

/*
 * Put a run of executable pages into one word: the first page's number, and how many.
 */
static inline u64
ctl_code_word(u64 lo, u64 hi)
{
    u64 pages = (hi - lo + 4095) >> 12, most = (1u << ER_CODE_PAGES_BITS) - 1;

    return lo >> 12 << ER_CODE_PAGES_BITS | (pages < most ? pages : most);
}

static inline int
ctl_code_has(u64 word, u64 address)
{
    u64 first = word >> ER_CODE_PAGES_BITS;

    return (address >> 12) - first < (word & ((1u << ER_CODE_PAGES_BITS) - 1));
}

struct ctl_file {
    u64 next;     /* bytes given out to threads; grows by compare-and-swap */
    u64 reserved; /* bytes that the file really has: some KiB, or whole segments */
    u64 rest;     /* head of the list of free remainders: tag << 32 | offset / 64 */
};

/* The next size of a file that must become longer than `have`: one more segment. */
static inline u64
ctl_next_segment(u64 have)
{
    return (have / ER_SEGMENT + 1) * ER_SEGMENT;
}

/* Is so little of `reserved` left beyond `next` that the file should be extended? */
static inline int
ctl_is_scarce(u64 next, u64 reserved)
{
    if (reserved <= ER_SEGMENT)
        return next > reserved / 2;
    return next / ER_SEGMENT + 1 >= reserved / ER_SEGMENT;
}

struct ctl {
    u32 magic;
    u32 version;
    u32 flags;   /* enum er_ctl_flag, atomic */
    u32 want;    /* enum er_ctl_want; the futex that the launcher waits on */
    u32 waiting; /* 1 while a launcher waits on `want`, so that waking it makes sense */
    u32 pid;     /* pid of the target */
    u32 threads; /* rows given out in the file threads */
    u32 sleepers; /* threads that wait for some file to become longer */
    u32 error;    /* errno with which the target could not open the experiment, or 0 */
    u32 cut;      /* 1 + the file to which a store failed: shorter, or a full disk */
    u32 unsaid;   /* lines of log.xml and map.xml that the target could not write */
    u32 nodes;    /* NUMA nodes of this machine, 0 = not known; constant */
    struct ctl_file file[FILE_COUNT];
    struct ctl_request request[ER_REQUESTS];
    struct ctl_counter counter[ER_COUNTERS]; /* set before the target starts */
    u32 counters;                            /* how many of them */
    u32 forks;    /* founder only: children that have sent no request yet */
    u64 tick;    /* the launcher's tick when it made the experiment */
    u64 mono;    /* CLOCK_MONOTONIC ns then; the target's may differ */
    u64 looked;  /* CLOCK_MONOTONIC ns of the launcher's last look at run delays */
    u64 stopped; /* ns for which the process was stopped, as far as that is known */
    u64 handlers; /* CPU ns that the handlers of hits have used; atomic */
    u64 counted;  /* sampled from outside: CPU ns of all that was sampled, at the end;
                     with kernel samples: the tick up to which there are some */
    u32 scan;        /* enum er_scan; a futex */
    u32 scan_ranges; /* how many are at scan_own */
    u64 scan_own;    /* address in the target of an array of struct ctl_range */
    u64 scan_stack;  /* address from which on the ending thread's stack is in use */
    u64 scan_exit;   /* where exit() begins, if it ends by that, else 0 */
    u32 launcher; /* founder only: pid of the keeper, or 0 */
    u32 freed;    /* founder only: counts requests that were freed; a futex */
    char probe[ER_PROBE_BYTES]; /* paths of probes; set before the target starts */
    u64 code[ER_CODE_RANGES]; /* executable mappings without a file; 0 = no more */
};

#endif

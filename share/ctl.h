/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The control page: the one page that a recorded process and its launcher both write,
 * the file `.control` of the experiment, mapped shared by both. Any context.
 *
 * The target (its handlers too) takes space from files; the launcher, which no limit of
 * the target reaches, makes the files longer. Without a launcher (it was killed, or is
 * on another host) the target's own normal context does that.
 */
#ifndef ERTOOLS_SHARE_CTL_H
#define ERTOOLS_SHARE_CTL_H

#include "share/record.h"
#include "share/types.h"

enum {
    ER_CTL_MAGIC = 0x4c544345, /* "ECTL" */
    ER_CTL_VERSION = 1,
};

enum er_ctl_flag {
    CTL_PAUSED = 1,    /* record no events; sample points go on */
    CTL_ENDED = 2,     /* recording has ended for good; the target runs on */
    CTL_NO_SPACE = 4,  /* a file cannot grow: disk full, quota, file-size limit */
    CTL_LIMIT = 8,     /* the size limit of -L is reached */
    CTL_ATTACHED = 16, /* libcollector.so has started in the target */
    CTL_DETACHED = 32, /* it has ended in good order */
};

/* Why the target wakes the launcher (bits of want). */
enum er_ctl_want {
    WANT_SPACE = 1, /* some file's last reserved segment is in use */
    WANT_MAP = 2,   /* a pc was in no known object */
    WANT_LOG = 4,   /* CTL_PAUSED was toggled: log.xml wants an event */
    WANT_SAMPLE = 8, /* -l's signal came to a thread that is not recorded */
};

struct ctl_file {
    u64 next;     /* bytes given out; grows by compare-and-swap */
    u64 reserved; /* bytes that the file really has; a multiple of ER_SEGMENT */
    u64 rest;     /* head of the list of free remainders: tag << 32 | offset / 64 */
};

struct ctl {
    u32 magic;
    u32 version;
    u32 flags;   /* enum er_ctl_flag, atomic */
    u32 want;    /* enum er_ctl_want; the futex that the launcher waits on */
    u32 waiting; /* 1 while a launcher serves: a wake-up is worth a system call */
    u32 pid;     /* of the target */
    u32 threads; /* rows given out in the file threads */
    u32 sleepers; /* threads that wait for some file to become longer */
    struct ctl_file file[FILE_COUNT];
};

#endif

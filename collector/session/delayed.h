/* SPDX-License-Identifier: Apache-2.0 */
/* The threads of a process whose delays are read; delays.h reads them. */
#ifndef ERTOOLS_SESSION_DELAYED_H
#define ERTOOLS_SESSION_DELAYED_H

#include "share/types.h"

/* A thread that is still alive, as far as is known. */
struct delayed {
    u32 row; /* index of its row in the file threads */
    u32 tid; /* 0 = not read from the row yet */
    u32 looks;
    int fd;  /* of its schedstat, -1 = not open */
    u64 last;
};

/* All zero before the first look. */
struct delays {
    struct delayed *thread;
    u32 count;
    u32 room;
    u32 rows;    /* rows below this one are in `thread`, or were */
    u32 kept;    /* number of open descriptors */
    u64 since;   /* CLOCK_MONOTONIC ns when `stopped` was read, 0 = not yet */
    int stopped; /* the process was stopped at `since` */
};

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The longest single waits: which thread waited for which one, and when. Only events
 * that pass the filter count. Ordinary process context.
 */
#ifndef ERTOOLS_PRINT_MODEL_SYNC_LOCKWAITS_H
#define ERTOOLS_PRINT_MODEL_SYNC_LOCKWAITS_H

#include "print/model/session.h"

struct lock_wait {
    u32 experiment;
    u32 kind; /* as in struct lock, like addr */
    u64 addr;
    u64 time; /* ns: the part of the wait that passes the filter */
    u64 end;  /* when it ended: ns from the start of the run */
    u32 thread; /* who waited: an id of the experiment's `threads`; 0 = not known */
    u32 holder; /* who held it, or ended the wait: such an id; 0 = not known */
    u32 node;   /* for stack_frames(): where it waited */
    u32 holder_node; /* where the holder had taken it; 0 = not known */
};

struct lock_waits {
    bool recorded; /* some experiment has such data */
    struct lock_wait *wait; /* the longest first */
    u32 count;
    u64 all; /* number of all waits, also of those left out */
};

/* Get the `most` longest waits. 0 and *out for lockwaits_free(), or -errno. */
int lockwaits_get(struct session *session, u32 most, struct lock_waits *out);
void lockwaits_free(struct lock_waits *waits);

#endif

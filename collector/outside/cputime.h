/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CPU time of a process that is sampled from outside, since its exec; the part that
 * no hit stands for is recorded as residual. Normal context of the helper; one cputime
 * in each helper.
 */
#ifndef ERTOOLS_OUTSIDE_CPUTIME_H
#define ERTOOLS_OUTSIDE_CPUTIME_H

#include "collector/outside/process.h"
#include "collector/outside/threads.h"

struct recording;

struct cputime {
    struct recording *s;
    struct process *process;
    struct thread_table *threads;
    int begun;        /* the target has executed its program; the heads are written */
    u64 user, system; /* CPU ns, rounded, as last read from /proc */
};

/*
 * Call when the target has executed its program: writes the heads, if that was not done
 * yet.
 */
void cputime_begin(struct cputime *b);

/*
 * Read a descendant's CPU time from /proc. Call repeatedly: /proc shows it only as long
 * as the process exists. Does nothing for the launcher's own target.
 */
void cputime_read(struct cputime *b);

/*
 * Record the CPU time that a descendant used before it was sampled; counted: CPU ns
 * since then.
 */
void cputime_startup(struct cputime *b, u64 counted);

/*
 * For a descendant, record the CPU time that was counted but has no hit as residual of
 * its first thread; user and system parts are as rounded by the kernel. Does nothing
 * for the launcher's own target.
 */
void cputime_close(struct cputime *b);

#endif

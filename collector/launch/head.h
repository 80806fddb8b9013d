/* SPDX-License-Identifier: Apache-2.0 */
/* The first lines of log.xml and map.xml. Normal context of the launcher. */
#ifndef ERTOOLS_LAUNCH_HEAD_H
#define ERTOOLS_LAUNCH_HEAD_H

#include "collector/session/session.h"

/* What the head says about the process that is not in the session. */
struct head_process {
    pid_t ppid;
    const char *wd;
    char **args;
    const char *how; /* how it descended ("fork", "exec", ...); NULL = the founder */
    const char *creator; /* name of its creator's experiment; "" = the founder's */
};

/*
 * Write the head of log.xml: process, host, clock, what was asked, the environment, and
 * each data file with its records and fields; a descendant's log only says that the
 * founder's log describes the files. s->pid and all members before it must be set.
 * Returns 0 or -errno.
 */
int head_log(const struct recording *s, const struct head_process *p);

/* Write the head of map.xml. Returns 0 or -errno. */
int head_map(const struct recording *s);

/*
 * Write the event that the target, s->pid, started at s->start; or that we attached to
 * it then.
 */
void head_run(const struct recording *s);

/* Write the comments of -C. Returns 0 or -errno. */
int head_notes(const struct recording *s);

#endif

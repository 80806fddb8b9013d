/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A descendant that is recorded: the launcher's state of its experiment in the
 * founder's directory. The process is not our child, so we know how it ended only if it
 * has logged that, or if the kernel tells (account_ended()). Normal context of the
 * launcher.
 */
#ifndef ERTOOLS_LAUNCH_MEMBER_H
#define ERTOOLS_LAUNCH_MEMBER_H

#include <signal.h>

#include "collector/launch/maps.h"
#include "collector/session/session.h"

struct member {
    struct recording s; /* name: of the experiment; parent: the founder's directory */
    struct maps maps;
    u32 flags; /* flags of the control page that log.xml has reported */
    int pidfd;
    struct member *next; /* next in the queue of retire.c */
    int wide;  /* room_usual() was called */
    int kernel; /* kernel_start() was called */
    int begun; /* sampled from outside: the exec was seen */
    struct ctl_request request; /* what it was made for */
    int gone;  /* the process has ended, or has become another program */
    struct process_use used; /* see member_used() */
    struct member_end *end; /* what member_close() will log */
    char creator[ER_NAME_BYTES];
};

/*
 * The directory that has the descendants' experiments: the founder's; for a rank, its
 * parent.
 */
int member_home(const struct recording *founder);

/*
 * Make the experiment `name` for process pid, and write the heads of its files. map:
 * the map.xml of the process that forked this one, which the child gets, too; -1 for
 * others. The caller frees *out by member_free(). Returns 0 or -errno; then nothing is
 * left.
 */
int member_make(struct member **out, const struct recording *founder,
                const struct recording *creator, const char *name, pid_t pid,
                const struct ctl_request *request, int map);

/* Is the process sampled from outside, as it does not load the collector? */
static inline int
member_is_outside(const struct member *m)
{
    return m->request.beyond != OUTSIDE_NOT;
}

/*
 * For a member that is sampled from outside: has its helper seen the exec, and written
 * the heads of the files?
 */
int member_has_begun(const struct member *m);

/*
 * Remove the experiment of a process that never executed its program. The caller frees
 * m.
 */
void member_discard(struct member *m);

/*
 * Find the path of the program that a process runs; "" if it has ended, or without
 * permission.
 */
void member_program(pid_t pid, char path[PATH_MAX]);

/* 1 if the process is a zombie or gone, now or within ms milliseconds. */
int member_has_ended(const struct member *m, int ms);

/*
 * End the member's recording; call retire() afterwards. how: part of a sentence. ended:
 * how the process ended, NULL = not known, or it runs on. account: its resource use,
 * NULL = not known, or it has recorded that itself.
 */
void member_finish(struct member *m, const char *how, const siginfo_t *ended,
                   const struct process_use *account);

/*
 * What the process of `before` had used when it became m's program by exec; NULL if it
 * has recorded that itself. Owned by before.
 */
const struct process_use *member_used(struct member *before, const struct member *m);

/*
 * Trim the member's files, then end its log: a log with an end tells readers that the
 * files are final. Any thread.
 */
void member_close(struct member *m);

/* 1 if member_close() is cheap: no file has as much as a segment reserved. */
int member_is_light(const struct member *m);

void member_free(struct member *m);

#endif

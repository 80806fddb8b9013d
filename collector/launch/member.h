/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A descendant that is recorded: its experiment within the founder's directory, as the
 * launcher keeps it. It is not our child: how it ended is known only as far as it said
 * so. Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_MEMBER_H
#define ERTOOLS_LAUNCH_MEMBER_H

#include <signal.h>

#include "collector/launch/maps.h"
#include "collector/launch/session.h"

struct member {
    struct session s; /* name: of the experiment; parent: the founder's directory */
    struct maps maps;
    u32 flags; /* of the control page, as log.xml tells them */
    int pidfd;
    struct member *next; /* to be retired */
    int wide;  /* room_usual() was called */
    int kernel; /* kernel_start() was */
    int begun; /* of one that is sampled from outside: its program is there */
    struct ctl_request request; /* what it was made for */
    int gone;  /* the process has ended, or its program has made way for another */
    struct account used; /* see member_used() */
    struct member_end *end; /* what member_close() will log */
    char creator[ER_NAME_BYTES];
};

/* Where descendants' experiments lie: in the founder's, of a rank beside its own. */
int member_home(const struct session *founder);

/*
 * Make the experiment `name` for process pid, with the heads of its files. map: of the
 * forking process, its map.xml, which is the child's too; -1 for others. The caller
 * frees *out by member_free(). Returns 0 or -errno; then nothing is left.
 */
int member_make(struct member **out, const struct session *founder,
                const struct session *creator, const char *name, pid_t pid,
                const struct ctl_request *request, int map);

/* It does not load the collector, but is sampled from outside. */
static inline int
member_is_beyond(const struct member *m)
{
    return m->request.beyond != BEYOND_NOT;
}

/* Of such a one: its helper has seen the program, and has written the heads. */
int member_has_begun(const struct member *m);

/* Nothing came of it: leave nothing of its experiment. To be freed. */
void member_discard(struct member *m);

/* The file name of the program that a process runs; "" when nobody may know. */
void member_program(pid_t pid, char path[PATH_MAX]);

/* 1 when the process is a zombie or no more, now or within ms. */
int member_has_ended(const struct member *m, int ms);

/*
 * Its recording ends; retire() is then to put it away. how: a sentence's part. ended,
 * account: of the process, whose last program this was, if it was our child; else NULL.
 */
void member_finish(struct member *m, const char *how, const siginfo_t *ended,
                   const struct account *account);

/*
 * What a process had used when its program made way for m's, where `before` cannot say
 * that itself; else NULL. It is before's.
 */
const struct account *member_used(struct member *before, const struct member *m);

/*
 * Trim its files and end its log; once there is an end, readers take the files as they
 * are. Any thread.
 */
void member_close(struct member *m);

/* 1 when that takes the file system little: no file has got beyond its first pages. */
int member_is_light(const struct member *m);

void member_free(struct member *m);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the family's own files share: the list of descendants that are recorded now.
 * Normal context of the launcher.
 */
#ifndef ERTOOLS_LAUNCH_FAMILY_LIST_H
#define ERTOOLS_LAUNCH_FAMILY_LIST_H

#include <string.h>

#include "collector/launch/lineage.h"
#include "collector/launch/member.h"
#include "share/logxml.h"

struct family {
    struct recording *founder;
    u32 ended; /* CTL_ENDED, if recording was over before the founder's end; else 0 */
    struct member **member;
    size_t count, room;
    struct lineage *lineage;
    u64 used; /* bytes that were given out in experiments that have ended */
};

static inline u32
family_flags_of(const struct recording *s)
{
    return __atomic_load_n(&s->experiment.ctl->flags, __ATOMIC_ACQUIRE);
}

static inline const char *
family_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/*
 * The session whose experiment is named `name`. If its process has ended, the founder's
 * session.
 */
struct recording *family_session(const struct family *f, const char *name);

/* Add m to the list. 0 or -ENOMEM. */
int family_add(struct family *f, struct member *m);

/*
 * Log an event of m's in the log of m's creator; see family.c for when that has ended.
 */
void family_log(const struct family *f, enum er_event event, const struct member *m,
                const char *what);

/*
 * The process has become m's program by exec: end the experiment of its former program.
 */
void family_supersede(struct family *f, const struct member *m);

/* End m's recording; m stays in the list until the next sweep of the list. */
void family_finish(struct family *f, struct member *m, const char *how,
                   const siginfo_t *ended, const struct process_use *account);

/* Serve a request of the founder's page, if there is one, and answer it. */
void family_request(struct family *f, struct ctl_request *request);
void family_answer(struct ctl_request *request, u32 asked, int granted);

#endif

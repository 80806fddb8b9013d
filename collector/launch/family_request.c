/* SPDX-License-Identifier: Apache-2.0 */
/* Serves the requests of processes for experiments of their own. */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collector/launch/requester.h"
#include "collector/launch/attached.h"
#include "collector/launch/family.h"
#include "collector/launch/family_list.h"
#include "collector/outside/outside.h"
#include "share/logxml.h"

/*
 * For a forked child: open the map.xml of its creator, even if the creator has ended.
 * Returns a descriptor; -ENOENT: it is not a forked child; -ESTALE: there is no such
 * file any more; or another -errno.
 */
static int
open_map(const struct family *f, const struct ctl_request *request)
{
    char path[ER_NAME_BYTES + sizeof("/" EXPERIMENT_MAP)];
    int fd;

    if (request->how != HOW_FORK && request->how != HOW_CLONE)
        return -ENOENT;
    snprintf(path, sizeof(path), "%s%s" EXPERIMENT_MAP, request->creator,
             *request->creator ? "/" : "");
    fd = openat(member_home(f->founder), path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? -ESTALE : -errno;
    return fd;
}

/*
 * Is recording over for this request? -L ends it for all; CTL_ENDED ends it for the
 * creator and its children. For children that send their requests after the founder's
 * end, it counts whether CTL_ENDED was set when the founder ended.
 */
static int
is_over(const struct family *f, const struct ctl_request *request)
{
    const struct recording *creator = family_session(f, request->creator);
    u32 ended = creator->over ? f->ended : family_flags_of(creator) & CTL_ENDED;

    return (ended | (family_flags_of(f->founder) & CTL_LIMIT)) != 0;
}

/*
 * Copy and check a request: the process may write anything to it at any time. The
 * creator's name must not lead out of the founder's directory.
 */
static int
read_request(const struct family *f, const struct ctl_request *from,
             struct ctl_request *to)
{
    memcpy(to, from, sizeof(*to));
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    to->creator[ER_NAME_BYTES - 1] = '\0';
    to->name[ER_NAME_BYTES - 1] = '\0';
    if (to->how >= HOW_COUNT || strchr(to->creator, '/') || *to->creator == '.' ||
        (to->beyond && to->image >= IMAGE_KINDS))
        return -EINVAL;
    if (*f->founder->founder && !*to->creator)
        memcpy(to->creator, f->founder->name, ER_NAME_BYTES - 1);
    return 0;
}

/*
 * Make an experiment for the process, and set granted (ER_NAME_BYTES) to the
 * experiment's name as the process sees it. 0 or -errno (-EPERM: it is not to be
 * recorded).
 */
static int
grant(struct family *f, const struct ctl_request *request, pid_t pid, char *granted)
{
    char name[ER_NAME_BYTES];
    struct recording *creator = family_session(f, request->creator);
    struct member *m;
    int ret, map;

    if (!lineage_wants(f->lineage, request, pid) || is_over(f, request))
        return -EPERM;
    ret = lineage_name(f->lineage, request, name);
    if (ret < 0)
        return ret;
    map = open_map(f, request);
    ret = map < 0 && map != -ENOENT
              ? map
              : member_make(&m, f->founder, creator, name, pid, request, map);
    if (map >= 0)
        close(map);
    if (ret < 0)
        return ret;
    if (f->founder->attach)
        attached_hand_over(&m->s);
    ret = family_add(f, m);
    if (ret < 0) {
        member_free(m);
        return ret;
    }
    m->flags = family_flags_of(creator) & CTL_PAUSED;
    __atomic_fetch_or(&m->s.experiment.ctl->flags, m->flags, __ATOMIC_ACQ_REL);
    if (!member_is_outside(m)) {
        family_log(f, EVENT_descendant, m, family_base_name(m->s.program));
        if (request->how == HOW_EXEC)
            family_supersede(f, m);
    }
    /*
     * The name is relative to the directory of the founder, as the process knows it; a
     * rank's descendants are beside the rank's own experiment.
     */
    snprintf(granted, ER_NAME_BYTES, "%s%.*s", *f->founder->founder ? "../" : "",
             ER_NAME_BYTES - 4, name);
    return 0;
}

void
family_answer(struct ctl_request *request, u32 asked, int granted)
{
    u32 answered = (asked & ~(u32)REQUEST_STATE) |
                   (granted ? REQUEST_GRANTED : REQUEST_REFUSED);

    __atomic_store_n(&request->state, answered, __ATOMIC_RELEASE);
    syscall(SYS_futex, &request->state, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/*
 * Log that a descendant is not recorded, with its program's name; if the process has
 * ended, with its creator's.
 */
static void
log_lost(const struct family *f, const struct ctl_request *asked, pid_t pid, int error)
{
    const char *program = family_session(f, asked->creator)->program;
    char path[PATH_MAX];

    member_program(pid, path);
    (void)log_event(f->founder->experiment.log, EVENT_descendant_lost, moment_mono(),
                    family_base_name(*path ? path : program),
                    error == -ESRCH ? "it ended before it had an experiment"
                                    : strerror(-error),
                    NULL, 0);
}

/*
 * End the sampling of a process from outside, since the process now asks for an
 * experiment to record itself.
 */
static void
drop_sampled(struct family *f, pid_t pid)
{
    for (size_t i = 0; i < f->count; i++) {
        struct member *m = f->member[i];

        if (!m->gone && m->s.pid == pid && m->request.beyond == OUTSIDE_CHILD)
            family_finish(f, m, "it records itself from then on", NULL, NULL);
    }
}

/* End members of this process that announced an exec which has not happened. */
static void
drop_awaited(struct family *f, pid_t pid)
{
    for (size_t i = 0; i < f->count; i++) {
        struct member *m = f->member[i];

        if (!m->gone && m->s.pid == pid && member_is_outside(m) && !m->begun)
            family_finish(f, m, "it became another program", NULL, NULL);
    }
}

/*
 * Does the request ask for another process than the requester? Then the requester does
 * not wait for an answer.
 */
static int
is_others(const struct ctl_request *asked)
{
    return asked->beyond == OUTSIDE_SPAWNED || asked->beyond == OUTSIDE_CHILD;
}

/*
 * Set the request's ppid to the process's parent, and its creator to the parent's
 * experiment if the parent is a member.
 */
static void
find_creator(const struct family *f, struct ctl_request *request, pid_t pid)
{
    pid_t parent = (pid_t)account_stat_field(pid, STAT_PARENT);
    const struct recording *s = parent ? family_of_pid(f, parent) : NULL;

    if (s)
        snprintf(request->creator, ER_NAME_BYTES, "%.*s", ER_NAME_BYTES - 1, s->name);
    request->ppid = (u32)parent;
}

static int
can_be_sampled(const struct family *f, const struct ctl_request *request)
{
    enum image_kind kind = (enum image_kind)request->image;

    if (request->beyond == OUTSIDE_CHILD && image_loads(kind))
        kind = IMAGE_STATIC;
    return f->founder->params.clock_ns && outside_can(kind);
}

static int
grant_outside(struct family *f, const struct ctl_request *asked, pid_t requester)
{
    pid_t pid = is_others(asked) ? (pid_t)asked->ppid : requester;
    struct ctl_request request = *asked;
    char granted[ER_NAME_BYTES];

    if (request.beyond == OUTSIDE_SPAWNED)
        request.ppid = (u32)requester;
    drop_awaited(f, pid);
    if (is_others(asked) && family_of_pid(f, pid))
        return -EPERM;
    if (request.beyond == OUTSIDE_CHILD)
        find_creator(f, &request, pid);
    if (request.beyond == OUTSIDE_FAILED)
        return 0;
    if (!can_be_sampled(f, &request))
        return -ENOTSUP;
    return grant(f, &request, pid, granted);
}

/*
 * Serve a request for sampling from outside. If it fails, and the requester does not
 * wait for the answer, log that.
 */
static void
serve_outside(struct family *f, struct ctl_request *request, u32 state,
              const struct ctl_request *asked, pid_t requester)
{
    int ret = requester ? grant_outside(f, asked, requester) : -ESRCH;

    if (!is_others(asked)) {
        family_answer(request, state, ret == 0);
        return;
    }
    if (ret < 0 && ret != -EPERM)
        (void)log_event(family_session(f, asked->creator)->experiment.log,
                        EVENT_descendant_lost, moment_mono(), asked->name,
                        ret == -ESRCH ? "it ended before it had an experiment"
                                      : image_reason((enum image_kind)asked->image),
                        NULL, 0);
    __atomic_store_n(&request->state, REQUEST_FREE, __ATOMIC_RELEASE);
}

void
family_request(struct family *f, struct ctl_request *request)
{
    u32 state = __atomic_load_n(&request->state, __ATOMIC_ACQUIRE);
    u32 requester = state >> REQUEST_BITS;
    struct ctl_request asked;
    pid_t pid;
    int ret;

    switch (state & REQUEST_STATE) {
    case REQUEST_FREE:
        return;
    case REQUEST_ASKED:
        pid = requester_pid(requester);
        ret = read_request(f, request, &asked);
        if (ret == 0 && asked.beyond) {
            serve_outside(f, request, state, &asked, pid);
            return;
        }
        if (ret == 0 && pid)
            drop_sampled(f, pid);
        if (ret == 0)
            ret = pid ? grant(f, &asked, pid, request->name) : -ESRCH;
        if (ret < 0 && ret != -EPERM)
            log_lost(f, &asked, pid, ret);
        family_answer(request, state, ret == 0);
        return;
    default:
        /*
         * The requester was still writing the request. If it has died, nobody else
         * frees the request.
         */
        if (requester_has_gone(requester))
            __atomic_store_n(&request->state, REQUEST_FREE, __ATOMIC_RELEASE);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/family.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collector/launch/asker.h"
#include "collector/launch/finish.h"
#include "collector/launch/heapscan.h"
#include "collector/launch/lineage.h"
#include "collector/launch/pool.h"
#include "collector/launch/retire.h"
#include "collector/launch/room.h"
#include "collector/launch/serve.h"
#include "share/err.h"
#include "share/logxml.h"

enum {
    LEFT_ALONE_SEGMENTS = 4,
    KEPT_BYTES = 16 << 20,
    LEAVING_NS = 200000000, /* the longest that the end waits for others' */
    WIDE_ENOUGH = CTL_DETACHED | CTL_ENDED | CTL_NO_SPACE | CTL_LIMIT,
};

struct family {
    struct session *founder;
    u32 ended; /* CTL_ENDED, if recording was over before the founder's end; else 0 */
    struct member **member;
    size_t count, room;
    struct lineage *lineage;
    u64 used; /* bytes of experiments that have ended */
};

struct family *
family_start(struct session *founder)
{
    struct family *f;

    /* Without descendants, ranks that are some of them are yet asked for. */
    if (!founder->request->follow &&
        (!founder->request->ranks || *founder->founder))
        return NULL;
    f = calloc(1, sizeof(*f));
    if (f)
        f->lineage = lineage_start(founder);
    if (!f || !f->lineage) {
        free(f);
        return NULL;
    }
    f->founder = founder;
    /* Members come and go: their memory need not be the kernel's in between. */
    (void)mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
    (void)mallopt(M_MMAP_THRESHOLD, KEPT_BYTES);
    pool_start(founder->experiment.dir);
    return f;
}

/* The member whose experiment has that name; NULL: the founder, or it has ended. */
static struct member *
find(const struct family *f, const char *name)
{
    for (size_t i = 0; i < f->count; i++)
        if (!f->member[i]->gone && !strcmp(f->member[i]->s.name, name))
            return f->member[i];
    return NULL;
}

struct session *
family_of_pid(const struct family *f, pid_t pid)
{
    for (size_t i = 0; f && i < f->count; i++)
        if (!f->member[i]->gone && f->member[i]->s.pid == pid)
            return &f->member[i]->s;
    return NULL;
}

static struct session *
session_of(const struct family *f, const char *name)
{
    struct member *m = find(f, name);

    return m ? &m->s : f->founder;
}

static const char *
base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static int
add(struct family *f, struct member *m)
{
    if (f->count == f->room) {
        size_t room = f->room ? 2 * f->room : 16;
        struct member **grown = reallocarray(f->member, room, sizeof(*grown));

        if (!grown)
            return -ENOMEM;
        f->member = grown;
        f->room = room;
    }
    f->member[f->count++] = m;
    return 0;
}

/* The founder's log has its last line when that has ended. */
static void
tell(const struct family *f, enum er_event event, const struct member *m,
     const char *what)
{
    const struct log_attr attr = { "pid", NULL, (u64)m->s.pid };

    (void)log_event(session_of(f, m->creator)->experiment.log, event, moment_mono(),
                    m->s.name, what, &attr, 1);
}

static void
finish(struct family *f, struct member *m, const char *how, const siginfo_t *ended,
       const struct account *account)
{
    f->used += room_used(m->s.experiment.ctl);
    tell(f, EVENT_descendant_end, m, how);
    member_finish(m, how, ended, account);
    m->gone = 1;
}

/* Take those that have ended off the list. */
static void
sweep(struct family *f)
{
    size_t kept = 0;

    for (size_t i = 0; i < f->count; i++) {
        if (f->member[i]->gone)
            retire(f->member[i]);
        else
            f->member[kept++] = f->member[i];
    }
    f->count = kept;
}

/* The creator's program has made way for this one. */
static void
supersede(struct family *f, const struct member *m)
{
    struct member *before = find(f, m->creator);

    if (!before && (!*m->creator || !strcmp(m->creator, f->founder->name))) {
        serve_totals(f->founder);
        counter_end_totals(&f->founder->counters);
        f->founder->became = 1;
        f->founder->became_user = m->s.base_user;
        f->founder->became_system = m->s.base_system;
    }
    if (before && before->s.pid == m->s.pid)
        finish(f, before, "it became another program", NULL, member_used(before, m));
}

/* The map of a forked child's creator, which may have ended; -ENOENT: it needs none. */
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

static u32
flags_of(const struct session *s)
{
    return __atomic_load_n(&s->experiment.ctl->flags, __ATOMIC_ACQUIRE);
}

/*
 * The time of -t or the size of -L are over for all, what a process ends is its own. A
 * founder that has ended may have made children before, which ask late.
 */
static int
is_over(const struct family *f, const struct ctl_request *request)
{
    const struct session *creator = session_of(f, request->creator);
    u32 ended = creator->over ? f->ended : flags_of(creator) & CTL_ENDED;

    return (ended | (flags_of(f->founder) & CTL_LIMIT)) != 0;
}

/*
 * A copy: the process may write to its request at any time, and whatever it likes. The
 * creator's name is no path out of the founder's directory.
 */
static int
read_request(const struct family *f, const struct ctl_request *from,
             struct ctl_request *to)
{
    memcpy(to, from, sizeof(*to));
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    to->creator[ER_NAME_BYTES - 1] = '\0';
    if (to->how >= HOW_COUNT || strchr(to->creator, '/') || *to->creator == '.')
        return -EINVAL;
    if (*f->founder->founder && !*to->creator)
        memcpy(to->creator, f->founder->name, ER_NAME_BYTES - 1);
    return 0;
}

/* Sets granted, ER_NAME_BYTES, to the experiment's name as the process sees it. */
static int
grant(struct family *f, const struct ctl_request *request, pid_t pid, char *granted)
{
    char name[ER_NAME_BYTES];
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
              : member_make(&m, f->founder, session_of(f, request->creator), name, pid,
                            request, map);
    if (map >= 0)
        close(map);
    if (ret < 0)
        return ret;
    ret = add(f, m);
    if (ret < 0) {
        member_free(m);
        return ret;
    }
    m->flags = flags_of(session_of(f, request->creator)) & CTL_PAUSED;
    m->s.experiment.ctl->flags |= m->flags;
    tell(f, EVENT_descendant, m, base_name(m->s.program));
    if (request->how == HOW_EXEC)
        supersede(f, m);
    /* As seen from the experiment that the process knows of. */
    snprintf(granted, ER_NAME_BYTES, "%s%.*s", *f->founder->founder ? "../" : "",
             ER_NAME_BYTES - 4, name);
    return 0;
}

static void
answer(struct ctl_request *request, u32 asked, int granted)
{
    u32 answered = (asked & ~(u32)REQUEST_STATE) |
                   (granted ? REQUEST_GRANTED : REQUEST_REFUSED);

    __atomic_store_n(&request->state, answered, __ATOMIC_RELEASE);
    syscall(SYS_futex, &request->state, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/* Who has gone has no program any more; it was forked by one, most likely. */
static void
tell_lost(const struct family *f, const struct ctl_request *asked, pid_t pid, int error)
{
    char path[PATH_MAX];

    member_program(pid, path);
    (void)log_event(f->founder->experiment.log, EVENT_descendant_lost, moment_mono(),
                    base_name(*path ? path : session_of(f, asked->creator)->program),
                    error == -ESRCH ? "it ended before it had an experiment"
                                    : strerror(-error),
                    NULL, 0);
}

static void
serve_request(struct family *f, struct ctl_request *request)
{
    u32 state = __atomic_load_n(&request->state, __ATOMIC_ACQUIRE);
    u32 asker = state >> REQUEST_BITS;
    struct ctl_request asked;
    pid_t pid;
    int ret;

    switch (state & REQUEST_STATE) {
    case REQUEST_FREE:
        return;
    case REQUEST_ASKED:
        pid = asker_pid(asker);
        ret = read_request(f, request, &asked);
        if (ret == 0)
            ret = pid ? grant(f, &asked, pid, request->name) : -ESRCH;
        if (ret < 0 && ret != -EPERM)
            tell_lost(f, &asked, pid, ret);
        answer(request, state, ret == 0);
        return;
    default:
        /* Who died in the middle does not free it. */
        if (asker_has_gone(asker))
            __atomic_store_n(&request->state, REQUEST_FREE, __ATOMIC_RELEASE);
    }
}

/* The founder's own process is waited for, and has a better account. */
static void
finish_ended(struct family *f, int only_detached)
{
    for (size_t i = 0; i < f->count; i++) {
        struct member *m = f->member[i];
        u32 detached = flags_of(&m->s) & CTL_DETACHED;

        if (m->gone || m->s.pid == f->founder->pid || (only_detached && !detached) ||
            !member_has_ended(m, 0))
            continue;
        finish(f, m, detached ? "by itself" : "killed, or without a word", NULL, NULL);
    }
}

void
family_look(struct family *f)
{
    finish_ended(f, 0);
    sweep(f);
}

void
family_serve(struct family *f)
{
    struct ctl *ctl = f->founder->experiment.ctl;

    for (int i = 0; i < ER_REQUESTS; i++)
        serve_request(f, &ctl->request[i]);
    for (size_t i = 0; i < f->count; i++) {
        struct member *m = f->member[i];
        u32 wanted = 0;

        if (!m->gone)
            wanted = __atomic_exchange_n(&m->s.experiment.ctl->want, 0,
                                         __ATOMIC_ACQ_REL);
        if (wanted)
            serve_wanted(&m->s, &m->maps, &m->flags, wanted);
    }
    /* What those leave that end between requests serves the next ones. */
    finish_ended(f, 1);
    sweep(f);
}

u64
family_widen(struct family *f)
{
    u64 now = moment_mono(), next = 0;

    for (size_t i = 0; i < f->count; i++) {
        struct member *m = f->member[i];
        u64 due = m->s.start.mono + room_narrow_ns(&m->s);

        if (m->gone || m->wide || flags_of(&m->s) & WIDE_ENOUGH)
            continue;
        if (due <= now) {
            room_usual(&m->s);
            m->wide = 1;
        } else if (!next || due < next) {
            next = due;
        }
    }
    return next;
}

int
family_alive(const struct family *f)
{
    return f->count > 0;
}

void
family_sample(struct family *f, enum er_cause cause)
{
    for (size_t i = 0; i < f->count; i++)
        serve_sample(&f->member[i]->s, cause);
}

u32
family_delays(struct family *f)
{
    u32 threads = 0;

    for (size_t i = 0; i < f->count; i++) {
        struct session *s = &f->member[i]->s;

        if (f->member[i]->gone)
            continue;
        delays_look(&s->delays, s);
        threads += s->delays.count;
    }
    return threads;
}

void
family_made(struct family *f)
{
    for (size_t i = 0; i < f->count; i++)
        if (!f->member[i]->gone) {
            jitdump_look(&f->member[i]->s);
            perfmap_look(&f->member[i]->s);
        }
}

void
family_flags(struct family *f, u32 set, u32 clear, enum er_event event, const char *why)
{
    for (size_t i = 0; i < f->count; i++) {
        struct member *m = f->member[i];
        u32 *flags = &m->s.experiment.ctl->flags;

        __atomic_fetch_or(flags, set, __ATOMIC_ACQ_REL);
        __atomic_fetch_and(flags, ~clear, __ATOMIC_ACQ_REL);
        m->flags = (m->flags | set) & ~clear;
        if (event != EVENT_COUNT)
            (void)log_event(m->s.experiment.log, event, moment_mono(), why, NULL, NULL,
                            0);
    }
}

u64
family_used(const struct family *f)
{
    u64 used = f->used;

    for (size_t i = 0; i < f->count; i++)
        used += room_used(f->member[i]->s.experiment.ctl);
    return used;
}

/* It lives on without us: with some room, and its page for itself. */
static void
leave_alone(struct member *m)
{
    struct experiment *e = &m->s.experiment;

    __atomic_store_n(&e->ctl->waiting, 0, __ATOMIC_RELEASE);
    for (int i = 0; i < FILE_COUNT; i++)
        if (e->ctl->file[i].reserved)
            (void)experiment_grow(e, (enum er_file)i,
                                  (room_given_out(e->ctl, i) / ER_SEGMENT +
                                   LEFT_ALONE_SEGMENTS) * ER_SEGMENT);
    overview_end(&m->s.overview, e);
    (void)log_event(e->log, EVENT_left_alone, moment_mono(), NULL, NULL, NULL, 0);
}

/* It has taken leave, or was killed, and has yet to go: the founder may have waited. */
static int
is_leaving(const struct session *s)
{
    enum { PF_EXITING = 4 }; /* linux/sched.h; a killed one has SIGKILL pending */

    return flags_of(s) & CTL_DETACHED ||
           account_stat_field(s->pid, STAT_FLAGS) & PF_EXITING ||
           account_stat_field(s->pid, STAT_PENDING) & 1u << (SIGKILL - 1);
}

static void
await_leaving(struct family *f)
{
    u64 until = moment_mono() + LEAVING_NS;

    for (size_t i = 0; i < f->count; i++) {
        const struct member *m = f->member[i];
        u64 now = moment_mono();

        if (now < until && is_leaving(&m->s))
            (void)member_has_ended(m, (int)((until - now) / 1000000) + 1);
    }
}

size_t
family_settle(struct family *f, const siginfo_t *ended, const struct account *account,
              u32 flags)
{
    char how[64];

    f->ended = flags & CTL_ENDED;
    finish_say_how(ended, how, sizeof(how));
    for (size_t i = 0; i < f->count; i++)
        if (f->member[i]->s.pid == f->founder->pid) {
            struct session *last = &f->member[i]->s;

            (void)finish_tell_exec(last, base_name(last->program));
            finish(f, f->member[i], how, ended, account);
        }
    sweep(f);
    await_leaving(f);
    family_look(f);
    return f->count;
}

void
family_settle_threads(struct family *f)
{
    retire_wait();
    heapscan_wait(f->founder);
    for (size_t i = 0; i < f->count; i++)
        heapscan_wait(&f->member[i]->s);
}

void
family_say(const struct family *f, const char *what, ...)
{
    char more[64] = "", text[256];
    va_list args;

    va_start(args, what);
    (void)vsnprintf(text, sizeof(text), what, args);
    va_end(args);

    if (f->count > 1)
        snprintf(more, sizeof(more), " and %zu more", f->count - 1);
    err_warn("%s (process %d)%s %s", base_name(f->member[0]->s.program),
             (int)f->member[0]->s.pid, more, text);
}

static void
family_free(struct family *f)
{
    free(f->member);
    lineage_free(f->lineage);
    free(f);
}

void
family_hand_over(struct family *f)
{
    for (size_t i = 0; i < f->count; i++)
        member_free(f->member[i]);
    asker_stop();
    family_free(f);
}

void
family_end(struct family *f)
{
    struct ctl *ctl = f->founder->experiment.ctl;

    __atomic_store_n(&ctl->waiting, 0, __ATOMIC_RELEASE);
    for (int i = 0; i < ER_REQUESTS; i++) {
        u32 state = __atomic_load_n(&ctl->request[i].state, __ATOMIC_ACQUIRE);

        if ((state & REQUEST_STATE) == REQUEST_ASKED)
            answer(&ctl->request[i], state, 0);
    }
    family_settle_threads(f);
    for (size_t i = 0; i < f->count; i++) {
        leave_alone(f->member[i]);
        member_free(f->member[i]);
    }
    pool_end();
    asker_stop();
    family_free(f);
}

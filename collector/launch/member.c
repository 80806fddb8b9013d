/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/member.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collector/launch/head.h"
#include "collector/launch/heapscan.h"
#include "collector/launch/mapcopy.h"
#include "collector/launch/page_copy.h"
#include "collector/launch/pool.h"
#include "collector/launch/regions.h"
#include "collector/launch/room.h"
#include "collector/launch/samplepoint.h"
#include "collector/launch/tail.h"
#include "collector/madecode/madecode.h"
#include "collector/outside/outside.h"
#include "collector/session/delays.h"
#include "share/fmt.h"
#include "share/logxml.h"

enum {
    ARGUMENT_BYTES = 65536, /* bytes of a command line that are kept */
    ARGUMENTS = 1024,
    END_ATTRS = 9,
    UNUSED_BYTES = 256,
    LOOKS = 50,
    LOOK_US = 100,
};

static const char *const hows[HOW_COUNT] = { "fork", "exec", "spawn", "clone" };

static void
read_link(pid_t pid, const char *what, char path[PATH_MAX])
{
    char link[64];
    ssize_t len;

    snprintf(link, sizeof(link), "/proc/%d/%s", (int)pid, what);
    len = readlink(link, path, PATH_MAX - 1);
    path[len > 0 ? len : 0] = '\0';
}

void
member_program(pid_t pid, char path[PATH_MAX])
{
    read_link(pid, "exe", path);
}

/* Field 4 of proc_pid_stat(5). */
static pid_t
parent_of(pid_t pid)
{
    return (pid_t)account_stat_field(pid, STAT_PARENT);
}

static int
write_log_head(struct recording *s, const struct ctl_request *request)
{
    char *text = malloc(ARGUMENT_BYTES), *args[ARGUMENTS + 1], wd[PATH_MAX];
    size_t n;
    pid_t ppid = request->ppid ? (pid_t)request->ppid : parent_of(s->pid);
    struct head_process process = { .ppid = ppid,
                                    .wd = wd,
                                    .args = args,
                                    .how = hows[request->how],
                                    .creator = request->creator };
    int ret;

    if (!text)
        return -ENOMEM;
    read_link(s->pid, "cwd", wd);
    n = account_read_args(s->pid, text, ARGUMENT_BYTES, args, ARGUMENTS);
    /*
     * While the process is still within an exec, it has no command line for some
     * moments.
     */
    for (int i = 0; !n && i < LOOKS && request->beyond; i++) {
        usleep(LOOK_US);
        n = account_read_args(s->pid, text, ARGUMENT_BYTES, args, ARGUMENTS);
    }
    /* Without a command line, since it has ended already, use the program's path. */
    if (!n)
        args[n++] = s->program;
    args[n] = NULL;
    ret = head_log(s, &process);
    free(text);
    return ret;
}

static int
write_heads(struct recording *s, const struct ctl_request *request, int map)
{
    int ret = write_log_head(s, request);

    if (ret == 0)
        ret = map >= 0 ? mapcopy(s->experiment.map, map, request->objects)
                       : head_map(s);
    if (ret == 0)
        head_run(s);
    if (ret == 0 && regions_wanted(s))
        regions_snapshot(s, 0);
    return ret;
}

static void
use_spare(struct expdir *e, enum er_file file)
{
    u64 reserved;
    int fd = pool_acquire(file, e->dir, &reserved);

    if (fd < 0)
        return;
    if (e->file[file] >= 0)
        close(e->file[file]);
    e->file[file] = fd;
    __atomic_store_n(&e->ctl->file[file].reserved, reserved, __ATOMIC_RELEASE);
}

/*
 * Take files for traces and for stack nodes from the pool, which earlier descendants
 * have left there.
 */
static void
use_spares(struct recording *s)
{
    if (!room_are_traces(s->request))
        return;
    use_spare(&s->experiment, FILE_frameinfo);
    for (int i = 0; i < TRACE_COUNT; i++)
        if (s->request->trace[i])
            use_spare(&s->experiment, er_traces[i].file);
}

/*
 * Called in the helper that samples the process from outside, when the process has
 * become its program.
 */
static void
begin_outside(struct recording *s)
{
    struct member *m = (void *)((char *)s - offsetof(struct member, s));
    char program[PATH_MAX];

    member_program(s->pid, program);
    if (*program)
        strcpy(s->program, program);
    (void)write_heads(s, &m->request, -1);
}

static int
start_outside(struct member *m, struct ctl *bell)
{
    enum image_kind kind = (enum image_kind)m->request.image;
    struct recording *s = &m->s;

    s->no_library = image_loads(kind) ? image_unhanded : image_reason(kind);
    snprintf(s->program, sizeof(s->program), "%s", m->request.name);
    s->params.wall = s->params.heap_scan = 0;
    s->outside.begin = begin_outside;
    s->outside.bell = bell;
    s->outside.from_now = m->request.beyond != OUTSIDE_EXEC;
    s->outside.children = m->request.beyond != OUTSIDE_CHILD;
    /* Reserve the usual space now: the helper writes many records at a time. */
    room_usual(s);
    m->wide = 1;
    return outside_start(s);
}

int
member_has_begun(const struct member *m)
{
    return (__atomic_load_n(&m->s.experiment.ctl->flags, __ATOMIC_ACQUIRE) &
            CTL_ATTACHED) != 0;
}

void
member_discard(struct member *m)
{
    overview_end(&m->s.overview, &m->s.experiment);
    experiment_discard(&m->s.experiment, m->s.parent, m->s.name);
}

/*
 * Have what the process starts watched from now on. The process has sent its request in
 * the collector's constructor: it has one thread, and has started nothing yet.
 */
static void
watch(struct recording *s, struct ctl *bell)
{
    s->outside.bell = bell;
    s->outside.from_now = 1;
    outside_watch(s, s->program);
}

static int
make(struct member *m, const struct ctl_request *request, int map, struct ctl *bell)
{
    struct recording *s = &m->s;
    int ret;

    m->pidfd = (int)syscall(SYS_pidfd_open, s->pid, 0);
    if (m->pidfd < 0)
        return -errno;
    ret = experiment_create_small(&s->experiment, s->parent, s->name, &pool_supply);
    if (ret < 0)
        return ret;
    use_spares(s);
    ret = room_optional(s);
    if (ret < 0) {
        experiment_discard(&s->experiment, s->parent, s->name);
        return ret;
    }
    s->experiment.ctl->pid = (u32)s->pid;
    s->experiment.ctl->waiting = 1;
    counter_hand_over(&s->counters, s->experiment.ctl);
    counter_start_totals(&s->counters, s->pid, COUNTER_FROM_NOW);
    s->start = moment_now(s->host.tsc);
    s->experiment.ctl->tick = s->start.tick;
    s->experiment.ctl->mono = s->start.mono;
    ret = request->beyond ? start_outside(m, bell) : write_heads(s, request, map);
    if (ret == 0 && !request->beyond && !s->inherits)
        watch(s, bell);
    if (ret < 0)
        experiment_discard(&s->experiment, s->parent, s->name);
    return ret;
}

int
member_home(const struct recording *founder)
{
    return *founder->founder ? founder->parent : founder->experiment.dir;
}

/* Set the program's name: the creator's name for it, if that leads to the same file. */
static void
find_program(struct recording *s, const char *creators)
{
    struct stat own, its;

    member_program(s->pid, s->program);
    if (stat(s->program, &own) == 0 && stat(creators, &its) == 0 &&
        own.st_dev == its.st_dev && own.st_ino == its.st_ino)
        snprintf(s->program, sizeof(s->program), "%s", creators);
}

int
member_make(struct member **out, const struct recording *founder,
            const struct recording *creator, const char *name, pid_t pid,
            const struct ctl_request *request, int map)
{
    struct member *m = calloc(1, sizeof(*m));
    int ret;

    if (!m)
        return -ENOMEM;
    m->pidfd = m->s.experiment.dir = -1;
    m->s.request = founder->request;
    m->s.host = founder->host;
    m->s.params = founder->params;
    m->s.counters = founder->counters;
    for (u32 i = 0; i < m->s.counters.count; i++) {
        struct counter *counter = &m->s.counters.counter[i];

        counter->total = -1; /* the founder's is not ours */
        counter->more = NULL;
        counter->more_count = 0;
    }
    m->s.parent = member_home(founder);
    m->s.inherits = request->how == HOW_FORK || request->how == HOW_CLONE;
    m->s.pid = pid;
    if (request->how == HOW_EXEC) {
        m->s.base_user = request->base_user;
        m->s.base_system = request->base_system;
    }
    snprintf(m->s.name, sizeof(m->s.name), "%s", name);
    find_program(&m->s, m->s.inherits ? creator->program : "");
    strcpy(m->creator, request->creator);
    m->request = *request;
    ret = make(m, request, map, founder->experiment.ctl);
    if (ret < 0) {
        member_free(m);
        return ret;
    }
    *out = m;
    return 0;
}

int
member_has_ended(const struct member *m, int ms)
{
    struct pollfd fd = { .fd = m->pidfd, .events = POLLIN };

    return poll(&fd, 1, ms) > 0;
}

static u64
less(u64 value, u64 base)
{
    return value > base ? value - base : 0;
}

/* How and when the process ended, and its resource use, if known. */
struct member_end {
    char how[80];
    int knows_status;
    siginfo_t ended;
    int knows_account;
    struct process_use account;
    struct moment now;
};

/*
 * Log the end. unused: names of files that were removed, as nothing was recorded in
 * them; or "".
 */
static void
put_end(struct recording *s, const struct member_end *end, const char *unused)
{
    const siginfo_t *ended = &end->ended;
    struct log_attr attrs[END_ATTRS];
    char sizes[EXPERIMENT_SIZES];
    u32 flags = __atomic_load_n(&s->experiment.ctl->flags, __ATOMIC_ACQUIRE);
    int closed = (flags & CTL_CLOSED) != 0, n = 0;

    if (end->knows_status)
        attrs[n++] = (struct log_attr){
            ended->si_code == CLD_EXITED ? "status" : "signal", NULL,
            (u64)ended->si_status
        };
    if (end->knows_account) {
        const struct process_use *account = &end->account;
        u64 user = less(account->user, s->base_user);
        u64 total = less(account->total, s->base_user + s->base_system);

        user = user < total ? user : total;
        attrs[n++] = (struct log_attr){ "user", NULL, user };
        attrs[n++] = (struct log_attr){ "system", NULL, total - user };
        attrs[n++] = (struct log_attr){ "total", NULL, total };
    }
    attrs[n++] = (struct log_attr){ "tick", NULL, end->now.tick };
    attrs[n++] = (struct log_attr){ "mono", NULL, end->now.mono };
    attrs[n++] = (struct log_attr){ "wall", NULL, end->now.wall };
    experiment_sizes(&s->experiment, sizes);
    attrs[n++] = (struct log_attr){ "sizes", sizes, 0 };
    if (*unused)
        attrs[n++] = (struct log_attr){ "unused", unused, 0 };
    (void)log_event(s->experiment.log, closed ? EVENT_detached : EVENT_end,
                    end->now.mono, end->how, NULL, attrs, n);
}

/*
 * End the search for lost blocks, with the reason if there was none: the process still
 * runs, so this is an exec; or it ended without the search; or it was killed.
 */
static void
end_heap(struct member *m)
{
    const u32 flags = __atomic_load_n(&m->s.experiment.ctl->flags, __ATOMIC_ACQUIRE);
    int alive = !member_has_ended(m, 0);

    heapscan_end(&m->s, alive                  ? heapscan_exec
                        : flags & CTL_DETACHED ? heapscan_unseen
                                               : heapscan_killed);
}

void
member_finish(struct member *m, const char *how, const siginfo_t *ended,
              const struct process_use *account)
{
    struct recording *s = &m->s;
    struct member_end *end = calloc(1, sizeof(*end));

    __atomic_fetch_or(&s->experiment.ctl->flags, CTL_ENDED, __ATOMIC_ACQ_REL);
    page_copy_check(&s->experiment);
    end_heap(m);
    madecode_end(s);
    samplepoint_totals(s);
    counter_log_end(&s->counters, &s->experiment);
    counter_end_totals(&s->counters);
    overview_end(&s->overview, &s->experiment);
    m->end = end;
    if (!end)
        return;
    snprintf(end->how, sizeof(end->how), "%s", how);
    end->now = moment_now(s->host.tsc);
    if (ended) {
        end->ended = *ended;
        end->knows_status = 1;
    }
    if (account) {
        end->account = *account;
        end->knows_account = 1;
    }
}

const struct process_use *
member_used(struct member *before, const struct member *m)
{
    if (!__atomic_load_n(&before->s.experiment.ctl->unsaid, __ATOMIC_ACQUIRE))
        return NULL;
    before->used = (struct process_use){ .user = m->s.base_user,
                                     .system = m->s.base_system,
                                     .total = m->s.base_user + m->s.base_system };
    return &before->used;
}

/*
 * Is it certain that nobody writes to the experiment any more? Not if the process was
 * killed: another process that shares its memory may still write.
 */
static int
is_over(const struct member *m)
{
    u32 flags = __atomic_load_n(&m->s.experiment.ctl->flags, __ATOMIC_ACQUIRE);

    return (flags & (CTL_DETACHED | CTL_NO_SPACE)) == CTL_DETACHED;
}

/*
 * A bit for each file in which nothing was recorded. 0 as long as somebody may still
 * write.
 */
static u32
unused_files(const struct expdir *e, int over)
{
    u32 unused = 0;

    for (int i = 0; over && i < FILE_COUNT; i++)
        if (pool_is_unused(e, (enum er_file)i))
            unused |= 1u << i;
    return unused;
}

/*
 * Cut the files that are needed to their used length. With `give`, large files with
 * little in them go to the pool instead, and the experiment gets a small copy.
 */
static void
trim_or_pool(struct expdir *e, u32 unused, int give)
{
    for (int i = 0; i < FILE_COUNT; i++)
        if (!(unused >> i & 1) && e->file[i] >= 0 &&
            (!give || pool_add(e, (enum er_file)i) < 0))
            experiment_trim_file(e, (enum er_file)i);
}

static void
name_unused(u32 unused, char names[UNUSED_BYTES])
{
    struct fmt f = fmt_start(names, UNUSED_BYTES - 1);

    for (int i = 0; i < FILE_COUNT; i++) {
        if (!(unused >> i & 1))
            continue;
        if (f.at > names)
            fmt_char(&f, ' ');
        fmt_str(&f, er_files[i].name);
    }
    *f.at = 0;
}

static void
pool_unused(struct expdir *e, u32 unused)
{
    for (int i = 0; i < FILE_COUNT; i++)
        if (unused >> i & 1 && pool_add_unused(e, (enum er_file)i) < 0)
            experiment_trim_file(e, (enum er_file)i);
}

/*
 * End log.xml and map.xml: write the last event to the log, and the last lines to both
 * files.
 */
static void
end_texts(struct member *m, u32 unused)
{
    char names[UNUSED_BYTES];

    name_unused(unused, names);
    tail_unsaid(&m->s.experiment, moment_mono());
    if (m->end)
        put_end(&m->s, m->end, names);
    tail_put(&m->s.experiment);
}

void
member_close(struct member *m)
{
    struct expdir *e = &m->s.experiment;
    int over = is_over(m);
    u32 unused = unused_files(e, over);

    trim_or_pool(e, unused, over && room_are_traces(m->s.request));
    end_texts(m, unused);
    /*
     * Move unused files away only now that the log has its end: a reader that came
     * earlier has seen no end, and takes what is there.
     */
    pool_unused(e, unused);
    if (over)
        (void)pool_add_control(e);
    experiment_trim_rest(e);
}

int
member_is_light(const struct member *m)
{
    const struct ctl *ctl = m->s.experiment.ctl;

    for (int i = 0; i < FILE_COUNT; i++)
        if (__atomic_load_n(&ctl->file[i].reserved, __ATOMIC_ACQUIRE) >= ER_SEGMENT)
            return 0;
    return 1;
}

void
member_free(struct member *m)
{
    maps_free(&m->maps);
    counter_end_totals(&m->s.counters);
    delays_close(&m->s.delays);
    if (m->s.experiment.dir >= 0)
        experiment_close(&m->s.experiment);
    if (m->pidfd >= 0)
        close(m->pidfd);
    free(m->end);
    free(m);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/family.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/launch/ending.h"
#include "collector/launch/requester.h"
#include "collector/launch/family_list.h"
#include "collector/launch/heapscan.h"
#include "collector/launch/lineage.h"
#include "collector/launch/pool.h"
#include "collector/launch/retire.h"
#include "collector/launch/room.h"
#include "collector/launch/samplepoint.h"
#include "collector/launch/wants.h"
#include "collector/madecode/madecode.h"
#include "collector/outside/kernel.h"
#include "collector/outside/outside.h"
#include "collector/session/delays.h"
#include "share/err.h"
#include "share/logxml.h"

enum {
    LEFT_ALONE_SEGMENTS = 4,
    KEPT_BYTES = 16 << 20,
    KERNEL_NS = 300000000, /* age from which a process gets a kernel-sample helper */
    LEAVING_NS = 200000000, /* longest wait at the end for members that are exiting */
    WIDE_ENOUGH = CTL_DETACHED | CTL_ENDED | CTL_NO_SPACE | CTL_LIMIT,
};

struct family *
family_start(struct recording *founder)
{
    struct family *f;

    /*
     * Even without -F, the founder's descendants are wanted if ranks are: some may be
     * MPI ranks.
     */
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
    /*
     * Members are allocated and freed often: keep their memory instead of returning it
     * to the kernel each time.
     */
    (void)mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
    (void)mallopt(M_MMAP_THRESHOLD, KEPT_BYTES);
    pool_start(founder->experiment.dir);
    return f;
}

/*
 * The member whose experiment has that name. NULL: it is the founder's, or it has
 * ended.
 */
static struct member *
find(const struct family *f, const char *name)
{
    for (size_t i = 0; i < f->count; i++)
        if (!f->member[i]->gone && !strcmp(f->member[i]->s.name, name))
            return f->member[i];
    return NULL;
}

struct recording *
family_of_pid(const struct family *f, pid_t pid)
{
    for (size_t i = 0; f && i < f->count; i++)
        if (!f->member[i]->gone && f->member[i]->s.pid == pid)
            return &f->member[i]->s;
    return NULL;
}

struct recording *
family_session(const struct family *f, const char *name)
{
    struct member *m = find(f, name);

    return m ? &m->s : f->founder;
}

int
family_add(struct family *f, struct member *m)
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

/*
 * Log an event of m's in its creator's log, or in the founder's if the creator has
 * ended. If the founder has ended, too, its log is complete, and nothing is written.
 */
void
family_log(const struct family *f, enum er_event event, const struct member *m,
     const char *what)
{
    const struct log_attr attr = { "pid", NULL, (u64)m->s.pid };

    (void)log_event(family_session(f, m->creator)->experiment.log, event, moment_mono(),
                    m->s.name, what, &attr, 1);
}

/*
 * If a member that is sampled from outside has executed its program by now, log that,
 * and end the experiment of the program before.
 */
static void
begin_outside(struct family *f, struct member *m)
{
    if (m->begun || !member_has_begun(m))
        return;
    m->begun = 1;
    family_log(f, EVENT_descendant, m, family_base_name(m->s.program));
    if (m->request.how == HOW_EXEC)
        family_supersede(f, m);
}

/*
 * Stop sampling from outside; all samples are then written. 1; 0 = the process never
 * executed the program, so the experiment was removed.
 */
static int
end_outside(struct family *f, struct member *m)
{
    outside_stop(&m->s);
    begin_outside(f, m);
    if (!m->begun) {
        member_discard(m);
        m->gone = 1;
        return 0;
    }
    __atomic_fetch_or(&m->s.experiment.ctl->flags, CTL_DETACHED, __ATOMIC_ACQ_REL);
    return 1;
}

void
family_finish(struct family *f, struct member *m, const char *how,
              const siginfo_t *ended, const struct process_use *account)
{
    if (member_is_outside(m) && !end_outside(f, m))
        return;
    outside_stop(&m->s);
    kernel_stop(&m->s);
    f->used += room_used(m->s.experiment.ctl);
    family_log(f, EVENT_descendant_end, m,
               family_flags_of(&m->s) & CTL_CLOSED ? "collect left it, and it ran on"
                                                    : how);
    member_finish(m, how, ended, account);
    m->gone = 1;
}

/*
 * Remove members that are gone from the list, and free them, now or in another thread.
 */
static void
sweep(struct family *f)
{
    size_t kept = 0;

    for (size_t i = 0; i < f->count; i++) {
        if (f->member[i]->gone && f->member[i]->s.experiment.dir < 0)
            member_free(f->member[i]);
        else if (f->member[i]->gone)
            retire(f->member[i]);
        else
            f->member[kept++] = f->member[i];
    }
    f->count = kept;
}

/*
 * End the experiment of the program that m's process ran before it executed m's
 * program. The founder's experiment is only marked (`became`) and gets its last totals.
 */
void
family_supersede(struct family *f, const struct member *m)
{
    struct member *before = find(f, m->creator);

    if (!before && (!*m->creator || !strcmp(m->creator, f->founder->name))) {
        samplepoint_totals(f->founder);
        counter_end_totals(&f->founder->counters);
        f->founder->became = 1;
        f->founder->became_user = m->s.base_user;
        f->founder->became_system = m->s.base_system;
    }
    if (before && before->s.pid == m->s.pid) {
        before->s.became = 1;
        family_finish(f, before, "it became another program", NULL,
                      member_used(before, m));
    }
}

/*
 * Does m record the process of the founder (after an exec)? We get that process's
 * status and resource use by waitid().
 */
static int
is_awaited(const struct family *f, const struct member *m)
{
    return m->s.pid == f->founder->pid && !f->founder->attach;
}

/*
 * Say how m's process ended, if that process did not report it itself. If the kernel
 * knows, sets *ended, and returns `how` with the text; else returns another string.
 */
static const char *
how_it_died(const struct member *m, char how[64], siginfo_t *ended)
{
    if (!account_ended(m->pidfd, m->s.pid, ended))
        return "killed, or without a word";
    if (ended->si_code == CLD_EXITED)
        snprintf(how, 64, "exit status %d, without a word", ended->si_status);
    else
        snprintf(how, 64, "killed by signal %d (%s)", ended->si_status,
                 strsignal(ended->si_status));
    return how;
}

static void
finish_ended(struct family *f, int only_detached)
{
    for (size_t i = 0; i < f->count; i++) {
        struct member *m = f->member[i];
        u32 detached = m->gone ? 0 : family_flags_of(&m->s) & CTL_DETACHED;
        siginfo_t ended = { 0 };
        char how[64];

        if (m->gone || is_awaited(f, m) || (only_detached && !detached) ||
            !member_has_ended(m, 0))
            continue;
        if (member_is_outside(m))
            family_finish(f, m, "its parent alone knows how", NULL, NULL);
        else if (detached)
            family_finish(f, m, "by itself", NULL, NULL);
        else {
            const char *died = how_it_died(m, how, &ended);

            family_finish(f, m, died, died == how ? &ended : NULL, NULL);
        }
    }
}

void
family_reap(struct family *f)
{
    finish_ended(f, 0);
    sweep(f);
}

void
family_serve(struct family *f)
{
    struct ctl *ctl = f->founder->experiment.ctl;

    /* Do this before requests are served: they may name these members as creators. */
    for (size_t i = 0; i < f->count; i++)
        if (!f->member[i]->gone && member_is_outside(f->member[i]))
            begin_outside(f, f->member[i]);
    for (int i = 0; i < ER_REQUESTS; i++)
        family_request(f, &ctl->request[i]);
    for (size_t i = 0; i < f->count; i++) {
        struct member *m = f->member[i];
        u32 wanted = 0;

        if (!m->gone)
            wanted = __atomic_exchange_n(&m->s.experiment.ctl->want, 0,
                                         __ATOMIC_ACQ_REL);
        if (wanted)
            wants_serve(&m->s, &m->maps, &m->flags, wanted);
    }
    /* Finish ended members now, so that the next requests can reuse their files. */
    finish_ended(f, 1);
    sweep(f);
}

/*
 * 1 if the time `due` has come. Else 0, and *next is set to `due` if that is earlier,
 * or if *next is 0.
 */
static int
is_due(u64 due, u64 *next)
{
    if (due <= moment_mono())
        return 1;
    if (!*next || due < *next)
        *next = due;
    return 0;
}

u64
family_widen(struct family *f)
{
    u64 next = 0;

    for (size_t i = 0; i < f->count; i++) {
        struct member *m = f->member[i];
        u64 born = m->s.start.mono;

        if (m->gone || family_flags_of(&m->s) & WIDE_ENOUGH)
            continue;
        if (!m->wide && is_due(born + room_narrow_ns(&m->s), &next)) {
            room_usual(&m->s);
            m->wide = 1;
        }
        if (!m->kernel && !member_is_outside(m) && is_due(born + KERNEL_NS, &next)) {
            kernel_start(&m->s, f->founder, 1);
            m->kernel = 1;
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
        if (!member_is_outside(f->member[i]) || f->member[i]->begun)
            samplepoint_take(&f->member[i]->s, cause);
}

u32
family_delays(struct family *f)
{
    u32 threads = 0;

    for (size_t i = 0; i < f->count; i++) {
        struct recording *s = &f->member[i]->s;

        if (f->member[i]->gone)
            continue;
        delays_read(&s->delays, s);
        threads += s->delays.count;
    }
    return threads;
}

void
family_made(struct family *f)
{
    for (size_t i = 0; i < f->count; i++)
        if (!f->member[i]->gone)
            madecode_read_new(&f->member[i]->s);
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
        if (event != EVENT_COUNT && (!member_is_outside(m) || m->begun))
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

/*
 * Prepare a member whose process runs on without the launcher: reserve some space in
 * its files.
 */
static void
leave_alone(struct member *m)
{
    struct expdir *e = &m->s.experiment;

    __atomic_store_n(&e->ctl->waiting, 0, __ATOMIC_RELEASE);
    for (int i = 0; i < FILE_COUNT; i++)
        if (e->ctl->file[i].reserved)
            (void)experiment_grow(e, (enum er_file)i,
                                  (room_file_used(e->ctl, i) / ER_SEGMENT +
                                   LEFT_ALONE_SEGMENTS) * ER_SEGMENT);
    overview_end(&m->s.overview, e);
    (void)log_event(e->log, EVENT_left_alone, moment_mono(), NULL, NULL, NULL, 0);
}

/*
 * End recordings from outside, since the helpers end with the launcher. Helpers that
 * sample system time end, too: CPU-time timers then record it in processes that run on.
 */
static void
end_sampled(struct family *f)
{
    const struct member *left = NULL;

    for (size_t i = 0; i < f->count; i++)
        kernel_leave(&f->member[i]->s);
    for (size_t i = 0; i < f->count; i++)
        if (member_is_outside(f->member[i])) {
            family_finish(f, f->member[i], "collect ended before it", NULL, NULL);
            left = f->member[i]->begun ? f->member[i] : left;
        }
    if (left)
        err_warn("%s (process %d) went on when the target had ended: sampled from "
                 "outside up to then",
                 family_base_name(left->s.program), (int)left->s.pid);
    sweep(f);
}

/*
 * Is the process about to end: has it detached, or is it exiting, or was SIGKILL sent
 * to it?
 */
static int
is_leaving(const struct recording *s)
{
    enum { PF_EXITING = 4 }; /* linux/sched.h; a killed one has SIGKILL pending */

    return family_flags_of(s) & CTL_DETACHED ||
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
family_settle(struct family *f, const siginfo_t *ended,
              const struct process_use *account, u32 flags)
{
    char how[64];

    f->ended = flags & CTL_ENDED;
    if (ended)
        ending_describe(ended, how, sizeof(how));
    for (size_t i = 0; i < f->count; i++)
        if (is_awaited(f, f->member[i])) {
            struct recording *last = &f->member[i]->s;

            (void)ending_report_exec(last, family_base_name(last->program));
            family_finish(f, f->member[i], how, ended, account);
        }
    sweep(f);
    await_leaving(f);
    family_reap(f);
    end_sampled(f);
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
family_print_running(const struct family *f, const char *what, ...)
{
    char more[64] = "", text[256];
    va_list args;

    va_start(args, what);
    (void)vsnprintf(text, sizeof(text), what, args);
    va_end(args);

    if (f->count > 1)
        snprintf(more, sizeof(more), " and %zu more", f->count - 1);
    err_warn("%s (process %d)%s %s", family_base_name(f->member[0]->s.program),
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
    requester_stop();
    family_free(f);
}

/* The resource use up to now of a process that runs on. Owned by m. */
static const struct process_use *
read_use(struct member *m)
{
    struct process_use *a = &m->used;

    account_read(a, m->s.pid, 0);
    a->user = a->use.user;
    a->system = a->use.system;
    a->total = a->user + a->system;
    return a;
}

void
family_part(struct family *f, const char *how)
{
    family_serve(f);
    family_reap(f);
    family_flags(f, CTL_ENDED | CTL_CLOSED, 0, EVENT_COUNT, NULL);
    for (size_t i = 0; i < f->count; i++)
        family_finish(f, f->member[i], how, NULL, read_use(f->member[i]));
    sweep(f);
    family_end(f);
}

void
family_end(struct family *f)
{
    struct ctl *ctl = f->founder->experiment.ctl;

    __atomic_store_n(&ctl->waiting, 0, __ATOMIC_RELEASE);
    for (int i = 0; i < ER_REQUESTS; i++) {
        u32 state = __atomic_load_n(&ctl->request[i].state, __ATOMIC_ACQUIRE);

        if ((state & REQUEST_STATE) == REQUEST_ASKED)
            family_answer(&ctl->request[i], state, 0);
    }
    family_settle_threads(f);
    for (size_t i = 0; i < f->count; i++) {
        leave_alone(f->member[i]);
        member_free(f->member[i]);
    }
    pool_end();
    requester_stop();
    family_free(f);
}

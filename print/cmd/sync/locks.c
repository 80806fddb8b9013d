/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/sync/locks.h"

#include <stdlib.h>
#include <strings.h>

#include "print/cmd/sync/lockwaits.h"
#include "print/cmd/stackcell.h"
#include "print/cmd/title.h"
#include "print/model/filter/filters.h"
#include "share/record.h"

enum {
    CONFLICTS_SHOWN = 10, /* of each object, where whole stacks are shown */
    PLACES_SHOWN = 20, /* places that text shows if no limit is set */
};

struct view {
    struct shell *sh;
    struct locks locks;
    struct table *t;
    u32 name, kind, address, experiment, first;
    u32 wait, share, waits, contended, failed, longest;
    u32 holds, hold, longest_hold, threads, renewed;
    u64 total; /* ns: all waits */
};

/* Add the columns of times: in us for single waits, in seconds for sums of many. */
static void
sum_columns(struct view *v)
{
    struct table *t = v->t;

    v->wait = table_column(t, "wait", "Wait", "sec.", COL_NS, 0);
    v->share = table_column(t, "share", "Share", "%", COL_PERCENT, COL_JOINED);
    v->waits = table_column(t, "waits", "Waits", "", COL_COUNT, 0);
    v->contended = table_column(t, "contended", "Holder\nknown", "", COL_COUNT,
                                COL_DETAIL);
    v->failed = table_column(t, "failed", "Not\ngranted", "", COL_COUNT, COL_DETAIL);
    v->longest = table_column(t, "longest", "Longest\nwait", "us", COL_REAL, 0);
    v->holds = table_column(t, "holds", "Holds", "", COL_COUNT, COL_DETAIL);
    v->hold = table_column(t, "hold", "Held", "sec.", COL_NS, 0);
    v->longest_hold =
        table_column(t, "longest_hold", "Longest\nhold", "us", COL_REAL, COL_DETAIL);
    v->threads = table_column(t, "threads", "Threads", "", COL_COUNT, COL_DETAIL);
    v->renewed = table_column(t, "renewed", "Renewed", "", COL_COUNT, COL_DATA_ONLY);
    v->first = table_column(t, "first", "First", "sec.", COL_NS, COL_DATA_ONLY);
}

static void
fill_sums(const struct view *v, const struct lock *lock)
{
    struct table *t = v->t;

    table_number(t, v->wait, lock->wait);
    table_real(t, v->share,
               v->total ? 100 * (double)lock->wait / (double)v->total : 0);
    table_number(t, v->waits, lock->waits);
    table_number(t, v->contended, lock->contended);
    table_number(t, v->failed, lock->failed);
    table_real(t, v->longest, (double)lock->wait_most / 1e3);
    table_number(t, v->renewed, lock->renewed);
    table_number(t, v->first, lock->first);
    if (lock->threads)
        table_number(t, v->threads, lock->threads);
    if (!lock->holds && !lock->hold)
        return;
    table_number(t, v->holds, lock->holds);
    table_number(t, v->hold, lock->hold);
    table_real(t, v->longest_hold, (double)lock->hold_most / 1e3);
}

static void
fill_identity(const struct view *v, const struct lock *lock)
{
    table_text(v->t, v->kind, lock_kind_name(lock->kind));
    if (lock->kind != SYNC_MONITOR && lock->kind != SYNC_NOTIFY &&
        !lock_thread(v->sh->session, lock->experiment, lock->kind, lock->addr))
        table_number(v->t, v->address, lock->addr);
    table_text(v->t, v->experiment, v->sh->session->experiment[lock->experiment]->path);
}

static const char *
name_of(const struct view *v, const struct lock *lock)
{
    return title_lock(v->sh, v->t, lock->experiment, lock->kind, lock->addr);
}

static void
add_object(const struct view *v, const struct lock *lock, unsigned flags)
{
    table_row(v->t, flags);
    fill_sums(v, lock);
    fill_identity(v, lock);
    table_text(v->t, v->name, name_of(v, lock));
}

/* The objects of one kind. */
struct group {
    struct lock sum; /* of what text shows; not threads: objects may share them */
    u32 count;
};

static void
add_to_group(struct group *group, const struct lock *lock)
{
    struct lock *sum = &group->sum;

    group->count++;
    sum->kind = lock->kind;
    sum->waits += lock->waits;
    sum->contended += lock->contended;
    sum->failed += lock->failed;
    sum->wait += lock->wait;
    if (lock->wait_most > sum->wait_most)
        sum->wait_most = lock->wait_most;
    sum->holds += lock->holds;
    sum->hold += lock->hold;
    if (lock->hold_most > sum->hold_most)
        sum->hold_most = lock->hold_most;
}

static int
by_sum(const void *a, const void *b)
{
    const struct group *x = a, *y = b;

    if (x->sum.wait != y->sum.wait)
        return x->sum.wait < y->sum.wait ? 1 : -1;
    if (x->sum.waits != y->sum.waits)
        return x->sum.waits < y->sum.waits ? 1 : -1;
    return x->sum.kind < y->sum.kind ? -1 : x->sum.kind > y->sum.kind;
}

/*
 * Add a row with the sum of a group of objects, unless the group has only one object.
 */
static void
add_heading(const struct view *v, const struct group *group, unsigned flags)
{
    table_row(v->t, ROW_SELF | flags);
    fill_sums(v, &group->sum);
    table_text(v->t, v->kind, lock_kind_name(group->sum.kind));
    table_format(v->t, v->name, "<all %u>", group->count);
}

/*
 * Add the rows. As text, objects of one kind are shown together, below their sum, and
 * the limit counts all rows. In other forms, each object has a row.
 */
static void
add_groups(struct view *v)
{
    struct group group[SYNC_KIND_COUNT] = { 0 };
    u64 limit = v->sh->limit ? v->sh->limit : UINT64_MAX;
    bool apart = false;
    u32 shown = 0;

    for (u32 i = 0; i < v->locks.count; i++)
        add_to_group(&group[v->locks.lock[i].kind], &v->locks.lock[i]);
    qsort(group, SYNC_KIND_COUNT, sizeof(*group), by_sum);
    for (u32 k = 0; k < SYNC_KIND_COUNT; k++) {
        unsigned gap = v->t->nrows && (apart || group[k].count > 1) ? ROW_GAP : 0;

        apart = group[k].count > 1;
        if (apart && v->t->nrows < limit)
            add_heading(v, &group[k], gap);
        for (u32 i = 0; i < v->locks.count && group[k].count; i++) {
            if (v->locks.lock[i].kind != group[k].sum.kind || v->t->nrows >= limit)
                continue;
            add_object(v, &v->locks.lock[i], apart ? 0 : gap);
            shown++;
        }
    }
    v->t->nleft_out = v->locks.count - shown;
}

/*
 * Say how many calls the threads have counted that are in no row. With a filter, that
 * number is not known.
 */
static void
add_unseen(const struct view *v)
{
    const struct session *session = v->sh->session;
    u64 calls = 0, unheld = 0, dropped = 0, waits = 0;
    struct arena *a = &v->t->arena;

    if (filter_is_set(session))
        return;
    for (u32 i = 0; i < session->nexperiments; i++) {
        const struct threads *threads = &session->experiment[i]->threads;

        for (u32 k = 0; k < threads->count; k++) {
            calls += threads->row[k].sync_calls;
            unheld += threads->row[k].sync_unheld;
            dropped += threads->row[k].trace_dropped[TRACE_sync];
        }
    }
    for (u32 i = 0; i < v->locks.count; i++)
        waits += v->locks.lock[i].waits;
    if (calls > waits)
        table_fact(v->t, "short_calls", "Not listed",
                   arena_printf(a, "%llu of %llu calls: too short to be recorded%s",
                                (unsigned long long)(calls - waits),
                                (unsigned long long)calls,
                                dropped ? ", in a pause, or dropped"
                                        : ", or in a pause"));
    if (unheld)
        table_fact(v->t, "unheld", "Holds not followed",
                   arena_printf(a, "%llu lock%s taken by threads that held too many",
                                (unsigned long long)unheld, unheld == 1 ? "" : "s"));
    if (dropped)
        table_fact(v->t, "dropped", "Dropped",
                   arena_printf(a, "%llu events, for lack of room: waits, holds, ...",
                                (unsigned long long)dropped));
}

static void
make_objects(struct view *v, const char *command)
{
    u32 shown;

    v->t = table_new(command, LAYOUT_COLUMNS);
    table_title(v->t, "Objects, by time waited for them");
    add_unseen(v);
    sum_columns(v);
    v->kind = table_column(v->t, "kind", "Kind", "", COL_TEXT, 0);
    v->address =
        table_column(v->t, "address", "Address", "", COL_ADDRESS, COL_DATA_ONLY);
    v->experiment =
        table_column(v->t, "experiment", "Experiment", "", COL_TEXT, COL_DATA_ONLY);
    v->name = table_column(v->t, "name", "Object", "", COL_TEXT, 0);
    if (v->sh->export == export_text) {
        add_groups(v);
        return;
    }
    shown = shell_limit(v->sh, v->t, v->locks.count);
    for (u32 i = 0; i < shown; i++)
        add_object(v, &v->locks.lock[i], 0);
}

/* Two places that contended for a lock, and that lock. */
struct contention {
    const struct lock_conflict *conflict;
    const struct lock *lock;
};

static int
by_time(const void *a, const void *b)
{
    const struct contention *x = a, *y = b;

    if (x->conflict->time != y->conflict->time)
        return x->conflict->time < y->conflict->time ? 1 : -1;
    return x->conflict < y->conflict ? -1 : x->conflict > y->conflict;
}

/* How many places are shown; in text without a limit, at most PLACES_SHOWN. */
static u32
limit_places(const struct view *v, u32 count)
{
    if (v->sh->limit || v->sh->export != export_text || count <= PLACES_SHOWN)
        return shell_limit(v->sh, v->t, count);
    v->t->nleft_out = count - PLACES_SHOWN;
    return PLACES_SHOWN;
}

/* List the conflicts for all locks, the longest first; the caller frees them. */
static struct contention *
all_meetings(const struct view *v, u32 *count)
{
    struct contention *m = mem_realloc(NULL, v->locks.conflicts * sizeof(*m));

    *count = 0;
    for (u32 i = 0; i < v->locks.count; i++) {
        const struct lock *lock = &v->locks.lock[i];

        for (u32 k = 0; k < lock->conflicts; k++)
            m[(*count)++] =
                (struct contention){ &v->locks.conflict[lock->conflict + k], lock };
    }
    if (*count)
        qsort(m, *count, sizeof(*m), by_time);
    return m;
}

static bool
has_futex(const struct view *v)
{
    for (u32 i = 0; i < v->locks.count; i++)
        if (v->locks.lock[i].kind == SYNC_FUTEX)
            return true;
    return false;
}

static void
make_places(struct view *v, const char *command)
{
    struct table *t = v->t = table_new(command, LAYOUT_COLUMNS);
    u32 wait, waits, longest, name, place, holder, count, shown;
    struct contention *m = all_meetings(v, &count);

    table_title(t, has_futex(v) ? "Places that waited, and where the holder had taken "
                                  "it (of a futex: where it was woken)"
                                : "Places that waited, and where the holder had taken "
                                  "it");
    wait = table_column(t, "wait", "Wait", "sec.", COL_NS, 0);
    waits = table_column(t, "waits", "Waits", "", COL_COUNT, 0);
    longest = table_column(t, "longest", "Longest", "us", COL_REAL, 0);
    name = table_column(t, "name", "Object", "", COL_TEXT, 0);
    place = table_column(t, "place", "Waited at", "", COL_TEXT, 0);
    holder = table_column(t, "holder", "Taken at", "", COL_TEXT, 0);
    shown = limit_places(v, count);
    for (u32 i = 0; i < shown; i++) {
        const struct lock_conflict *conflict = m[i].conflict;

        table_row(t, 0);
        table_number(t, wait, conflict->time);
        table_number(t, waits, conflict->count);
        table_real(t, longest, (double)conflict->most / 1e3);
        table_text(t, name, name_of(v, m[i].lock));
        table_text(t, place,
                   conflict->node ? stackcell_place(v->sh, t, conflict->node)
                               : "<others>");
        table_text(t, holder, stackcell_place(v->sh, t, conflict->holder));
    }
    free(m);
}

struct stack_view {
    u32 heading, wait, waits, longest, stack, holder;
};

static int
add_conflict(struct view *v, const struct stack_view *s, const struct lock *lock, u32 k)
{
    const struct lock_conflict *conflict = &v->locks.conflict[lock->conflict + k];

    table_row(v->t, 0);
    table_format(v->t, s->heading, "%s, place %u of %u", name_of(v, lock), k + 1,
                 lock->conflicts);
    fill_identity(v, lock);
    table_number(v->t, s->wait, conflict->time);
    table_number(v->t, s->waits, conflict->count);
    table_real(v->t, s->longest, (double)conflict->most / 1e3);
    return stackcell_fill(v->sh, v->t, s->stack, conflict->node) ||
           (conflict->holder && stackcell_fill(v->sh, v->t, s->holder,
                                               conflict->holder));
}

static int
show_stacks(struct view *v, const char *command)
{
    struct table *t = v->t = table_new(command, LAYOUT_BLOCKS);
    struct stack_view s;
    u32 shown;
    int err = 0;

    table_title(t, "Stacks that waited, and that of the holder");
    s.heading = table_column(t, "heading", "Object", "", COL_TEXT, 0);
    v->kind = table_column(t, "kind", "Kind", "", COL_TEXT, 0);
    v->address = table_column(t, "address", "Address", "", COL_ADDRESS, 0);
    v->experiment = table_column(t, "experiment", "Experiment", "", COL_TEXT, 0);
    s.wait = table_column(t, "wait", "Wait", "sec.", COL_NS, 0);
    s.waits = table_column(t, "waits", "Waits", "", COL_COUNT, 0);
    s.longest = table_column(t, "longest", "Longest wait", "us", COL_REAL, 0);
    s.stack = table_column(t, "stack", "Waited", "", COL_LIST, 0);
    s.holder = table_column(t, "holder", "Taken", "", COL_LIST, 0);
    shown = shell_limit(v->sh, t, v->locks.count);
    for (u32 i = 0; i < shown; i++)
        for (u32 k = 0; k < v->locks.lock[i].conflicts && k < CONFLICTS_SHOWN &&
             !err; k++)
            err = add_conflict(v, &s, &v->locks.lock[i], k);
    if (!err)
        return shell_show(v->sh, t);
    table_free(t);
    return shell_fail(v->sh, "no memory is left");
}

static int
show_both(struct view *v, const char *command)
{
    struct table *t;

    make_objects(v, command);
    t = v->t;
    make_places(v, command);
    table_follow(&t, v->t);
    return shell_show(v->sh, t);
}

int
cmd_locks(struct shell *sh, int argc, char **argv)
{
    struct view v = { .sh = sh };
    bool stacks = argc > 1 && !strcasecmp(argv[1], "stacks");
    int err;

    if (argc > 1 && !strcasecmp(argv[1], "waits"))
        return lockwaits_show(sh, argv[0]);
    if (argc > 1 && !stacks && strcasecmp(argv[1], "objects"))
        return shell_fail(sh, "\"%s\" is none of objects, stacks, waits", argv[1]);
    err = locks_get(sh->session, &v.locks);
    if (err)
        return shell_fail_errno(sh, err, "the waits cannot be shown");
    for (u32 i = 0; i < v.locks.count; i++)
        v.total += v.locks.lock[i].wait;
    if (!v.locks.recorded)
        err = shell_fail(sh, "no experiment has data of synchronization (collect -s on "
                             "records it)");
    else if (stacks)
        err = show_stacks(&v, argv[0]);
    else
        err = show_both(&v, argv[0]);
    locks_free(&v.locks);
    return err;
}

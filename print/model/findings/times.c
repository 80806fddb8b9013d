/* SPDX-License-Identifier: Apache-2.0 */
/* Reports where time went: by kinds of time, and by functions. */
#include <errno.h>
#include <stdlib.h>

#include "print/model/findings/phrase.h"
#include "print/model/findings/sections.h"
#include "print/model/views/view.h"

enum {
    TOPS = 5,           /* functions that are listed */
    TOP_LEAST = 1,      /* percent: functions with less are not listed */
    PATH_LEAST = 40,    /* percent that a function and what it calls must have */
    PATH_DEPTH = 64,    /* calls that follow_path() follows at most */
    PATH_MOST = 98,     /* percent that it may have: main() and the like have all */
    BUSY_LEAST = 50,    /* percent of the run that a busy program uses processors */
    STATE_LEAST = 1,    /* percent of the threads' time: smaller kinds are not named */
    STATE_MAIN = 60,    /* percent of a function's time: less gets no state */
};

/* The metrics that are kinds of time, and what a thread does in such time. */
static const struct state {
    enum metric metric;
    const char *doing;
} states[] = {
    { METRIC_user, "running in user mode" },
    { METRIC_system, "running in the kernel" },
    { METRIC_wait, "waiting for a processor" },
    { METRIC_lock, "waiting for locks" },
    { METRIC_event, "waiting for events (conditions, poll, ends of threads)" },
    { METRIC_io, "in input and output" },
    { METRIC_sleep, "asleep" },
    { METRIC_datapfault, "reading pages" },
    { METRIC_stop, "stopped" },
};

static int
compare_states(const void *a, const void *b, void *context)
{
    const struct values *v = context;
    const struct state *x = a, *y = b;

    if (v->v[x->metric] != v->v[y->metric])
        return v->v[x->metric] < v->v[y->metric] ? 1 : -1;
    return x < y ? -1 : x > y;
}

static void
add_wall(struct findings *f, struct values *total)
{
    struct state sorted[ER_COUNT(states)];
    int64_t all = total->v[METRIC_total];
    const char *between = ": ";

    for (u32 i = 0; i < ER_COUNT(states); i++)
        sorted[i] = states[i];
    qsort_r(sorted, ER_COUNT(sorted), sizeof(*sorted), compare_states, total);
    phrase_begin(f, FINDING_TIME, "thread_list");
    phrase_add(f, "The threads lived ");
    phrase_add_time(f, all > 0 ? (u64)all : 0);
    phrase_add(f, " in all");
    for (u32 i = 0; i < ER_COUNT(sorted) && all > 0; i++) {
        int64_t part = total->v[sorted[i].metric];

        if (part * 100 < all * STATE_LEAST)
            break;
        phrase_add(f, "%s", between);
        phrase_add_share(f, (double)part, (double)all);
        phrase_add(f, " %s", sorted[i].doing);
        between = ", ";
    }
    phrase_add(f, ".");
}

/*
 * Get the CPU time (ns) of all processes as the kernel accounts it, and how long the
 * longest of them ran (ns). False: no CPU time is known.
 */
static bool
account_of(const struct session *session, u64 *user, u64 *system, u64 *longest)
{
    bool known = false;

    *user = *system = *longest = 0;
    for (u32 i = 0; i < session->nexperiments; i++) {
        const struct experiment *e = session->experiment[i];
        u64 ran = experiment_duration(e);

        *longest = ran > *longest ? ran : *longest;
        if (!e->has_account)
            continue;
        known = true;
        *user += e->user;
        *system += e->system;
    }
    return known;
}

/* Report how busy the run was. If it mostly waited, name the option that shows why. */
static void
append_busy(struct findings *f, const struct session *session, u64 cpu, u64 longest)
{
    if (!longest || session->nexperiments > 1)
        return;
    if (cpu * 100 >= longest * BUSY_LEAST) {
        phrase_add(f, ", %.2f processors on the average",
                   (double)cpu / (double)longest);
        return;
    }
    phrase_add(f, ". For most of the %s it did not run", phrase_seconds(f, longest));
    if (!sections_wall(session) && !sections_all_outside(session))
        phrase_add(f, ": collect -p wall shows what it waited for");
}

static void
add_cpu(struct session *session, struct findings *f)
{
    u64 user, system, longest;

    if (!account_of(session, &user, &system, &longest))
        return;
    phrase_begin(f, FINDING_TIME, session->nexperiments > 1 ? "processes" : "overview");
    phrase_add_time(f, user + system);
    phrase_add(f, " of CPU time");
    if (user + system) {
        phrase_add(f, ": ");
        phrase_add_share(f, (double)user, (double)(user + system));
        phrase_add(f, " user, ");
        phrase_add_share(f, (double)system, (double)(user + system));
        phrase_add(f, " system");
    }
    append_busy(f, session, user + system, longest);
    phrase_add(f, ".");
}

int
sections_time(struct session *session, struct findings *f)
{
    struct values total;
    int ret = 0;

    add_cpu(session, f);
    if (sections_wall(session)) {
        ret = view_total(session, &total);
        if (ret == 0)
            add_wall(f, &total);
    }
    return ret;
}

/*
 * Are there several processes? Assume that they mostly wait for each other, as those of
 * a shell script do; but not if they are ranks of MPI.
 */
static bool
is_tree(const struct session *session)
{
    return session->nexperiments > 1 && !sections_any(session, FILE_mpitrace);
}

/*
 * Choose the metric by which functions are sorted; false: no data. For several
 * processes it is not METRIC_total: a shell's wait for its child would come before what
 * the child does.
 */
static bool
choose_metric(const struct session *session, enum metric *metric)
{
    if (sections_wall(session) && !is_tree(session)) {
        *metric = METRIC_total;
        return true;
    }
    *metric = METRIC_totalcpu;
    if (sections_any(session, FILE_profile))
        return true;
    for (int m = METRIC_hwc0; m <= METRIC_hwc7; m++)
        if (metric_is_there((enum metric)m)) {
            *metric = (enum metric)m;
            return true;
        }
    return false;
}

static const char *
what_of(enum metric metric)
{
    return metric == METRIC_totalcpu ? "CPU time"
           : metric == METRIC_total  ? "time"
                                     : metrics[metric].title;
}

/* Say what threads did in most of a function's time, unless they ran in user mode. */
static void
append_state(struct findings *f, const struct values *values, int64_t all)
{
    for (u32 i = 0; i < ER_COUNT(states); i++)
        if (states[i].metric != METRIC_user &&
            values->v[states[i].metric] * 100 >= all * STATE_MAIN)
            phrase_add(f, ", %s", states[i].doing);
}

/* first: nothing has yet said of what the shares are. */
static void
add_top(struct session *session, struct findings *f, const struct row *row,
        enum metric metric, int64_t all, bool first)
{
    const char *name = phrase_argument(f, session, row->func);
    int64_t value = row->excl.v[metric];

    if (*function_name(session, row->func) == '<') /* no command takes it */
        phrase_begin(f, FINDING_FUNCTION, "functions");
    else
        phrase_begin(f, FINDING_FUNCTION, "%s %s",
                     phrase_is_own(session, row->func) ? "source" : "csingle", name);
    phrase_add_share(f, (double)value, (double)all);
    if (first)
        phrase_add(f, " of the %s", what_of(metric));
    phrase_add(f, ", ");
    phrase_add_value(f, metric, value);
    phrase_add(f, first ? ", is in " : " in ");
    phrase_add_function(f, session, row->func);
    if (metric == METRIC_total)
        append_state(f, &row->excl, value);
}

static bool
has_source(struct session *session, u32 function)
{
    struct function_info info;

    function_get(session, function, &info);
    return info.file;
}

/*
 * Does the function with its callees have much of the time, and do its callees have at
 * least half of that?
 */
static bool
is_on_path(const struct row *r, enum metric metric, int64_t all)
{
    int64_t incl = r->incl.v[metric];

    return r->func >= FUNC_PSEUDO_COUNT && incl * 100 >= all * PATH_LEAST &&
           incl * 100 <= all * PATH_MOST && r->excl.v[metric] * 2 <= incl;
}

/*
 * Of the functions for which is_on_path() is true, the one with the least inclusive
 * time, as that is the most specific one; NULL = none.
 */
static const struct row *
find_path(struct session *session, const struct rows *rows, enum metric metric)
{
    int64_t all = rows->total.incl.v[metric];
    const struct row *best = NULL;

    for (u32 i = 0; i < rows->count; i++) {
        const struct row *r = &rows->row[i];
        int64_t incl = r->incl.v[metric], least = best ? best->incl.v[metric] : 0;

        if (!is_on_path(r, metric, all))
            continue;
        if (!best || incl < least ||
            (incl == least && has_source(session, r->func) &&
             !has_source(session, best->func)))
            best = r;
    }
    return best;
}

static const struct row *
row_of(const struct rows *rows, u32 function)
{
    for (u32 i = 0; i < rows->count; i++)
        if (rows->row[i].func == function)
            return &rows->row[i];
    return NULL;
}

/*
 * Go from `row` to a callee, as long as there is one for which is_on_path() is true and
 * which has at least half of its caller's time. Returns the last function, with its
 * callers and callees in *around, for around_free(). NULL: no memory.
 */
static const struct row *
follow_path(struct arounds *all, const struct rows *rows, const struct order *order,
            const struct row *row, struct around *around)
{
    int64_t total = rows->total.incl.v[order->metric];

    for (u32 depth = 0; row; depth++) {
        const struct row *callee, *next;
        struct rows *callees = &around->callees;

        if (arounds_get(all, &row->func, 1, order, around) < 0)
            return NULL;
        callee = callees->count ? &callees->row[0] : NULL;
        next = callee ? row_of(rows, callee->func) : NULL;
        if (depth == PATH_DEPTH || !next || next == row ||
            !is_on_path(next, order->metric, total) ||
            callee->attr.v[order->metric] * 2 < row->incl.v[order->metric])
            break;
        around_free(around);
        row = next;
    }
    return row;
}

static void
append_path(struct session *session, struct findings *f, const struct row *row,
            const struct around *around, enum metric metric, int64_t all)
{
    const char *name = phrase_argument(f, session, row->func);
    int64_t incl = row->incl.v[metric];

    if (*function_name(session, row->func) == '<')
        phrase_begin(f, FINDING_FUNCTION, "functions");
    else
        phrase_begin(f, FINDING_FUNCTION, "csingle %s", name);
    phrase_add_share(f, (double)incl, (double)all);
    phrase_add(f, " of the %s, ", what_of(metric));
    phrase_add_value(f, metric, incl);
    phrase_add(f, ", is in ");
    phrase_add_function(f, session, row->func);
    phrase_add(f, " and what it calls");
    /*
     * Name the caller, unless it is not in the program's own code, as the callers of
     * main() or of a thread's start function.
     */
    if (around->callers.count && phrase_is_own(session, around->callers.row[0].func)) {
        const struct row *caller = &around->callers.row[0];

        phrase_add(f, "; ");
        phrase_add_name(f, FIND_BY, function_name(session, caller->func));
        phrase_add(f, " calls it for ");
        phrase_add_share(f, (double)caller->attr.v[metric], (double)incl);
        phrase_add(f, " of that");
    }
    phrase_add(f, ".");
}

/* Tell the path, unless it ends at what stands for a whole runtime. */
static int
add_path(struct session *session, struct findings *f, const struct rows *rows,
         enum metric metric)
{
    struct order order = { .by = ORDER_METRIC,
                           .metric = metric,
                           .flavour = FLAVOUR_ATTRIBUTED };
    const struct row *row = find_path(session, rows, metric);
    struct arounds *all;
    struct around around;
    int ret;

    if (!row)
        return 0;
    ret = arounds_open(session, &all);
    if (ret < 0)
        return ret;
    row = follow_path(all, rows, &order, row, &around);
    if (row) {
        if (!function_is_hidden(session, row->func))
            append_path(session, f, row, &around, metric, rows->total.incl.v[metric]);
        around_free(&around);
    } else {
        ret = -ENOMEM;
    }
    arounds_close(all);
    return ret;
}

int
sections_functions(struct session *session, struct findings *f)
{
    struct order order = { .by = ORDER_METRIC, .flavour = FLAVOUR_EXCLUSIVE };
    struct rows rows;
    int64_t all;
    u32 told = 0, before = f->count;
    int ret;

    if (!choose_metric(session, &order.metric))
        return 0;
    ret = view_functions(session, &order, &rows);
    if (ret < 0)
        return ret;
    all = rows.total.incl.v[order.metric];
    if (all > 0)
        ret = add_path(session, f, &rows, order.metric);
    for (u32 i = 0; i < rows.count && told < TOPS && all > 0 && ret == 0; i++) {
        if (rows.row[i].excl.v[order.metric] * 100 < all * TOP_LEAST)
            break;
        if (rows.row[i].func == FUNC_COLLECTOR) /* reported by sections_cost() */
            continue;
        add_top(session, f, &rows.row[i], order.metric, all, f->count == before);
        told++;
    }
    rows_free(&rows);
    return ret;
}

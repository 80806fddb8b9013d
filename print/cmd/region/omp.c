/* SPDX-License-Identifier: Apache-2.0 */
#include <strings.h>

#include "print/cmd/stackcell.h"
#include "print/model/omp/omp.h"
#include "print/model/views/ompinside.h"
#include "share/omp.h"

/* Columns of one time each. */
static const struct {
    const char *key, *title;
    enum omp_value value;
} times[] = {
    { "elapsed", "Elapsed", OMP_ELAPSED },
    { "work", "Work", OMP_WORK },
    { "wait_end", "Wait at\nthe end", OMP_WAIT_END },
    { "wait_barrier", "Wait at\nbarriers", OMP_WAIT_BARRIER },
    { "wait_critical", "Wait,\ncritical", OMP_WAIT_CRITICAL },
    { "wait_ordered", "Wait,\nordered", OMP_WAIT_ORDERED },
    { "wait_task", "Wait,\ntasks", OMP_WAIT_TASK },
    { "ovhd", "Over-\nhead", OMP_OVHD },
    { "imbalance", "Imba-\nlance", OMP_LOST },
    { "save", "Balance\nsaves", OMP_SAVE },
    { "serial", "Serial\nbefore", OMP_SERIAL },
};

enum { TIMES = ER_COUNT(times) };

struct regions {
    struct table *t;
    u32 count, threads, time[TIMES];
    bool wall; /* there are columns `spinning` and `asleep` */
    u32 spinning, asleep;
};

static void
fill(const struct regions *r, const u64 *v)
{
    table_row(r->t, 0);
    table_number(r->t, r->count, v[OMP_COUNT]);
    if (v[OMP_COUNT])
        table_real(r->t, r->threads, (double)v[OMP_THREADS] / (double)v[OMP_COUNT]);
    for (u32 i = 0; i < TIMES; i++)
        table_number(r->t, r->time[i], v[times[i].value]);
    if (!r->wall)
        return;
    table_number(r->t, r->spinning, omp_waits(v) - v[OMP_ASLEEP]);
    table_number(r->t, r->asleep, v[OMP_ASLEEP]);
}

static struct table *
show_regions(struct shell *sh, const char *command, const struct omp *omp)
{
    struct regions r = { .t = table_new(command, LAYOUT_COLUMNS), .wall = omp->wall };
    struct table *t = r.t;
    u32 place, shown;

    table_title(t, "Parallel regions, by elapsed time");
    r.count = table_column(t, "count", "Count", "", COL_COUNT, 0);
    r.threads = table_column(t, "threads", "Threads", "", COL_REAL, 0);
    for (u32 i = 0; i < TIMES; i++)
        r.time[i] = table_column(t, times[i].key, times[i].title, "sec.", COL_NS, 0);
    if (r.wall) {
        r.spinning = table_column(t, "spinning", "Waits:\nspinning", "sec.", COL_NS, 0);
        r.asleep = table_column(t, "asleep", "Waits:\nasleep", "sec.", COL_NS, 0);
    }
    place = table_column(t, "place", "Begun at", "", COL_TEXT, 0);
    shown = shell_limit(sh, t, omp->regions);
    fill(&r, omp->total);
    table_text(t, place, "<Total>");
    for (u32 i = 0; i < shown; i++) {
        fill(&r, omp->region[i].v);
        table_text(t, place, stackcell_place(sh, t, omp->region[i].node));
    }
    return t;
}

static struct table *
show_tasks(struct shell *sh, const char *command, const struct omp *omp)
{
    struct table *t = table_new(command, LAYOUT_COLUMNS);
    u32 executed, calls, work, grain, longest, creating, share, place, shown;

    table_title(t, "Tasks, by work");
    executed = table_column(t, "tasks", "Tasks", "", COL_COUNT, 0);
    work = table_column(t, "work", "Work", "sec.", COL_NS, 0);
    grain = table_column(t, "grain", "Average", "us", COL_REAL, 0);
    longest = table_column(t, "longest", "Longest", "us", COL_REAL, 0);
    calls = table_column(t, "calls", "Creating\ncalls", "", COL_COUNT, 0);
    creating = table_column(t, "creating", "Creating", "sec.", COL_NS, 0);
    share = table_column(t, "creating_share", "of work", "%", COL_PERCENT, COL_JOINED);
    place = table_column(t, "place", "Created at", "", COL_TEXT, 0);
    shown = shell_limit(sh, t, omp->tasks);
    for (u32 i = 0; i < shown; i++) {
        const u64 *v = omp->task[i].v;

        table_row(t, 0);
        table_number(t, executed, v[OMP_TASK_EXECUTED]);
        table_number(t, work, v[OMP_TASK_WORK]);
        if (v[OMP_TASK_EXECUTED])
            table_real(t, grain,
                       (double)v[OMP_TASK_WORK] / 1e3 / (double)v[OMP_TASK_EXECUTED]);
        table_real(t, longest, (double)v[OMP_TASK_LONGEST] / 1e3);
        table_number(t, calls, v[OMP_TASK_CREATED]);
        table_number(t, creating, v[OMP_TASK_CREATING]);
        if (v[OMP_TASK_WORK])
            table_real(t, share, 100 * (double)v[OMP_TASK_CREATING] /
                                     (double)v[OMP_TASK_WORK]);
        table_text(t, place, stackcell_place(sh, t, omp->task[i].node));
    }
    return t;
}

static const char *const schedules[OMP_SCHEDULES] = {
    [OMP_STATIC] = "static",
    [OMP_DYNAMIC] = "dynamic",
    [OMP_GUIDED] = "guided",
    [OMP_RUNTIME] = "runtime",
    [OMP_AUTO] = "auto",
    [OMP_SECTIONS] = "sections",
    [OMP_BARRIER] = "<barrier>",
};

/* Columns of one value each. */
static const struct {
    const char *key, *title, *unit;
    enum omp_loop_value value;
    enum column_type kind;
} of_loops[] = {
    { "count", "Count", "", OMP_LOOP_COUNT, COL_COUNT },
    { "iterations", "Iterations", "", OMP_LOOP_ITERATIONS, COL_COUNT },
    { "chunks", "Chunks", "", OMP_LOOP_CHUNKS, COL_COUNT },
    { "elapsed", "Elapsed", "sec.", OMP_LOOP_ELAPSED, COL_NS },
    { "work", "Work", "sec.", OMP_LOOP_WORK, COL_NS },
    { "wait", "Wait\nbehind it", "sec.", OMP_LOOP_WAIT, COL_NS },
    { "imbalance", "Imba-\nlance", "sec.", OMP_LOOP_LOST, COL_NS },
    { "save", "Balance\nsaves", "sec.", OMP_LOOP_SAVE, COL_NS },
};

static struct table *
show_loops(struct shell *sh, const char *command, const struct omp *omp)
{
    struct table *t = table_new(command, LAYOUT_COLUMNS);
    u32 column[ER_COUNT(of_loops)], threads, schedule, place, shown;

    table_title(t, "Worksharing loops, by elapsed time");
    for (u32 i = 0; i < ER_COUNT(of_loops); i++)
        column[i] = table_column(t, of_loops[i].key, of_loops[i].title,
                                 of_loops[i].unit, of_loops[i].kind, 0);
    threads = table_column(t, "threads", "Threads", "", COL_REAL, 0);
    schedule = table_column(t, "schedule", "Schedule", "", COL_TEXT, 0);
    place = table_column(t, "place", "Loop", "", COL_TEXT, 0);
    if (!omp->loops)
        shell_note(sh, "no loop was shared out by a call: GCC needs none for static "
                   "ones; what is all of its region is in omp");
    shown = shell_limit(sh, t, omp->loops);
    for (u32 i = 0; i < shown; i++) {
        const struct omp_place *loop = &omp->loop[i];

        table_row(t, 0);
        for (u32 k = 0; k < ER_COUNT(of_loops); k++)
            if (loop->schedule != OMP_BARRIER ||
                (of_loops[k].value != OMP_LOOP_ITERATIONS &&
                 of_loops[k].value != OMP_LOOP_CHUNKS))
                table_number(t, column[k], loop->v[of_loops[k].value]);
        if (loop->v[OMP_LOOP_COUNT])
            table_real(t, threads, (double)loop->v[OMP_LOOP_PARTS] /
                                       (double)loop->v[OMP_LOOP_COUNT]);
        table_text(t, schedule,
                   loop->schedule < OMP_SCHEDULES && schedules[loop->schedule]
                       ? schedules[loop->schedule]
                       : "");
        table_text(t, place, stackcell_place(sh, t, loop->node));
    }
    return t;
}

static const struct {
    const char *name;
    struct table *(*show)(struct shell *sh, const char *command, const struct omp *omp);
} views[] = {
    { "regions", show_regions },
    { "loops", show_loops },
    { "tasks", show_tasks },
};

/*
 * Did the collector record no OpenMP in some process, as its program has an OpenMP tool
 * of its own?
 */
static bool
has_tool(const struct session *session)
{
    for (u32 i = 0; i < session->nexperiments; i++)
        if (log_find_event(&session->experiment[i]->log, "omp_tool"))
            return true;
    return false;
}

static void
fail_none(struct shell *sh)
{
    const char *inside = NULL;

    (void)ompinside_find(sh->session, &inside);
    if (has_tool(sh->session))
        shell_fail(sh, "the program has a tool for OpenMP of its own, beside which its "
                   "parallel regions are not recorded (header says which)");
    else if (inside)
        shell_fail(sh, "the OpenMP runtime is linked into %s, where its parallel "
                   "regions cannot be recorded: link it as a shared library", inside);
    else
        shell_fail(sh, "no experiment has parallel regions of OpenMP");
}

static struct table *
show(struct shell *sh, const char *command, u32 view)
{
    struct table *t = NULL;
    struct omp omp;
    int err = omp_get(sh->session, &omp);

    if (err) {
        shell_fail_errno(sh, err, "OpenMP cannot be shown");
        return NULL;
    }
    if (!omp.recorded)
        fail_none(sh);
    else
        t = views[view].show(sh, command, &omp);
    omp_free(&omp);
    return t;
}

int
cmd_omp(struct shell *sh, int argc, char **argv)
{
    struct table *t;
    u32 view = 0;

    while (argc > 1 && view < ER_COUNT(views) && strcasecmp(argv[1], views[view].name))
        view++;
    if (view == ER_COUNT(views))
        return shell_fail(sh, "\"%s\" is none of regions, loops, tasks", argv[1]);
    t = show(sh, argv[0], view);
    return t ? shell_show(sh, t) : 1;
}

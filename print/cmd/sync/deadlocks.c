/* SPDX-License-Identifier: Apache-2.0 */
/* Cycles in the order of locks: deadlocks, dsummary, ddetail. */
#include "print/cmd/stackcell.h"
#include "print/cmd/sync/deadcols.h"
#include "print/model/sync/locks.h"

/* "a -> b -> a" */
static const char *
circle(struct shell *sh, struct table *t, const struct deadlocks *all,
       const struct deadlock *d)
{
    const char *text = "";

    for (u32 i = 0; i < d->steps; i++)
        text = arena_printf(&t->arena, "%s%s -> ", text,
                            deadcols_held(sh, t, d->experiment,
                                          &all->step[d->step + i]));
    return arena_printf(&t->arena, "%s%s", text,
                        deadcols_held(sh, t, d->experiment, &all->step[d->step]));
}

static u32
count_threads(const struct deadlocks *all, const struct deadlock *d)
{
    u32 threads = 0;

    for (u32 i = 0; i < d->steps; i++) {
        bool seen = false;

        for (u32 k = 0; k < i; k++)
            seen |= all->step[d->step + k].thread == all->step[d->step + i].thread;
        threads += !seen;
    }
    return threads;
}

int
cmd_deadlocks(struct shell *sh, int argc, char **argv)
{
    struct deadlocks all;
    u32 number, verdict, locks, threads, objects, experiment, from, to, possible = 0;
    struct table *t;

    (void)argc;
    if (deadcols_get(sh, 1, argv, &all, &from, &to))
        return 1;
    t = table_new(argv[0], LAYOUT_COLUMNS);
    table_title(t, "Cycles in the order of locks");
    number = table_column(t, "number", "No.", "", COL_COUNT, 0);
    locks = table_column(t, "locks", "Locks", "", COL_COUNT, 0);
    threads = table_column(t, "threads", "Threads", "", COL_COUNT, 0);
    verdict = table_column(t, "verdict", "Deadlock", "", COL_TEXT, 0);
    experiment =
        table_column(t, "experiment", "Experiment", "", COL_TEXT, COL_DATA_ONLY);
    objects = table_column(t, "objects", "Held, and asked for next", "", COL_TEXT, 0);
    for (u32 i = 0; i < to; i++)
        possible += all.deadlock[i].verdict == DEADLOCK_POSSIBLE;
    table_fact(t, "cycles", "Cycles", arena_printf(&t->arena, "%u", to));
    table_fact(t, "possible", "Possible deadlocks",
               arena_printf(&t->arena, "%u", possible));
    to = shell_limit(sh, t, to);
    for (u32 i = from; i < to; i++) {
        const struct deadlock *d = &all.deadlock[i];

        table_row(t, 0);
        table_number(t, number, i + 1);
        table_number(t, locks, d->steps);
        table_number(t, threads, count_threads(&all, d));
        table_text(t, verdict, deadcols_verdict(sh, t, d));
        table_text(t, experiment, sh->session->experiment[d->experiment]->path);
        table_text(t, objects, circle(sh, t, &all, d));
    }
    deadlocks_free(&all);
    return shell_show(sh, t);
}

int
cmd_dsummary(struct shell *sh, int argc, char **argv)
{
    struct deadlocks all;
    u32 number, thread, held, taken, asked, place, from, to;
    struct table *t;

    if (deadcols_get(sh, argc, argv, &all, &from, &to))
        return 1;
    t = table_new(argv[0], LAYOUT_COLUMNS);
    table_title(t, "Steps of the cycles in the order of locks");
    number = table_column(t, "number", "No.", "", COL_COUNT, 0);
    thread = table_column(t, "thread", "Thread", "", COL_TEXT, 0);
    held = table_column(t, "held", "Holds", "", COL_TEXT, 0);
    taken = table_column(t, "taken", "Taken at", "", COL_TEXT, 0);
    asked = table_column(t, "asked", "Asks for", "", COL_TEXT, 0);
    place = table_column(t, "place", "At", "", COL_TEXT, 0);
    if (argc < 2)
        to = shell_limit(sh, t, to);
    for (u32 i = from; i < to; i++)
        for (u32 k = 0; k < all.deadlock[i].steps; k++) {
            const struct deadlock *d = &all.deadlock[i];
            const struct deadlock_step *step = &all.step[d->step + k];

            table_row(t, k || i == from ? 0 : ROW_GAP);
            table_number(t, number, i + 1);
            table_text(t, thread, deadcols_thread(sh, t, d->experiment, step));
            table_text(t, held, deadcols_held(sh, t, d->experiment, step));
            table_text(t, taken, stackcell_place(sh, t, step->held_node));
            table_text(t, asked, deadcols_requested(sh, t, d->experiment, step));
            table_text(t, place, stackcell_place(sh, t, step->node));
        }
    deadlocks_free(&all);
    return shell_show(sh, t);
}

struct view {
    struct shell *sh;
    struct table *t;
    u32 heading, verdict, experiment, thread, since, others;
    u32 held, held_kind, held_stack, asked, kind, stack;
};

static void
add_columns(struct view *v, const char *command)
{
    struct table *t = v->t = table_new(command, LAYOUT_BLOCKS);

    table_title(t, "Cycles in the order of locks, with their stacks");
    v->heading = table_column(t, "heading", "Step", "", COL_TEXT, 0);
    v->verdict = table_column(t, "verdict", "Deadlock", "", COL_TEXT, 0);
    v->experiment = table_column(t, "experiment", "Experiment", "", COL_TEXT, 0);
    v->thread = table_column(t, "thread", "Thread", "", COL_TEXT, 0);
    v->since = table_column(t, "since", "First seen", "sec.", COL_NS, 0);
    v->others = table_column(t, "others", "Also seen", "", COL_COUNT, COL_DATA_ONLY);
    v->held = table_column(t, "held", "Holds", "", COL_TEXT, 0);
    v->held_kind = table_column(t, "held_kind", "Which is a", "", COL_TEXT, 0);
    v->held_stack = table_column(t, "held_stack", "Taken", "", COL_LIST, 0);
    v->asked = table_column(t, "asked", "Asks for", "", COL_TEXT, 0);
    v->kind = table_column(t, "kind", "Which is a", "", COL_TEXT, 0);
    v->stack = table_column(t, "stack", "Asked", "", COL_LIST, 0);
}

static int
add_step(const struct view *v, const struct deadlock *d, u32 number,
         const struct deadlock_step *step, u32 k)
{
    struct table *t = v->t;

    table_row(t, 0);
    table_format(t, v->heading, "Cycle %u, step %u of %u", number, k + 1, d->steps);
    table_text(t, v->verdict, deadcols_verdict(v->sh, t, d));
    table_text(t, v->experiment, v->sh->session->experiment[d->experiment]->path);
    table_text(t, v->thread, deadcols_thread(v->sh, t, d->experiment, step));
    table_number(t, v->since, step->since);
    table_number(t, v->others, step->others);
    table_text(t, v->held, deadcols_held(v->sh, t, d->experiment, step));
    table_text(t, v->held_kind, lock_kind_name(step->held_kind));
    table_text(t, v->asked, deadcols_requested(v->sh, t, d->experiment, step));
    table_text(t, v->kind, lock_kind_name(step->kind));
    return stackcell_fill(v->sh, t, v->held_stack, step->held_node) ||
           stackcell_fill(v->sh, t, v->stack, step->node);
}

int
cmd_ddetail(struct shell *sh, int argc, char **argv)
{
    struct view v = { .sh = sh };
    struct deadlocks all;
    u32 from, to;
    int err = 0;

    if (deadcols_get(sh, argc, argv, &all, &from, &to))
        return 1;
    add_columns(&v, argv[0]);
    if (argc < 2)
        to = shell_limit(sh, v.t, to);
    for (u32 i = from; i < to && !err; i++)
        for (u32 k = 0; k < all.deadlock[i].steps && !err; k++)
            err = add_step(&v, &all.deadlock[i], i + 1,
                           &all.step[all.deadlock[i].step + k], k);
    deadlocks_free(&all);
    if (!err)
        return shell_show(sh, v.t);
    table_free(v.t);
    return shell_fail(sh, "no memory is left");
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/sync/deadcols.h"

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

/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/sync/deadcols.h"
#include "print/cmd/stackcell.h"

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
            table_text(t, asked, deadcols_asked(sh, t, d->experiment, step));
            table_text(t, place, stackcell_place(sh, t, step->node));
        }
    deadlocks_free(&all);
    return shell_show(sh, t);
}

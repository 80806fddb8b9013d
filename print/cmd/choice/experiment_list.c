/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/list.h"

int
cmd_experiment_list(struct shell *sh, int argc, char **argv)
{
    static const char *const states[] = {
        [EXPERIMENT_COMPLETE] = "complete",
        [EXPERIMENT_LIVE] = "live",
        [EXPERIMENT_KILLED] = "killed",
        [EXPERIMENT_ALONE] = "ended",
    };
    struct table *t = table_new(argv[0], LAYOUT_COLUMNS);
    u32 id = table_column(t, "id", "Id", "", COL_COUNT, 0);
    u32 pid = table_column(t, "pid", "PID", "", COL_COUNT, 0);
    u32 state = table_column(t, "state", "State", "", COL_TEXT, 0);
    u32 duration = table_column(t, "duration", "Duration", "sec.", COL_NS, 0);
    u32 cpu = table_column(t, "cpu", "CPU time", "sec.", COL_NS, 0);
    u32 path = table_column(t, "experiment", "Experiment", "", COL_TEXT, 0);
    u32 target = table_column(t, "target", "Target", "", COL_TEXT, 0), shown;

    (void)argc;
    shown = shell_limit(sh, t, sh->session->nexperiments);
    for (u32 i = 0; i < shown; i++) {
        const struct experiment *e = sh->session->experiment[i];

        table_row(t, 0);
        table_number(t, id, i + 1);
        if (e->pid)
            table_number(t, pid, e->pid);
        table_text(t, state, states[e->state]);
        if (e->end_mono > e->start_mono)
            table_number(t, duration, e->end_mono - e->start_mono);
        if (e->has_account)
            table_number(t, cpu, e->user + e->system);
        table_text(t, path, e->path);
        if (e->log.nargs)
            table_text(t, target, list_base_name(e->log.arg[0]));
    }
    return shell_show(sh, t);
}

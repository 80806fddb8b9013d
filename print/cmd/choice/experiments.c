/* SPDX-License-Identifier: Apache-2.0 */
/* The commands that list and choose experiments, and list their labels. */
#include <errno.h>
#include <strings.h>

#include "print/cmd/list.h"
#include "print/cmd/shell.h"
#include "print/model/session/sessions.h"

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

int
cmd_label_list(struct shell *sh, int argc, char **argv)
{
    struct table *t = table_new(argv[0], LAYOUT_COLUMNS);
    u32 id = table_column(t, "experiment", "Experiment", "", COL_COUNT, 0);
    u32 name = table_column(t, "name", "Label", "", COL_TEXT, 0);
    u32 start = table_column(t, "start", "From", "sec.", COL_NS, 0);
    u32 stop = table_column(t, "stop", "To", "sec.", COL_NS, 0);
    u32 doc = table_column(t, "doc", "What it is", "", COL_TEXT, 0);

    (void)argc;
    table_title(t, "Labels");
    for (u32 e = 0; e < sh->session->nexperiments; e++) {
        struct experiment *exp = sh->session->experiment[e];
        const struct labels *l = experiment_labels(exp, false);

        for (u32 i = 0; i < l->count && exp->is_founder; i++) {
            if (sh->limit && t->nrows >= sh->limit) {
                t->nleft_out++;
                continue;
            }
            table_row(t, 0);
            table_number(t, id, e + 1);
            table_text(t, name, l->row[i].name);
            table_number(t, start, l->row[i].start);
            if (l->row[i].stop != UINT64_MAX)
                table_number(t, stop, l->row[i].stop);
            table_text(t, doc, l->row[i].doc);
        }
    }
    return shell_show(sh, t);
}

/*
 * The new experiment is opened before the old ones are dropped, so that a wrong name
 * changes nothing.
 */
int
cmd_open_exp(struct shell *sh, int argc, char **argv)
{
    u32 old = sh->session->nexperiments;

    (void)argc;
    if (shell_add(sh, argv[1]))
        return 1;
    while (old--)
        shell_forget(sh, 0);
    return 0;
}

int
cmd_en_desc(struct shell *sh, int argc, char **argv)
{
    const char *text = argv[1], *names = NULL;
    char why[200];
    int err;

    (void)argc;
    if (*text == '=')
        names = text + 1;
    else if (!strcasecmp(text, "off"))
        names = "";
    else if (strcasecmp(text, "on"))
        return shell_fail(sh, "\"%s\" is none of on, off, =REGEX", text);
    err = sessions_descendants(sh->session, names, why, sizeof(why));
    if (err == -EINVAL)
        return shell_fail(sh, "this is no regular expression: %s", why);
    return err ? shell_fail_errno(sh, err, text) : 0;
}

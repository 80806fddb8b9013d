/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/sync/lockwaits.h"

#include "print/cmd/list.h"
#include "print/cmd/stackcell.h"
#include "print/cmd/title.h"
#include "print/model/sync/locks.h"
#include "print/model/sync/lockwaits.h"

enum {
    SHOWN = 100,    /* waits that are shown if no limit is set */
    MOST = 1 << 22, /* waits that are shown at most, whatever the limit */
};

struct view {
    struct shell *sh;
    struct table *t;
    u32 name, wait, from, thread, holder, kind, experiment, stack, taken;
};

static void
add_columns(struct view *v)
{
    struct table *t = v->t;

    v->name = table_column(t, "name", "Object", "", COL_TEXT, 0);
    v->wait = table_column(t, "wait", "Wait", "sec.", COL_NS, 0);
    v->from = table_column(t, "from", "From", "sec.", COL_NS, 0);
    v->thread = table_column(t, "thread", "Thread", "", COL_COUNT, 0);
    v->holder = table_column(t, "holder", "Waited for thread", "", COL_COUNT, 0);
    v->kind = table_column(t, "kind", "Kind", "", COL_TEXT, 0);
    v->experiment = table_column(t, "experiment", "Experiment", "", COL_TEXT, 0);
    v->stack = table_column(t, "stack", "Waited", "", COL_LIST, 0);
    v->taken = table_column(t, "taken", "Taken", "", COL_LIST, 0);
}

static int
add_wait(const struct view *v, const struct lock_wait *w)
{
    struct table *t = v->t;

    table_row(t, 0);
    table_text(t, v->name, title_lock(v->sh, t, w->experiment, w->kind, w->addr));
    table_number(t, v->wait, w->time);
    table_number(t, v->from, w->end > w->time ? w->end - w->time : 0);
    if (w->thread)
        table_number(t, v->thread, w->thread);
    if (w->holder)
        table_number(t, v->holder, w->holder);
    table_text(t, v->kind, lock_kind_name(w->kind));
    table_text(t, v->experiment, v->sh->session->experiment[w->experiment]->path);
    return stackcell_fill(v->sh, t, v->stack, w->node) ||
           (w->holder_node && stackcell_fill(v->sh, t, v->taken, w->holder_node));
}

int
lockwaits_show(struct shell *sh, const char *command)
{
    u32 most = sh->limit ? (u32)(sh->limit < MOST ? sh->limit : MOST) : SHOWN;
    struct view v = { .sh = sh };
    struct lock_waits waits;
    int err = lockwaits_get(sh->session, most, &waits);

    if (err)
        return shell_fail_errno(sh, err, "the waits cannot be shown");
    if (!waits.recorded) {
        lockwaits_free(&waits);
        return shell_fail(sh, "no experiment has data of synchronization (collect -s "
                              "on records it)");
    }
    v.t = table_new(command, LAYOUT_BLOCKS);
    table_title(v.t, "The longest waits, and the stack of the holder");
    add_columns(&v);
    for (u32 i = 0; i < waits.count && !err; i++)
        err = add_wait(&v, &waits.wait[i]);
    v.t->nleft_out = waits.all - waits.count;
    lockwaits_free(&waits);
    if (!err)
        return shell_show(sh, v.t);
    table_free(v.t);
    return shell_fail(sh, "no memory is left");
}

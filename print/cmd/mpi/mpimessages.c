/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/mpi/mpimessages.h"

#include "print/cmd/list.h"
#include "print/cmd/mpicols.h"
#include "print/cmd/stackcell.h"
#include "print/model/mpi/mpimessages.h"

enum {
    SHOWN = 100,    /* messages that are shown if no limit is set */
    MOST = 1 << 22, /* messages that are shown at most, whatever the limit */
};

struct view {
    struct shell *sh;
    struct table *t;
    const struct mpi_messages *m;
    u32 wait, world, from, to_world, to, sent, asked, came, place, send_place;
    u32 from_experiment, to_experiment, from_start, to_start;
};

static bool
joins(const struct mpi_messages *m)
{
    const struct rank *rank = m->ranks.rank;

    for (u32 i = 0; i < m->count; i++)
        if (rank[m->flight[i].from].world != rank[m->flight[i].to].world)
            return true;
    return false;
}

static void
add_columns(struct view *v)
{
    struct table *t = v->t;

    v->wait = table_column(t, "wait", "Wait", "sec.", COL_NS, 0);
    v->world = mpicols_world(t, &v->m->ranks);
    v->from = table_column(t, "from", "From", "", COL_COUNT, 0);
    v->to_world = mpicols_other_world(t, "to_world", "To\nworld", joins(v->m));
    v->to = table_column(t, "to", "To", "", COL_COUNT, 0);
    v->sent = table_column(t, "sent", "Send\nbegan", "sec.", COL_NS, 0);
    v->asked = table_column(t, "asked", "Receive\nbegan", "sec.", COL_NS, 0);
    v->came = table_column(t, "came", "Ended", "sec.", COL_NS, 0);
    v->send_place = table_column(t, "send_place", "Sent at", "", COL_TEXT, 0);
    v->place = table_column(t, "place", "Received at", "", COL_TEXT, 0);
    v->from_experiment =
        table_column(t, "from_experiment", "Sender", "", COL_TEXT, COL_DATA_ONLY);
    v->to_experiment =
        table_column(t, "to_experiment", "Receiver", "", COL_TEXT, COL_DATA_ONLY);
    v->from_start = table_column(t, "from_start", "Sender\nstarted", "sec.", COL_NS,
                                 COL_DATA_ONLY);
    v->to_start = table_column(t, "to_start", "Receiver\nstarted", "sec.", COL_NS,
                               COL_DATA_ONLY);
}

static void
put_time(const struct view *v, u32 column, int64_t ns)
{
    table_number(v->t, column, ns > 0 ? (u64)ns : 0);
}

static void
add_message(const struct view *v, const struct mpi_flight *f)
{
    const struct rank *from = &v->m->ranks.rank[f->from];
    const struct rank *to = &v->m->ranks.rank[f->to];
    struct experiment *const *e = v->sh->session->experiment;
    struct table *t = v->t;

    table_row(t, 0);
    table_number(t, v->wait, f->wait);
    mpicols_fill_world(v->sh, t, v->world, &v->m->ranks, from->world);
    table_number(t, v->from, from->rank);
    mpicols_fill_world(v->sh, t, v->to_world, &v->m->ranks, to->world);
    table_number(t, v->to, to->rank);
    put_time(v, v->sent, f->sent);
    put_time(v, v->asked, f->asked);
    put_time(v, v->came, f->came);
    put_time(v, v->from_start, f->sender);
    put_time(v, v->to_start, f->receiver);
    table_text(t, v->send_place, stackcell_place(v->sh, t, f->send_node));
    table_text(t, v->place, stackcell_place(v->sh, t, f->node));
    table_text(t, v->from_experiment, e[from->experiment]->path);
    table_text(t, v->to_experiment, e[to->experiment]->path);
}

int
mpimessages_show(struct shell *sh, const char *command)
{
    u32 most = sh->limit ? (u32)(sh->limit < MOST ? sh->limit : MOST) : SHOWN;
    struct mpi_messages messages;
    struct view v = { .sh = sh, .m = &messages };
    int err = mpimessages_get(sh->session, most, &messages);

    if (err)
        return shell_fail_errno(sh, err, "the messages cannot be shown");
    if (!messages.recorded) {
        mpimessages_free(&messages);
        return mpicols_none(sh);
    }
    v.t = table_new(command, LAYOUT_COLUMNS);
    table_title(v.t, "Messages, those first that were waited for longest; times are "
                     "since the first rank began");
    mpicols_clocks(v.t, &messages.ranks, &messages.clocks);
    add_columns(&v);
    for (u32 i = 0; i < messages.count; i++)
        add_message(&v, &messages.flight[i]);
    v.t->nleft_out = messages.all - messages.count;
    mpimessages_free(&messages);
    return shell_show(sh, v.t);
}

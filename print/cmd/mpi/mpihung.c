/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/mpi/mpihung.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print/cmd/mpicols.h"
#include "print/cmd/stackcell.h"
#include "print/cmd/title.h"
#include "print/model/lookup/comms.h"
#include "print/model/mpi/mpihang.h"

enum {
    NAMED = 16, /* ranks that a line names */
};

/* A list of ranks as text; the table owns it in the end. */
struct ranks_text {
    char *text;
    size_t length;
    FILE *file;
    u32 count;
};

/* Add a rank: its number; world:rank if there are several worlds. */
static void
add_rank(struct ranks_text *r, const struct mpi_hang *hang, u32 index)
{
    const struct rank *rank = &hang->ranks.rank[index];

    if (!r->file)
        r->file = open_memstream(&r->text, &r->length);
    if (r->file && r->count < NAMED) {
        fputs(r->count ? ", " : "", r->file);
        if (hang->ranks.worlds > 1)
            fprintf(r->file, "%u:", rank->world + 1);
        fprintf(r->file, "%u", rank->rank);
    } else if (r->file && r->count == NAMED) {
        fputs(", ...", r->file);
    }
    r->count++;
}

static const char *
finish_ranks(struct ranks_text *r, struct table *t)
{
    const char *text = "";

    if (r->file && !fclose(r->file))
        text = arena_printf(&t->arena, "%s", r->text);
    free(r->text);
    *r = (struct ranks_text){ NULL, 0, NULL, 0 };
    return text;
}

/* List the ranks that `who` waits for. */
static const char *
waits_of(const struct mpi_hang *hang, struct table *t, u32 who)
{
    struct ranks_text r = { NULL, 0, NULL, 0 };

    for (u32 i = 0; i < hang->waits; i++)
        if (hang->wait[i].who == who)
            add_rank(&r, hang, hang->wait[i].whom);
    return finish_ranks(&r, t);
}

static void
add_cycle(struct table *t, const struct mpi_hang *hang)
{
    struct ranks_text r = { NULL, 0, NULL, 0 };

    if (!hang->cycles)
        return;
    for (u32 i = 0; i < hang->cycles; i++)
        add_rank(&r, hang, hang->cycle[i]);
    if (hang->cycles <= NAMED)
        add_rank(&r, hang, hang->cycle[0]);
    table_fact(t, "cycle", "Deadlock: each of these ranks waits for the next",
               finish_ranks(&r, t));
}

/* Name the ranks for which others wait, although they are in no call of MPI. */
static void
add_absent(struct table *t, const struct mpi_hang *hang)
{
    struct ranks_text r = { NULL, 0, NULL, 0 };

    for (u32 i = 0; i < hang->ranks.count; i++) {
        bool is_awaited = false;

        for (u32 k = 0; k < hang->waits && !is_awaited; k++)
            is_awaited = hang->wait[k].whom == i;
        if (is_awaited && !mpihang_is_in_call(hang, i))
            add_rank(&r, hang, i);
    }
    if (r.count)
        table_fact(t, "absent", "Ranks that others wait for, in no MPI call themselves",
                   finish_ranks(&r, t));
}

static const char *
end_text(struct table *t, const struct experiment *e)
{
    const struct log_event_row *abort = log_last_event(&e->log, "mpi_abort");
    const struct log_event_row *end = log_end(&e->log);
    const char *signal = end ? log_event_attr(end, "signal") : NULL;
    const char *how = end ? log_event_attr(end, "arg1") : NULL;

    if (abort)
        return "it called MPI_Abort";
    if (signal && strcmp(signal, "0") != 0)
        return arena_printf(&t->arena, "signal %s", signal);
    if (how && strcmp(how, "by itself") != 0)
        return arena_printf(&t->arena, "%s", how);
    return "it exited without MPI_Finalize";
}

static void
add_first(const struct shell *sh, struct table *t, const struct mpi_hang *hang)
{
    const struct rank *r;

    if (hang->first == RANK_NONE)
        return;
    r = &hang->ranks.rank[hang->first];
    table_fact(t, "first_end", "First rank to end before MPI_Finalize",
               arena_printf(&t->arena, "%u, after %.3f sec.: %s", r->rank,
                            (double)hang->first_end / 1e9,
                            end_text(t, sh->session->experiment[r->experiment])));
}

struct hung_columns {
    u32 heading, world, rank, call, age, to, from, tag, comm, waits, stack;
};

static void
add_columns(struct hung_columns *c, struct table *t, const struct mpi_hang *hang)
{
    c->heading = table_column(t, "heading", "Call", "", COL_TEXT, 0);
    c->world = mpicols_world(t, &hang->ranks);
    c->rank = table_column(t, "rank", "Rank", "", COL_COUNT, COL_DATA_ONLY);
    c->call = table_column(t, "function", "Function", "", COL_TEXT, COL_DATA_ONLY);
    c->age = table_column(t, "age", "For", "sec.", COL_NS, 0);
    c->to = table_column(t, "to", "To", "", COL_TEXT, 0);
    c->from = table_column(t, "from", "From", "", COL_TEXT, 0);
    c->tag = table_column(t, "tag", "Tag", "", COL_TEXT, 0);
    c->comm = table_column(t, "communicator", "Communicator", "", COL_TEXT, 0);
    c->waits = table_column(t, "waits_for", "Waits for ranks", "", COL_TEXT, 0);
    c->stack = table_column(t, "stack", "Stack", "", COL_LIST, 0);
}

static void
fill_number(struct table *t, u32 column, u32 value)
{
    if (value)
        table_format(t, column, "%u", value - 1);
}

/* Fill in a peer, which is encoded as in struct mpi_event. */
static void
fill_peer(struct table *t, u32 column, const struct mpi_hang *hang, u32 peer)
{
    const struct rank *rank;

    if (peer < MPI_PEER_OUTSIDE)
        fill_number(t, column, peer);
    if (peer <= MPI_PEER_OUTSIDE)
        return;
    rank = &hang->ranks.rank[peer - MPI_PEER_OUTSIDE - 1];
    table_format(t, column, "%u:%u", rank->world + 1, rank->rank);
}

static int
fill_comm(struct shell *sh, struct table *t, u32 column, const struct mpi_hang *hang,
          const struct mpi_open_call *call)
{
    const struct number_map *map;
    char name[TITLE_MAX];
    u32 number;

    if (comms_map(sh->session, hang->ranks.rank[call->rank].experiment, &map) < 0)
        return 1;
    number = number_of(map, call->comm);
    if (number)
        table_text(t, column, title_comm(sh->session, number, name));
    return 0;
}

static int
add_call(struct shell *sh, struct table *t, const struct hung_columns *c,
         const struct mpi_hang *hang, const struct mpi_open_call *call)
{
    u32 rank = hang->ranks.rank[call->rank].rank;
    char name[TITLE_MAX];
    const char *waits;

    title_mpi_call(call->call, name);
    table_row(t, 0);
    table_format(t, c->heading, "Rank %u in %s", rank, name);
    mpicols_fill_world(sh, t, c->world, &hang->ranks,
                       hang->ranks.rank[call->rank].world);
    table_number(t, c->rank, rank);
    table_text(t, c->call, name);
    table_number(t, c->age, call->age);
    fill_peer(t, c->to, hang, call->to);
    fill_peer(t, c->from, hang, call->from);
    fill_number(t, c->tag, call->tag);
    waits = waits_of(hang, t, call->rank);
    if (*waits)
        table_text(t, c->waits, waits);
    return fill_comm(sh, t, c->comm, hang, call) ||
           stackcell_fill(sh, t, c->stack, call->node);
}

static int
make_table(struct shell *sh, const char *command, const struct mpi_hang *hang,
           struct table **out)
{
    struct table *t = table_new(command, LAYOUT_BLOCKS);
    struct hung_columns c;
    int err = 0;
    u32 shown;

    table_title(t, "MPI calls that have not returned");
    add_first(sh, t, hang);
    add_cycle(t, hang);
    add_absent(t, hang);
    add_columns(&c, t, hang);
    shown = shell_limit(sh, t, hang->calls);
    for (u32 i = 0; i < shown && !err; i++)
        err = add_call(sh, t, &c, hang, &hang->call[i]);
    if (err) {
        table_free(t);
        return shell_fail(sh, "no memory is left");
    }
    *out = t;
    return 0;
}

int
mpihung_follow(struct shell *sh, const char *command, struct table **t)
{
    struct table *hung = NULL;
    struct mpi_hang hang;
    int err;

    if (!mpihang_may_be(sh->session))
        return 0;
    err = mpihang_get(sh->session, &hang);
    if (err)
        return shell_fail_errno(sh, err, "the calls that hang cannot be shown");
    if (hang.calls || hang.first != RANK_NONE) {
        err = make_table(sh, command, &hang, &hung);
        if (!err)
            table_follow(t, hung);
    }
    mpihang_free(&hang);
    return err;
}

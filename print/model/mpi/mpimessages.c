/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpimessages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/model/largest.h"
#include "print/model/mpi/mpialign.h"
#include "print/model/mpi/mpiwait.h"
#include "print/model/symbols/stacks.h"

static int
by_wait(const void *a, const void *b)
{
    const struct mpi_flight *x = a, *y = b;

    if (x->wait != y->wait)
        return x->wait < y->wait ? 1 : -1;
    if (x->came != y->came)
        return x->came < y->came ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->sent < y->sent ? -1 : x->sent > y->sent;
}

/* The message's times are on the common clock; its nodes are ids of the experiments. */
static void
on_message(void *context, const struct mpi_message *message)
{
    const struct mpi_side *send = &message->send, *receive = &message->receive;
    const struct mpi_span *span = receive->span;
    struct mpi_flight flight = {
        .from = send->rank,
        .to = receive->rank,
        .sent = send->begin,
        .asked = receive->begin,
        .node = receive->node,
        .send_node = send->node,
    };
    int64_t begin;

    if (!span || !span->passes)
        return;
    begin = span->begin > receive->begin ? span->begin : receive->begin;
    flight.came = span->end;
    if (send->begin > begin)
        flight.wait =
            (u64)((send->begin < span->end ? send->begin : span->end) - begin);
    largest_add(context, &flight);
}

static int
settle(struct session *session, const struct mpi_messages *m, struct mpi_flight *f)
{
    const struct rank *from = &m->ranks.rank[f->from], *to = &m->ranks.rank[f->to];
    u64 sender = session->experiment[from->experiment]->origin_mono;
    u64 receiver = session->experiment[to->experiment]->origin_mono;
    int64_t base = m->clocks.from;

    f->sender = mpiclocks_common(&m->clocks, from->host, sender) - base;
    f->receiver = mpiclocks_common(&m->clocks, to->host, receiver) - base;
    f->sent -= base;
    f->asked -= base;
    f->came -= base;
    if (stacks_of(session, to->experiment, f->node, &f->node) < 0 ||
        stacks_of(session, from->experiment, f->send_node, &f->send_node) < 0)
        return -ENOMEM;
    return 0;
}

static int
find(struct session *session, u32 most, struct mpi_messages *m)
{
    struct largest all = { .size = sizeof(struct mpi_flight), .wanted = most,
                           .compare = by_wait };
    const struct mpi_match_sink sink = { .message = on_message, .context = &all };
    int ret = mpimatch_run(session, &m->ranks, &m->clocks, &sink, NULL);

    largest_settle(&all);
    m->flight = (struct mpi_flight *)(void *)all.item;
    m->count = all.count;
    m->all = all.seen;
    if (ret == 0 && all.no_memory)
        ret = -ENOMEM;
    for (u32 i = 0; i < m->count && ret == 0; i++)
        ret = settle(session, m, &m->flight[i]);
    return ret;
}

int
mpimessages_get(struct session *session, u32 most, struct mpi_messages *out)
{
    struct mpi_messages m = { 0 };
    u64 dropped;
    int ret = ranks_of(session, &m.ranks);

    if (ret == 0) {
        mpiwaits_check_data(session, &m.ranks, &m.recorded, &dropped);
        ret = mpiclocks_open(session, &m.ranks, &m.clocks);
    }
    if (ret == 0)
        ret = mpialign_clocks(session, &m.ranks, &m.clocks);
    if (ret == 0)
        ret = find(session, most, &m);
    if (ret < 0)
        mpimessages_free(&m);
    else
        *out = m;
    return ret;
}

void
mpimessages_free(struct mpi_messages *m)
{
    ranks_free(&m->ranks);
    mpiclocks_free(&m->clocks);
    free(m->flight);
    memset(m, 0, sizeof(*m));
}

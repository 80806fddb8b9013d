/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/mpi/mpi_request.h"

#include "collector/mpi/mpi_call.h"
#include "collector/mpi/mpi_comms.h"
#include "collector/mpi/mpi_mem.h"

enum { LISTS = 4096 };

static struct {
    struct mpi_request *first;
    struct mpi_request **end; /* NULL = &first */
} list[LISTS];

static u32
list_of(u64 handle)
{
    return (u32)(handle * 0x9e3779b97f4a7c15ull >> 52) % LISTS;
}

void
mpi_request_add(const struct mpi_request *r)
{
    u32 at = list_of(r->handle);
    struct mpi_request *copy = mpi_mem_alloc(sizeof(*copy));

    if (!copy)
        return;
    *copy = *r;
    copy->next = NULL;
    mpi_comms_hold(copy->comm);
    if (!list[at].end)
        list[at].end = &list[at].first;
    *list[at].end = copy;
    list[at].end = &copy->next;
}

struct mpi_request *
mpi_request_of(u64 handle)
{
    struct mpi_request *r = list[list_of(handle)].first;

    while (r && r->handle != handle)
        r = r->next;
    return r;
}

struct mpi_request *
mpi_request_claim(u64 handle)
{
    struct mpi_request *r = list[list_of(handle)].first;

    while (r && (r->handle != handle || r->claimed))
        r = r->next;
    if (r)
        r->claimed = 1;
    return r;
}

void
mpi_request_unclaim(struct mpi_request *r)
{
    if (r)
        r->claimed = 0;
}

void
mpi_request_remove(struct mpi_request *r)
{
    u32 at = list_of(r->handle);
    struct mpi_request **link = &list[at].first;

    while (*link != r)
        link = &(*link)->next;
    *link = r->next;
    if (list[at].end == &r->next)
        list[at].end = link;
    mpi_comms_drop(r->comm);
    mpi_mem_free(r, sizeof(*r));
}

void
mpi_request_forget_all(void)
{
    memset(list, 0, sizeof(list));
}

void
mpi_request_begun(struct mpi_call *c, struct mpi_comm *comm, u32 request_at,
                  enum mpi_outcome outcome)
{
    struct mpi_request q = {
        .posted = c->since,
        .sent = c->r.sent,
        .received = c->r.received,
        .comm = comm,
        .call = c->row->call,
        .kind = c->row->kind,
        .peer = c->r.peer,
        .tag = c->r.tag,
        .node = c->node,
        .outcome = outcome,
        .persistent = c->row->mode == MPI_MODE_INIT,
        .active = c->row->mode == MPI_MODE_BEGIN,
    };

    if (c->row->mode != MPI_MODE_BEGIN && c->row->mode != MPI_MODE_INIT)
        return;
    q.collective = q.persistent && c->row->kind >= MPI_KIND_BARRIER &&
                   c->row->kind <= MPI_KIND_NEIGHBOR;
    c->r.received = 0;
    if (q.persistent)
        c->r.sent = 0;
    if (c->result)
        return;
    q.handle = mpi_handle_at(mpi_pointer(c, request_at));
    if (q.handle != mpi_abi.request_null)
        mpi_request_add(&q);
}

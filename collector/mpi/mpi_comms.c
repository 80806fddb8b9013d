/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/mpi/mpi_comms.h"

#include <string.h>

#include "collector/mpi/mpi_mem.h"

enum {
    LISTS = 256,
};

/* How many children with these members a communicator has had. */
struct mpi_birth {
    struct mpi_birth *next;
    u64 members;
    u64 count;
};

static struct mpi_comm *list[LISTS];
static struct mpi_comm *last; /* the entry that was found last, or NULL */
static u32 last_id;

static struct mpi_comm **
list_of(u64 handle)
{
    return &list[mpi_mix(handle, 0) % LISTS];
}

static u64
bytes_of(u32 in, u32 out)
{
    return sizeof(struct mpi_neighbors) + ((u64)in + out) * sizeof(int);
}

struct mpi_neighbors *
mpi_comms_add_neighbors(struct mpi_comm *comm, int in, int out)
{
    u32 n = in > 0 ? (u32)in : 0, m = out > 0 ? (u32)out : 0;
    struct mpi_neighbors *made = mpi_mem_alloc(bytes_of(n, m));

    if (!made)
        return NULL;
    made->in = n;
    made->out = m;
    for (u32 i = 0; i < n + m; i++)
        made->at[i] = -1;
    comm->neighbors = made;
    return made;
}

static void
forget_neighbors(struct mpi_comm *comm)
{
    struct mpi_neighbors *n = comm->neighbors;

    comm->neighbors = NULL;
    if (n)
        mpi_mem_free(n, bytes_of(n->in, n->out));
}

static void
forget(struct mpi_comm *m)
{
    while (m->births) {
        struct mpi_birth *b = m->births;

        m->births = b->next;
        mpi_mem_free(b, sizeof(*b));
    }
    forget_neighbors(m);
    mpi_mem_free(m->world, (u64)m->peers * sizeof(*m->world));
    mpi_mem_free(m, sizeof(*m));
}

void
mpi_comms_hold(struct mpi_comm *comm)
{
    if (comm)
        comm->uses++;
}

void
mpi_comms_drop(struct mpi_comm *comm)
{
    if (comm && !--comm->uses)
        forget(comm);
}

void
mpi_comms_gone(u64 handle)
{
    struct mpi_comm **link = list_of(handle), *m;

    last = NULL;
    while ((m = *link) && m->handle != handle)
        link = &m->next;
    if (!m)
        return;
    *link = m->next;
    mpi_comms_drop(m);
}

void
mpi_comms_forget_all(void)
{
    memset(list, 0, sizeof(list));
    last = NULL;
}

struct mpi_comm *
mpi_comms_find(u64 handle)
{
    struct mpi_comm *m = last;

    if (ER_LIKELY(m && m->handle == handle))
        return m;
    for (m = *list_of(handle); m && m->handle != handle; m = m->next)
        ;
    if (m)
        last = m;
    return m;
}

struct mpi_comm *
mpi_comms_add(u64 handle, u32 kind)
{
    struct mpi_comm *m = mpi_mem_alloc(sizeof(*m));

    if (!m)
        return NULL;
    mpi_comms_gone(handle);
    m->handle = handle;
    m->kind = kind;
    m->id = ++last_id;
    m->uses = 1;
    m->next = *list_of(handle);
    *list_of(handle) = m;
    return m;
}

u64
mpi_comms_next_key(struct mpi_comm *parent, u64 members)
{
    struct mpi_birth *b = parent->births;

    while (b && b->members != members)
        b = b->next;
    if (!b) {
        b = mpi_mem_alloc(sizeof(*b));
        if (!b)
            return 0;
        b->members = members;
        b->next = parent->births;
        parent->births = b;
    }
    return mpi_mix(mpi_mix(parent->key, members), ++b->count);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/mpi/mpi_comm.h"

#include <stdlib.h>

#include "collector/libc/resolve.h"
#include "collector/mpi/mpi_call.h"
#include "collector/mpi/mpi_mem.h"
#include "collector/mpi/mpi_put.h"
#include "collector/mpi/mpi_request.h"
#include "collector/sig/sys.h"

enum {
    NAME_BYTES = 256, /* of a communicator's name; MPICH's own limit is 128 */
    RANKS = 512,      /* ranks that are translated at a time */
};

static u64 world_group;
static u64 world_session; /* the session of world_group; 0 = MPI_Init() made it */
static struct mpi_comm no_parent; /* parent of communicators of sessions */

/* Session handles are stored + 1: 0 = none, and a library may use 0 as a handle. */
static u64
session_name(u64 session)
{
    return session + 1;
}

void
mpi_comm_forget_all(void)
{
    mpi_comms_forget_all();
    memset(&no_parent, 0, sizeof(no_parent));
    mpi_world_known = 0;
    world_session = 0;
}

static u64
group_of(const struct mpi_comm *m, int remote)
{
    u64 group = 0;

    if (remote)
        mpi_real.Comm_remote_group((long)m->handle, &group);
    else
        mpi_real.Comm_group((long)m->handle, &group);
    return mpi_handle((long)group);
}

u64
mpi_comm_translate(u64 group, u32 n, u32 *out, int *is_same)
{
    int from[RANKS], to[RANKS];
    u64 hash = n;

    *is_same = 1;
    for (u32 at = 0; at < n; at += RANKS) {
        u32 some = n - at < RANKS ? n - at : RANKS;

        for (u32 i = 0; i < some; i++)
            from[i] = (int)(at + i);
        if (mpi_real.Group_translate_ranks((long)group, (int)some, from,
                                           (long)world_group, to))
            return hash;
        for (u32 i = 0; i < some; i++) {
            u32 rank = to[i] < 0 ? MPI_OUTSIDE : (u32)to[i];

            *is_same &= rank == at + i;
            hash = mpi_mix(hash, rank);
            if (out)
                out[at + i] = rank;
        }
    }
    return hash;
}

/* Set the members (a hash), the world ranks and the number of peers. */
static void
read_members(struct mpi_comm *m)
{
    int inter = m->kind == COMM_INTER, same = 0, n = 0;
    u64 group = group_of(m, inter), hash;

    mpi_real.Group_size((long)group, &n);
    m->peers = n > 0 ? (u32)n : 0;
    m->world = mpi_mem_alloc((u64)m->peers * sizeof(*m->world));
    if (!m->world)
        m->peers = 0;
    m->members = mpi_comm_translate(group, m->peers, m->world, &same);
    if (same) {
        mpi_mem_free(m->world, (u64)m->peers * sizeof(*m->world));
        m->world = NULL;
    }
    mpi_real.Group_free(&group);
    if (!inter)
        return;
    /* Combine both groups' hashes, the smaller one first: both sides do the same. */
    group = group_of(m, 0);
    hash = mpi_comm_translate(group, m->size, NULL, &same);
    m->side = hash > m->members;
    m->members = m->side ? mpi_mix(m->members, hash) : mpi_mix(hash, m->members);
    mpi_real.Group_free(&group);
}

static void
put_record(struct mpi_call *c, const struct mpi_comm *m, const struct mpi_comm *parent,
           const char *name)
{
    struct rec_comm r = {
        .id = m->id,
        .kind = m->kind,
        .key = m->key,
        .parent = parent ? parent->id : 0,
        .size = m->size,
        .rank = m->rank,
        .remote = m->kind == COMM_INTER ? m->peers : 0,
        .side = m->side,
        .name = { name, (u32)strlen(name) },
    };

    mpi_put_comm(c, &r);
}

void
mpi_comm_name(struct mpi_call *c, const struct mpi_comm *comm, const char *name)
{
    put_record(c, comm, NULL, name);
}

/* Make an entry for a communicator, with what the library tells about it. */
static struct mpi_comm *
add_unknown(u64 handle)
{
    int inter = 0, size = 0, rank = 0;
    struct mpi_comm *m = mpi_comms_add(handle, COMM_INTRA);

    if (!m)
        return NULL;
    mpi_real.Comm_test_inter((long)handle, &inter);
    mpi_real.Comm_size((long)handle, &size);
    mpi_real.Comm_rank((long)handle, &rank);
    m->kind = inter ? COMM_INTER : COMM_INTRA;
    m->size = (u32)size;
    m->rank = (u32)rank;
    read_members(m);
    return m;
}

static void
put_with_name(struct mpi_call *c, struct mpi_comm *m, const struct mpi_comm *parent)
{
    char name[NAME_BYTES] = "";
    int len = 0;

    mpi_real.Comm_get_name((long)m->handle, name, &len);
    put_record(c, m, parent, name);
}

struct mpi_comm *
mpi_comm_made_with(struct mpi_call *c, u64 handle, struct mpi_comm *parent, u64 key)
{
    struct mpi_comm *m;

    if (handle == mpi_abi.comm_null || !handle || !mpi_world_known)
        return NULL;
    m = add_unknown(handle);
    if (!m)
        return NULL;
    m->key = key;
    put_with_name(c, m, parent);
    return m;
}

struct mpi_comm *
mpi_comm_made(struct mpi_call *c, u64 handle, struct mpi_comm *parent)
{
    struct mpi_comm *m, *from;

    if (handle == mpi_abi.comm_null || !handle || !mpi_world_known)
        return NULL;
    m = add_unknown(handle);
    if (!m)
        return NULL;
    /*
     * An intercommunicator counts as a child of the world: its two sides have no parent
     * in common.
     */
    from = parent && m->kind == COMM_INTRA ? parent
                                           : mpi_comms_find(mpi_abi.comm_world);
    if (!from && world_session)
        from = &no_parent;
    if (from)
        m->key = mpi_comms_next_key(from, mpi_mix(m->members, m->kind));
    put_with_name(c, m, parent);
    return m;
}

struct mpi_comm *
mpi_comm_made_of_group(struct mpi_call *c, u64 handle, const char *text)
{
    u64 key = 3;
    struct mpi_comm *m;

    if (handle == mpi_abi.comm_null || !handle || !mpi_world_known)
        return NULL;
    m = add_unknown(handle);
    if (!m)
        return NULL;
    for (; text && *text; text++)
        key = mpi_mix(key, (unsigned char)*text);
    m->key = mpi_comms_next_key(&no_parent, mpi_mix(mpi_mix(m->members, m->kind), key));
    put_with_name(c, m, NULL);
    return m;
}

static void start_world(struct mpi_call *c, u64 key);

/*
 * Add MPI_COMM_WORLD if MPI was initialized before we were loaded. In a process that
 * collect attached to, the number of earlier communicators and collective calls is not
 * known. Its world gets a key that no other rank has, so that nothing is matched with
 * other ranks.
 */
static void
start_late(struct mpi_call *c)
{
    int started = 0, ended = 1;

    mpi_real.Initialized(&started);
    mpi_real.Finalized(&ended);
    if (started && !ended)
        start_world(c, resolve_is_late() ? mpi_mix(c->ticks, *trace_services->pid) : 1);
}

struct mpi_comm *
mpi_comm_of(struct mpi_call *c, u64 handle)
{
    struct mpi_comm *m = mpi_comms_find(handle);

    if (ER_LIKELY(m != NULL))
        return m;
    if (!mpi_world_known)
        start_late(c);
    m = mpi_comms_find(handle);
    if (m)
        return m;
    return mpi_comm_made(c, handle, NULL);
}

struct mpi_comm *
mpi_comm_of_all(struct mpi_call *c, u64 handle, u32 kind, struct mpi_comm *parent,
                const char *name)
{
    struct mpi_comm *m;

    if (!parent)
        return NULL;
    m = mpi_comms_add(handle, kind);
    if (!m)
        return NULL;
    m->size = parent->size;
    m->rank = parent->rank;
    m->peers = parent->peers;
    if (parent->world) {
        m->world = mpi_mem_alloc((u64)m->peers * sizeof(*m->world));
        if (m->world)
            memcpy(m->world, parent->world, (u64)m->peers * sizeof(*m->world));
        else
            m->peers = 0;
    }
    m->key = mpi_comms_next_key(parent, mpi_mix(parent->members, kind));
    put_record(c, m, parent, name);
    return m;
}

/*
 * Compute the key of a world that MPI_Comm_spawn() made, from the name that MPI's
 * process manager gives to the job of its ranks.
 */
static u64
spawned_key(void)
{
    static const char *const names[] = { "PMIX_NAMESPACE", "PMI_JOBID" };
    u64 key = 2;

    u32 known = 0;

    for (u32 i = 0; i < ER_COUNT(names); i++) {
        const char *value = getenv(names[i]);

        known |= value && *value;
        for (; value && *value; value++)
            key = mpi_mix(key, (unsigned char)*value);
    }
    /*
     * If there is no such name, use the parent process, which these ranks share if they
     * are on one host.
     */
    return known ? key : mpi_mix(key, (u64)sys_call4(SYS_getppid, 0, 0, 0, 0));
}

void
mpi_comm_start_session(struct mpi_call *c, u64 session)
{
    int size = 0, rank = -1, level = 0;
    u64 group = 0;

    (void)c;
    if (mpi_world_known || !mpi_real.Group_from_session_pset || !mpi_real.Group_rank ||
        mpi_real.Group_from_session_pset((long)session, "mpi://WORLD", &group))
        return;
    group = mpi_handle((long)group);
    mpi_real.Group_size((long)group, &size);
    mpi_real.Group_rank((long)group, &rank);
    if (rank < 0 || rank >= size) {
        mpi_real.Group_free(&group);
        return;
    }
    world_group = group;
    world_session = session_name(session);
    mpi_world_rank = (u32)rank;
    mpi_world_size = (u32)size;
    mpi_world_known = 1;
    /*
     * The thread level is a property of each session, and a later one may allow more:
     * assume that several threads may be in MPI at once.
     */
    level = mpi_abi.thread_multiple;
    mpi_world_log_init(0, level, 1);
}

void
mpi_comm_end_session(struct mpi_call *c, u64 session)
{
    (void)c;
    if (world_session != session_name(session))
        return;
    mpi_real.Group_free(&world_group);
    trace_services->event(EVENT_mpi_finalize, NULL, NULL, NULL, 0);
    mpi_comm_forget_all();
    mpi_request_forget_all();
}

/*
 * Add MPI_COMM_WORLD, with this key, and MPI_COMM_SELF. If the key is 1, which is
 * usual, a world that MPI_Comm_spawn() made gets a key of its own instead.
 */
static void
start_world(struct mpi_call *c, u64 key)
{
    int size = 0, rank = 0, level = 0, spawned;
    u64 group = 0, parent = 0;
    struct mpi_comm *m;

    if (mpi_world_known)
        return;
    mpi_real.Comm_size((long)mpi_abi.comm_world, &size);
    mpi_real.Comm_rank((long)mpi_abi.comm_world, &rank);
    mpi_real.Comm_group((long)mpi_abi.comm_world, &group);
    mpi_real.Comm_get_parent(&parent);
    mpi_real.Query_thread(&level);
    spawned = mpi_handle((long)parent) != mpi_abi.comm_null;
    world_group = mpi_handle((long)group);
    mpi_world_rank = (u32)rank;
    mpi_world_size = (u32)size;
    mpi_world_known = 1;
    key = spawned && key == 1 ? spawned_key() : key;
    m = add_unknown(mpi_abi.comm_world);
    if (m) {
        m->key = key;
        put_with_name(c, m, NULL);
    }
    m = add_unknown(mpi_abi.comm_self);
    if (m) {
        m->key = mpi_mix(key, m->members);
        put_with_name(c, m, NULL);
    }
    /*
     * MPI_Init() has also made the intercommunicator to the ranks that called
     * MPI_Comm_spawn(): record it.
     */
    if (spawned)
        mpi_comm_made(c, mpi_handle((long)parent), NULL);
    mpi_world_log_init(spawned, level, key);
}

void
mpi_comm_start(struct mpi_call *c)
{
    start_world(c, 1);
}

void
mpi_comm_collective(struct mpi_call *c, struct mpi_comm *comm)
{
    if (!comm)
        return;
    c->r.comm = comm->id;
    if (c->row->mode != MPI_MODE_INIT)
        c->r.seq = ++comm->seq;
}

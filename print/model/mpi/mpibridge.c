/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpibridge.h"

#include <errno.h>
#include <stdlib.h>

#include "print/base/array.h"
#include "print/base/hash.h"

enum {
    COMMS_MAX = 1 << 20, /* ids beyond are damage */
    NONE = UINT32_MAX,
    SLACK = 100000000, /* ns that the clocks of two hosts may differ by */
};

enum maker {
    MADE_BY_ELSE,
    MADE_BY_SPAWN, /* MPI_Comm_spawn() made it */
    MADE_BY_INIT,  /* MPI_Init() of a spawned rank has found it */
};

/*
 * An intercommunicator, or a communicator made from one, as one rank has recorded it.
 */
struct joint {
    struct mpi_bridge bridge;
    u64 key; /* as the rank recorded it */
    u32 rank;
    u32 comm;
    u32 kind, size, remote, place;
    u32 parent; /* index of the joint that it was made from, NONE = it was not */
    u32 children; /* communicators that all its members have made from it so far */
    enum maker how;
    int64_t noted; /* when it was recorded */
};

/* One side of a spawn: the ranks that called it, or the ranks that it started. */
struct group {
    u64 key;
    u32 world;
    enum maker how;
    u32 size, remote;
    u64 root; /* rank that spawned, in its world, + 1; 0 = not known */
    /*
     * When the first and the last call of MPI_Init() began; of a spawn, when its first
     * call began, and when its first call ended.
     */
    int64_t first, last;
    u32 other; /* the only group that fits, NONE = none, or several */
    u32 fitting; /* number of groups that fit */
};

/* Which rank is at a place of a communicator. */
struct seat {
    u64 key;
    u32 side, place;
    u32 rank;
};

/*
 * The joints that one rank has recorded; joint[] is indexed by the communicator's id.
 */
struct lane {
    u32 *joint; /* index + 1 */
    u32 comms;
    u32 latest; /* joint that was noted last, NONE = none since the last call */
};

struct mpi_bridges {
    struct session *session;
    const struct ranks *ranks;
    struct lane *lane; /* by rank */
    struct joint *joint;
    u32 joints, joint_room;
    struct group *group;
    u32 groups, group_room;
    struct seat *seat; /* by key, side, place */
    u32 seats;
    bool no_memory;
};

static u32
joint_of(const struct mpi_bridges *b, u32 rank, u32 comm)
{
    const struct lane *lane = &b->lane[rank];

    return comm < lane->comms && lane->joint[comm] ? lane->joint[comm] - 1 : NONE;
}

/* Add an intercommunicator, or a communicator made from one, unless it is known. */
static void
add_comm(struct mpi_bridges *b, u32 rank, const struct mpi_event *e)
{
    struct lane *lane = &b->lane[rank];
    struct joint joint = { .key = e->key, .rank = rank, .comm = e->comm,
                           .kind = e->kind, .size = e->size, .place = e->comm_rank,
                           .parent = joint_of(b, rank, e->parent), .noted = e->end };

    joint.remote = e->kind == COMM_INTER ? e->remote : 0;
    if (e->comm >= COMMS_MAX || joint_of(b, rank, e->comm) != NONE ||
        (e->kind != COMM_INTER && joint.parent == NONE))
        return;
    if (array_room_zero(&lane->joint, &lane->comms, e->comm + 1,
                        sizeof(*lane->joint)) < 0 ||
        array_room(&b->joint, &b->joint_room, b->joints + 1, sizeof(joint)) < 0) {
        b->no_memory = true;
        return;
    }
    b->joint[b->joints++] = joint;
    lane->joint[e->comm] = b->joints;
    lane->latest = b->joints - 1;
}

static struct group *
group_of(struct mpi_bridges *b, const struct joint *joint)
{
    u32 world = b->ranks->rank[joint->rank].world;
    const struct group made = { .key = joint->key, .world = world, .how = joint->how,
                                .size = joint->size, .remote = joint->remote,
                                .first = INT64_MAX, .other = NONE,
                                .last = joint->how == MADE_BY_INIT ? INT64_MIN
                                                               : INT64_MAX };

    for (u32 i = 0; i < b->groups; i++)
        if (b->group[i].key == joint->key && b->group[i].world == world)
            return &b->group[i];
    if (array_room(&b->group, &b->group_room, b->groups + 1, sizeof(made)) < 0) {
        b->no_memory = true;
        return NULL;
    }
    b->group[b->groups++] = made;
    return &b->group[b->groups - 1];
}

static u64
root_of(const struct mpi_bridges *b, u32 rank)
{
    const struct experiment *e =
        b->session->experiment[b->ranks->rank[rank].experiment];
    const struct log_event_row *init = log_find_event(&e->log, "mpi_init");

    return init ? log_event_number(init, "root", 0) : 0;
}

/*
 * A call ends. If it is MPI_Comm_spawn() or MPI_Init(), and the communicator that was
 * added last is an intercommunicator made in the call, record that, and the call's
 * times in the group.
 */
static void
set_origin(struct mpi_bridges *b, u32 rank, const struct mpi_event *e)
{
    bool spawns = e->call == MPICALL_Comm_spawn ||
                  e->call == MPICALL_Comm_spawn_multiple;
    u32 latest = b->lane[rank].latest;
    struct joint *joint = latest == NONE ? NULL : &b->joint[latest];
    struct group *group;

    if (!joint || !(spawns || e->call == MPICALL_Init ||
                    e->call == MPICALL_Init_thread))
        return;
    b->lane[rank].latest = NONE;
    if (joint->kind != COMM_INTER || joint->noted < e->begin || joint->noted > e->end)
        return;
    joint->how = spawns ? MADE_BY_SPAWN : MADE_BY_INIT;
    group = group_of(b, joint);
    if (!group)
        return;
    group->first = e->begin < group->first ? e->begin : group->first;
    if (spawns) {
        group->last = e->end < group->last ? e->end : group->last;
    } else {
        group->last = e->begin > group->last ? e->begin : group->last;
        group->root = group->root ? group->root : root_of(b, rank);
    }
}

static bool
on_event(void *context, u32 rank, const struct mpi_event *e)
{
    struct mpi_bridges *b = context;

    if (e->what == MPI_EVENT_COMM)
        add_comm(b, rank, e);
    else if (e->what == MPI_EVENT_CALL)
        set_origin(b, rank, e);
    return !b->no_memory;
}

static bool
is_member(const struct mpi_bridges *b, const struct group *group, u64 root)
{
    for (u32 i = 0; i < b->joints; i++) {
        const struct rank *rank = &b->ranks->rank[b->joint[i].rank];

        if (b->joint[i].how == group->how && b->joint[i].key == group->key &&
            rank->world == group->world && rank->rank + 1 == root)
            return true;
    }
    return false;
}

static bool
fits(const struct mpi_bridges *b, const struct group *spawn, const struct group *made)
{
    const struct rank_world *world = b->ranks->world;
    int64_t slack = b->ranks->hosts > 1 ? SLACK : 0;

    return spawn->how == MADE_BY_SPAWN && made->how == MADE_BY_INIT &&
           spawn->size == made->remote && spawn->remote == made->size &&
           world[spawn->world].founder == world[made->world].founder &&
           spawn->first - slack <= made->first && made->last <= spawn->last + slack &&
           (!made->root || is_member(b, spawn, made->root));
}

/* Match spawns with the worlds that they have started. */
static void
match_groups(struct mpi_bridges *b)
{
    for (u32 i = 0; i < b->groups; i++)
        for (u32 k = 0; k < b->groups; k++) {
            if (!fits(b, &b->group[i], &b->group[k]))
                continue;
            b->group[i].fitting++;
            b->group[k].fitting++;
            b->group[i].other = k;
            b->group[k].other = i;
        }
}

static u64
key_of(const struct group *spawn)
{
    return hash_mix(spawn->key ^ hash_mix(spawn->world + 1ull)) | 1;
}

static struct mpi_bridge
bridge_of_group(struct mpi_bridges *b, const struct joint *joint)
{
    const struct group *group = group_of(b, joint);
    const struct group *other =
        group && group->fitting == 1 ? &b->group[group->other] : NULL;

    if (!other || other->fitting != 1)
        return (struct mpi_bridge){ 0, 0 };
    return (struct mpi_bridge){ key_of(group->how == MADE_BY_SPAWN ? group : other),
                                group->how == MADE_BY_INIT };
}

/*
 * The bridge of a communicator that all members of its parent have made together. All
 * of them make such children in the same order, so the key is computed from the child's
 * number.
 */
static struct mpi_bridge
bridge_of_child(struct mpi_bridges *b, const struct joint *joint)
{
    struct joint *parent = &b->joint[joint->parent];
    u64 key = hash_mix((u64)joint->kind << 32 | parent->children);

    if (!parent->bridge.key ||
        joint->size + joint->remote != parent->size + parent->remote)
        return (struct mpi_bridge){ 0, 0 };
    parent->children++;
    return (struct mpi_bridge){ hash_mix(parent->bridge.key ^ key) | 1,
                                joint->kind == COMM_INTER ? parent->bridge.side : 0 };
}

static int
by_seat(const void *a, const void *b)
{
    const struct seat *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->side != y->side)
        return x->side < y->side ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static int
settle(struct mpi_bridges *b)
{
    match_groups(b);
    b->seat = calloc((size_t)b->joints + 1, sizeof(*b->seat));
    if (!b->seat)
        return -ENOMEM;
    for (u32 i = 0; i < b->joints; i++) {
        struct joint *joint = &b->joint[i];

        if (joint->how != MADE_BY_ELSE)
            joint->bridge = bridge_of_group(b, joint);
        else if (joint->parent != NONE)
            joint->bridge = bridge_of_child(b, joint);
        if (joint->bridge.key)
            b->seat[b->seats++] = (struct seat){ joint->bridge.key, joint->bridge.side,
                                                 joint->place, joint->rank };
    }
    qsort(b->seat, b->seats, sizeof(*b->seat), by_seat);
    return b->no_memory ? -ENOMEM : 0;
}

int
mpibridges_open(struct session *session, const struct ranks *ranks,
                const struct mpi_clocks *clocks, struct mpi_bridges **out)
{
    struct mpi_bridges *b;
    int ret;

    *out = NULL;
    if (ranks->worlds < 2)
        return 0;
    b = calloc(1, sizeof(*b));
    if (!b)
        return -ENOMEM;
    b->session = session;
    b->ranks = ranks;
    b->lane = calloc((size_t)ranks->count + 1, sizeof(*b->lane));
    ret = b->lane ? 0 : -ENOMEM;
    for (u32 i = 0; i < ranks->count && b->lane; i++)
        b->lane[i].latest = NONE;
    if (ret == 0)
        ret = mpirecords_read(session, ranks, clocks, on_event, b);
    if (ret == 0)
        ret = settle(b);
    if (ret < 0)
        mpibridges_close(b);
    else
        *out = b;
    return ret;
}

void
mpibridges_close(struct mpi_bridges *b)
{
    if (!b)
        return;
    for (u32 i = 0; i < b->ranks->count && b->lane; i++)
        free(b->lane[i].joint);
    free(b->lane);
    free(b->joint);
    free(b->group);
    free(b->seat);
    free(b);
}

const struct mpi_bridge *
mpibridges_comm(const struct mpi_bridges *b, u32 rank, u32 comm)
{
    u32 at = b ? joint_of(b, rank, comm) : NONE;

    return at == NONE ? NULL : &b->joint[at].bridge;
}

u32
mpibridges_peer(const struct mpi_bridges *b, u32 rank, u32 comm, u32 peer)
{
    u32 at = b && peer > MPI_PEER_OUTSIDE ? joint_of(b, rank, comm) : NONE;
    const struct joint *joint = at == NONE ? NULL : &b->joint[at];
    const struct seat *found;
    struct seat wanted;

    if (!joint || !joint->bridge.key)
        return RANK_NONE;
    wanted = (struct seat){ joint->bridge.key, joint->bridge.side,
                            peer - MPI_PEER_OUTSIDE - 1, 0 };
    if (joint->kind == COMM_INTER)
        wanted.side = !wanted.side;
    found = bsearch(&wanted, b->seat, b->seats, sizeof(wanted), by_seat);
    return found ? found->rank : RANK_NONE;
}

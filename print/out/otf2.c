/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes OTF2, the trace format of Score-P, Scalasca and Vampir: a region for each call
 * of MPI, with its messages and its part in collective calls, on a location for each
 * thread of a rank that calls MPI. All messages and collective calls are written as if
 * they were on MPI_COMM_WORLD, with the ranks there. The library is loaded when this is
 * called; its header must have been there when er_export was built.
 */
#include "config.h"

#include "print/out/out.h"

#include <errno.h>

#ifndef HAVE_OTF2_OTF2_H

int
out_otf2(struct out *out)
{
    out_warn(out, "this er_export was built without the header of libotf2");
    return -ENOSYS;
}

#else

#include <dlfcn.h>
#include <otf2/otf2.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/mpi/mpialign.h"
#include "print/model/mpi/mpievents.h"

/* The library's own name, and Debian's. */
static const char *const libraries[] = { "libotf2.so.10",
                                         "libopen-trace-format2.so.10" };

/* The functions of the library. */
#define FUNCTIONS(X)                         \
    X(Archive_Open)                          \
    X(Archive_Close)                         \
    X(Archive_SetFlushCallbacks)             \
    X(Archive_SetSerialCollectiveCallbacks)  \
    X(Archive_OpenEvtFiles)                  \
    X(Archive_CloseEvtFiles)                 \
    X(Archive_OpenDefFiles)                  \
    X(Archive_CloseDefFiles)                 \
    X(Archive_GetEvtWriter)                  \
    X(Archive_CloseEvtWriter)                \
    X(Archive_GetDefWriter)                  \
    X(Archive_CloseDefWriter)                \
    X(Archive_GetGlobalDefWriter)            \
    X(Archive_CloseGlobalDefWriter)          \
    X(EvtWriter_Enter)                       \
    X(EvtWriter_Leave)                       \
    X(EvtWriter_MpiSend)                     \
    X(EvtWriter_MpiRecv)                     \
    X(EvtWriter_MpiCollectiveBegin)          \
    X(EvtWriter_MpiCollectiveEnd)            \
    X(EvtWriter_GetNumberOfEvents)           \
    X(GlobalDefWriter_WriteClockProperties)  \
    X(GlobalDefWriter_WriteString)           \
    X(GlobalDefWriter_WriteSystemTreeNode)   \
    X(GlobalDefWriter_WriteLocationGroup)    \
    X(GlobalDefWriter_WriteLocation)         \
    X(GlobalDefWriter_WriteRegion)           \
    X(GlobalDefWriter_WriteGroup)            \
    X(GlobalDefWriter_WriteComm)

static struct {
#define POINTER(name) __typeof__(OTF2_##name) *name;
    FUNCTIONS(POINTER)
#undef POINTER
} otf2;

/* A thread of a rank. */
struct location {
    u32 rank;   /* index in ranks.rank */
    u32 thread; /* 0 = not known yet */
    OTF2_EvtWriter *writer;
    uint64_t last; /* ns: the time of its last event */
    uint64_t events;
    struct mpi_event *part; /* operations that its next call has begun or ended */
    u32 parts, room;
};

struct writer {
    struct out *out;
    struct ranks ranks;
    struct mpi_clocks clocks;
    OTF2_Archive *archive;
    struct location *location; /* one for each rank first, then those of further
                                  threads */
    u32 locations, room;
    u32 region[MPICALL_END]; /* by call: its region + 1, 0 = there is none */
    u32 calls[MPICALL_END];  /* by region: its call */
    u32 regions;
    uint64_t end;           /* the time of the last event */
    u64 again; /* polls that found nothing, for which another call's region stands */
    bool bad;               /* the library could not write */
    bool no_memory;
};

static OTF2_FlushType
flush(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller,
      bool final)
{
    (void)data;
    (void)type;
    (void)location;
    (void)caller;
    (void)final;
    return OTF2_FLUSH;
}

static const OTF2_FlushCallbacks flushes = { .otf2_pre_flush = flush };

/* Load the library. 0; or -ENOENT, and the user is told why. */
static int
load(struct out *out)
{
    void *library = NULL;

    for (u32 i = 0; i < ER_COUNT(libraries) && !library; i++)
        library = dlopen(libraries[i], RTLD_NOW);
    if (!library) {
        out_warn(out, "%s is not installed", libraries[0]);
        return -ENOENT;
    }
#define LOOK(name)                                             \
    *(void **)(void *)&otf2.name = dlsym(library, "OTF2_" #name); \
    if (!otf2.name) {                                          \
        out_warn(out, "libotf2 has no OTF2_%s", #name);        \
        return -ENOENT;                                        \
    }
    FUNCTIONS(LOOK)
#undef LOOK
    return 0;
}

static struct location *
add_location(struct writer *w, u32 rank, u32 thread)
{
    struct location *l;

    if (array_room(&w->location, &w->room, w->locations + 1, sizeof(*l)) < 0) {
        w->no_memory = true;
        return NULL;
    }
    l = &w->location[w->locations];
    *l = (struct location){ .rank = rank, .thread = thread };
    l->writer = otf2.Archive_GetEvtWriter(w->archive, w->locations);
    w->bad |= !l->writer;
    w->locations++;
    return l->writer ? l : NULL;
}

static struct location *
location_of(struct writer *w, u32 rank, u32 thread)
{
    struct location *l = &w->location[rank];

    if (!l->thread)
        l->thread = thread;
    if (l->thread == thread)
        return l;
    for (u32 i = w->ranks.count; i < w->locations; i++)
        if (w->location[i].rank == rank && w->location[i].thread == thread)
            return &w->location[i];
    return add_location(w, rank, thread);
}

static u32
region_of(struct writer *w, u32 call)
{
    if (!w->region[call]) {
        w->calls[w->regions] = call;
        w->region[call] = ++w->regions;
    }
    return w->region[call] - 1;
}

/*
 * Convert a moment to the trace's time, for an event of a location. A time before that
 * of the location's previous event becomes the latter, as times must not decrease.
 */
static uint64_t
at(struct writer *w, struct location *l, int64_t moment)
{
    uint64_t time = moment > w->clocks.from ? (uint64_t)(moment - w->clocks.from) : 0;

    if (time > l->last)
        l->last = time;
    if (l->last > w->end)
        w->end = l->last;
    return l->last;
}

static void
check(struct writer *w, OTF2_ErrorCode error)
{
    w->bad |= error != OTF2_SUCCESS;
}

/*
 * Is the event's peer a rank of the same world (MPI_COMM_WORLD)? There are no other
 * communicators in the trace.
 */
static bool
has_peer(const struct mpi_event *e)
{
    return e->peer && e->peer < MPI_PEER_OUTSIDE;
}

static bool
sends(const struct mpi_event *e)
{
    const struct er_mpicall_desc *desc = mpicall_desc(e->call);

    /*
     * Creating a persistent operation sends nothing. The call that starts it sends, and
     * its record has the same `call`.
     */
    if (!has_peer(e) || e->error || (e->what == MPI_EVENT_CALL && desc &&
                                 desc->mode == MPI_MODE_INIT))
        return false;
    return e->kind == MPI_KIND_SEND || e->kind == MPI_KIND_SENDRECV;
}

static bool
receives(const struct mpi_event *e)
{
    const struct er_mpicall_desc *desc = mpicall_desc(e->call);

    if (!has_peer(e) || e->error)
        return false;
    if (e->what == MPI_EVENT_DONE)
        return e->kind == MPI_KIND_RECV || e->kind == MPI_KIND_SENDRECV;
    return e->kind == MPI_KIND_RECV && desc && desc->mode == MPI_MODE_BLOCK &&
           e->call != MPICALL_Mrecv;
}

static void
put_message(struct writer *w, struct location *l, const struct mpi_event *e)
{
    u32 world = w->ranks.rank[l->rank].world, tag = e->tag ? e->tag - 1 : 0;

    if (e->what != MPI_EVENT_DONE && sends(e))
        check(w, otf2.EvtWriter_MpiSend(l->writer, NULL, l->last, e->peer - 1, world,
                                        tag, e->sent));
    else if (receives(e))
        check(w, otf2.EvtWriter_MpiRecv(l->writer, NULL, l->last, e->peer - 1, world,
                                        tag, e->received));
}

/* Get OTF2's operation for a collective call; false = write it only as a region. */
static bool
operation(u32 call, OTF2_CollectiveOp *op)
{
    static const struct {
        u32 call;
        OTF2_CollectiveOp op;
    } operations[] = {
#define SAME(name, NAME) { MPICALL_##name, OTF2_COLLECTIVE_OP_##NAME },
        SAME(Barrier, BARRIER) SAME(Bcast, BCAST) SAME(Gather, GATHER)
        SAME(Gatherv, GATHERV) SAME(Scatter, SCATTER) SAME(Scatterv, SCATTERV)
        SAME(Allgather, ALLGATHER) SAME(Allgatherv, ALLGATHERV)
        SAME(Alltoall, ALLTOALL) SAME(Alltoallv, ALLTOALLV)
        SAME(Alltoallw, ALLTOALLW) SAME(Allreduce, ALLREDUCE) SAME(Reduce, REDUCE)
        SAME(Reduce_scatter, REDUCE_SCATTER) SAME(Scan, SCAN) SAME(Exscan, EXSCAN)
        SAME(Reduce_scatter_block, REDUCE_SCATTER_BLOCK)
#undef SAME
    };

    for (u32 i = 0; i < ER_COUNT(operations); i++) {
        if (operations[i].call != call)
            continue;
        *op = operations[i].op;
        return true;
    }
    return false;
}

static void
put_call(struct writer *w, struct location *l, const struct mpi_event *e)
{
    OTF2_CollectiveOp op = OTF2_COLLECTIVE_OP_BARRIER;
    bool collective = e->seq && operation(e->call, &op);
    u32 root = has_peer(e) ? e->peer - 1 : OTF2_UNDEFINED_UINT32;
    u32 region = region_of(w, e->call);

    w->again += e->again;
    check(w, otf2.EvtWriter_Enter(l->writer, NULL, at(w, l, e->begin), region));
    if (collective)
        check(w, otf2.EvtWriter_MpiCollectiveBegin(l->writer, NULL, l->last));
    for (u32 i = 0; i < l->parts; i++)
        if (l->part[i].what == MPI_EVENT_BEGUN)
            put_message(w, l, &l->part[i]);
    if (sends(e))
        put_message(w, l, e);
    at(w, l, e->end);
    for (u32 i = 0; i < l->parts; i++)
        if (l->part[i].what == MPI_EVENT_DONE)
            put_message(w, l, &l->part[i]);
    if (receives(e))
        put_message(w, l, e);
    if (collective)
        check(w, otf2.EvtWriter_MpiCollectiveEnd(
                     l->writer, NULL, l->last, op, w->ranks.rank[l->rank].world, root,
                     e->sent, e->received));
    check(w, otf2.EvtWriter_Leave(l->writer, NULL, l->last, region));
    l->parts = 0;
}

static bool
on_event(void *context, u32 rank, const struct mpi_event *e)
{
    struct writer *w = context;
    struct location *l;

    if (!e->passes || e->what == MPI_EVENT_COMM || e->what == MPI_EVENT_OPEN ||
        e->what == MPI_EVENT_PARTNER)
        return true;
    l = location_of(w, rank, e->thread);
    if (!l)
        return false;
    if (e->what == MPI_EVENT_CALL) {
        if (e->call < MPICALL_END && mpicall_name(e->call))
            put_call(w, l, e);
    } else if (array_room(&l->part, &l->room, l->parts + 1, sizeof(*l->part)) < 0) {
        w->no_memory = true;
    } else {
        l->part[l->parts++] = *e;
    }
    return !w->bad && !w->no_memory;
}

/* OTF2 refers to strings by number. */
struct strings {
    OTF2_GlobalDefWriter *defs;
    u32 count;
};

static u32
string(struct writer *w, struct strings *s, const char *text)
{
    check(w, otf2.GlobalDefWriter_WriteString(s->defs, s->count, text));
    return s->count++;
}

static void
put_locations(struct writer *w, struct strings *s)
{
    char name[96];

    for (u32 i = 0; i < w->ranks.hosts; i++)
        check(w, otf2.GlobalDefWriter_WriteSystemTreeNode(
                     s->defs, i, string(w, s, w->ranks.host[i].name),
                     string(w, s, "node"), OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (u32 i = 0; i < w->ranks.count; i++) {
        const struct rank *rank = &w->ranks.rank[i];

        snprintf(name, sizeof(name), "MPI Rank %u", rank->rank);
        if (w->ranks.worlds > 1)
            snprintf(name, sizeof(name), "World %u, MPI Rank %u", rank->world + 1,
                     rank->rank);
        check(w, otf2.GlobalDefWriter_WriteLocationGroup(
                     s->defs, i, string(w, s, name), OTF2_LOCATION_GROUP_TYPE_PROCESS,
                     rank->host, OTF2_UNDEFINED_LOCATION_GROUP));
    }
    for (u32 i = 0; i < w->locations; i++) {
        const struct location *l = &w->location[i];
        const struct rank *rank = &w->ranks.rank[l->rank];

        if (i < w->ranks.count)
            snprintf(name, sizeof(name), "MPI Rank %u", rank->rank);
        else
            snprintf(name, sizeof(name), "MPI Rank %u, thread %u", rank->rank,
                     l->thread);
        check(w, otf2.GlobalDefWriter_WriteLocation(
                     s->defs, i, string(w, s, name), OTF2_LOCATION_TYPE_CPU_THREAD,
                     l->events, l->rank));
    }
}

/*
 * Write a communicator for each world. The first locations are the ranks', in the order
 * of ranks.rank.
 */
static int
put_worlds(struct writer *w, struct strings *s)
{
    uint64_t *member = calloc((size_t)w->ranks.count + 1, sizeof(*member));
    u32 empty = string(w, s, "");

    if (!member)
        return -ENOMEM;
    for (u32 i = 0; i < w->ranks.count; i++)
        member[i] = i;
    check(w, otf2.GlobalDefWriter_WriteGroup(
                 s->defs, 0, empty, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                 OTF2_GROUP_FLAG_NONE, w->ranks.count, member));
    for (u32 i = 0; i < w->ranks.worlds; i++) {
        const struct rank_world *world = &w->ranks.world[i];

        for (u32 k = 0; k < world->count; k++)
            member[k] = world->first + k;
        check(w, otf2.GlobalDefWriter_WriteGroup(
                     s->defs, i + 1, empty, OTF2_GROUP_TYPE_COMM_GROUP,
                     OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, world->count, member));
        check(w, otf2.GlobalDefWriter_WriteComm(
                     s->defs, i, string(w, s, "MPI_COMM_WORLD"), i + 1,
                     OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    }
    free(member);
    return 0;
}

static void
put_regions(struct writer *w, struct strings *s)
{
    u32 empty = string(w, s, "");

    for (u32 i = 0; i < w->regions; i++) {
        u32 name = string(w, s, mpicall_name(w->calls[i]));

        check(w, otf2.GlobalDefWriter_WriteRegion(
                     s->defs, i, name, name, empty, OTF2_REGION_ROLE_FUNCTION,
                     OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE, empty, 0, 0));
    }
}

static int
put_definitions(struct writer *w)
{
    struct strings s = { otf2.Archive_GetGlobalDefWriter(w->archive), 0 };
    int ret;

    for (u32 i = 0; i < w->locations; i++) {
        OTF2_DefWriter *defs = otf2.Archive_GetDefWriter(w->archive, i);

        check(w, otf2.Archive_CloseDefWriter(w->archive, defs));
    }
    w->bad |= !s.defs;
    if (w->bad)
        return 0;
    check(w, otf2.GlobalDefWriter_WriteClockProperties(s.defs, 1000000000, 0,
                                                       w->end + 1,
                                                       OTF2_UNDEFINED_TIMESTAMP));
    put_regions(w, &s);
    put_locations(w, &s);
    ret = put_worlds(w, &s);
    check(w, otf2.Archive_CloseGlobalDefWriter(w->archive, s.defs));
    return ret;
}

static int
write_archive(struct writer *w)
{
    int ret;

    check(w, otf2.Archive_SetFlushCallbacks(w->archive, &flushes, NULL));
    check(w, otf2.Archive_SetSerialCollectiveCallbacks(w->archive));
    check(w, otf2.Archive_OpenEvtFiles(w->archive));
    for (u32 i = 0; i < w->ranks.count && !w->bad && !w->no_memory; i++)
        add_location(w, i, 0);
    if (w->locations < w->ranks.count)
        ret = -ENOMEM;
    else
        ret = mpievents_run(w->out->session, &w->ranks, &w->clocks, on_event,
                            w);
    for (u32 i = 0; i < w->locations; i++) {
        struct location *l = &w->location[i];

        check(w, otf2.EvtWriter_GetNumberOfEvents(l->writer, &l->events));
        check(w, otf2.Archive_CloseEvtWriter(w->archive, l->writer));
        free(l->part);
    }
    check(w, otf2.Archive_CloseEvtFiles(w->archive));
    check(w, otf2.Archive_OpenDefFiles(w->archive));
    if (ret == 0 && !w->no_memory)
        ret = put_definitions(w);
    check(w, otf2.Archive_CloseDefFiles(w->archive));
    check(w, otf2.Archive_Close(w->archive));
    free(w->location);
    if (w->no_memory)
        ret = -ENOMEM;
    return ret == 0 && w->bad ? -EIO : ret;
}

int
out_otf2(struct out *out)
{
    struct writer w = { .out = out };
    int ret = load(out);

    if (ret < 0)
        return ret;
    ret = ranks_of(out->session, &w.ranks);
    if (ret == 0)
        ret = mpiclocks_open(out->session, &w.ranks, &w.clocks);
    if (ret == 0)
        ret = mpialign_clocks(out->session, &w.ranks, &w.clocks);
    if (ret == 0) {
        w.archive = otf2.Archive_Open(out->path, "traces", OTF2_FILEMODE_WRITE,
                                      1 << 20, 4 << 20, OTF2_SUBSTRATE_POSIX,
                                      OTF2_COMPRESSION_NONE);
        ret = w.archive ? write_archive(&w) : -EIO;
    }
    if (ret == 0 && w.again)
        out_warn(out, "%llu polls that found nothing have no region of their own, as "
                 "runs of them have one", (unsigned long long)w.again);
    mpiclocks_free(&w.clocks);
    ranks_free(&w.ranks);
    return ret;
}

#endif

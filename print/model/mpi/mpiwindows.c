/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/mpi/mpiwindows.h"

#include <errno.h>
#include <stdlib.h>

#include "print/base/array.h"
#include "print/model/mpi/mpilocks.h"
#include "print/model/mpi/mpiprogress.h"
#include "print/model/mpi/mpiqueue.h"

enum {
    COMMS_MAX = 1 << 20, /* ids beyond are damage */
    GROUP_MAX = 1 << 20,
    /*
     * What one rank announces to another; used as the tag of an envelope.
     */
    TAG_POST = 1,     /* its memory is open to the other rank */
    TAG_COMPLETE = 2, /* no more transfers will come */
};

struct group {
    u32 *rank; /* indices, or RANK_NONE */
    u32 count, room;
};

/* A window, with the state in which one rank has it. */
struct window {
    struct group post, start;
    bool posted;   /* MPI_Win_post() was called, MPI_Win_wait() not yet */
    bool started;  /* MPI_Win_start() was called, MPI_Win_complete() not yet */
    bool *met;     /* by index in start.rank: the rank's post has been found */
    u32 met_room;
    u32 *touched;  /* ranks that had transfers since the last call for all of them */
    u32 touches, room;
    u32 *mark;     /* by rank: `marked` where it is in touched[] */
    u32 marked;
};

struct lane {
    struct window **window; /* by id; NULL = not used yet */
    u32 windows;
};

struct mpi_windows {
    const struct mpi_windows_sink *sink;
    u32 ranks;
    struct lane *lane; /* by rank */
    struct mpi_queues *queues;
    struct mpi_locks *locks;
    struct mpi_progress *progress;
};

struct mpi_windows *
mpiwindows_open(u32 ranks, const struct mpi_windows_sink *sink)
{
    struct mpi_windows *w = calloc(1, sizeof(*w));

    if (!w)
        return NULL;
    w->sink = sink;
    w->ranks = ranks;
    w->lane = calloc((size_t)ranks + 1, sizeof(*w->lane));
    w->locks = mpilocks_open(ranks, sink);
    w->progress = mpiprogress_open(ranks, sink);
    if (w->lane && w->locks && w->progress)
        return w;
    mpiwindows_close(w);
    return NULL;
}

static void
close_window(struct window *window)
{
    if (!window)
        return;
    free(window->post.rank);
    free(window->start.rank);
    free(window->met);
    free(window->touched);
    free(window->mark);
    free(window);
}

static void
on_left(void *context, bool send, struct mpi_parcel *parcel)
{
    const struct mpi_windows *w = context;

    (void)send;
    w->sink->release(w->sink->context, parcel->message.receive.span);
    free(parcel);
}

void
mpiwindows_close(struct mpi_windows *w)
{
    if (!w)
        return;
    mpilocks_close(w->locks);
    mpiprogress_close(w->progress);
    mpiqueue_close(w->queues, on_left, w);
    for (u32 i = 0; i < w->ranks && w->lane; i++) {
        for (u32 k = 0; k < w->lane[i].windows; k++)
            close_window(w->lane[i].window[k]);
        free(w->lane[i].window);
    }
    free(w->lane);
    free(w);
}

/* Get the window that a rank knows by the id `comm`. NULL = no memory, or damage. */
static struct window *
window_of(struct mpi_windows *w, u32 rank, u32 comm)
{
    struct lane *lane = &w->lane[rank];

    if (comm >= COMMS_MAX ||
        array_room_zero(&lane->window, &lane->windows, comm + 1,
                        sizeof(struct window *)) < 0)
        return NULL;
    if (!lane->window[comm])
        lane->window[comm] = calloc(1, sizeof(struct window));
    return lane->window[comm];
}

int
mpiwindows_partner(struct mpi_windows *w, u32 rank, u32 comm, u32 call, u32 place,
                   u32 partner)
{
    struct window *window = window_of(w, rank, comm);
    struct group *group;

    if (!window)
        return comm < COMMS_MAX ? -ENOMEM : 0;
    group = call == MPICALL_Win_post ? &window->post : &window->start;
    if (!place)
        group->count = 0;
    if (group->count >= GROUP_MAX)
        return 0;
    if (array_room(&group->rank, &group->room, group->count + 1,
                   sizeof(*group->rank)) < 0)
        return -ENOMEM;
    group->rank[group->count++] = partner;
    return 0;
}

/* One side of a post (TAG_POST) or of a completion (TAG_COMPLETE). */
struct offer {
    u32 from, to, tag;
    bool gives; /* it announces; else it needs the announcement */
    bool only_if_there;
};

static void
report_wait(const struct mpi_windows *w, const struct mpi_parcel *parcel, u32 tag)
{
    const struct mpi_side *needs = &parcel->message.receive;

    w->sink->waited(w->sink->context,
                    tag == TAG_POST ? MPI_ASIDE_POST : MPI_ASIDE_COMPLETE, needs->span,
                    needs->rank, &parcel->message.send);
}

/*
 * Report the wait if the other side is in the queue; else put this side there, unless
 * only_if_there. Returns 1 if the other side was there or is not known, 0 or -ENOMEM.
 */
static int
make_offer(struct mpi_windows *w, const struct mpi_window_call *c,
           struct mpi_span *span, const struct offer *o)
{
    const struct mpi_envelope envelope = { c->window, o->from, o->to, o->tag };
    const struct mpi_side side = { .begin = c->span->begin, .rank = c->rank,
                                   .node = c->span->node, .span = span };
    struct mpi_parcel *parcel;

    if (o->from == RANK_NONE || o->to == RANK_NONE)
        return 1;
    if (!w->queues)
        w->queues = mpiqueue_open();
    if (!w->queues)
        return -ENOMEM;
    parcel = mpiqueue_pop(w->queues, &envelope, o->gives);
    if (parcel) {
        *(o->gives ? &parcel->message.send : &parcel->message.receive) = side;
        report_wait(w, parcel, o->tag);
        if (o->gives) /* the span of a queued receive was kept */
            w->sink->release(w->sink->context, parcel->message.receive.span);
        free(parcel);
        return 1;
    }
    if (o->only_if_there)
        return 0;
    parcel = calloc(1, sizeof(*parcel));
    if (!parcel)
        return -ENOMEM;
    *(o->gives ? &parcel->message.send : &parcel->message.receive) = side;
    if (span)
        span->pending++;
    return mpiqueue_put(w->queues, &envelope, o->gives, parcel);
}

/*
 * The call ends a post: it waits for the completion of each rank that had been given
 * access.
 */
static int
end_post(struct mpi_windows *w, struct window *window, const struct mpi_window_call *c,
         struct mpi_span *span)
{
    int ret = 0;

    for (u32 i = 0; i < window->post.count && window->posted && ret >= 0; i++) {
        const struct offer o = { window->post.rank[i], c->rank, TAG_COMPLETE, false,
                                 false };

        ret = make_offer(w, c, span, &o);
    }
    window->posted = false;
    return ret;
}

static int
on_post(struct mpi_windows *w, struct window *window, const struct mpi_window_call *c)
{
    /* If MPI_Win_test() has ended the previous post, that was not recorded. */
    int ret = end_post(w, window, c, NULL);

    for (u32 i = 0; i < window->post.count && ret >= 0; i++) {
        const struct offer o = { c->rank, window->post.rank[i], TAG_POST, true, false };

        ret = make_offer(w, c, NULL, &o);
    }
    window->posted = true;
    return ret;
}

/*
 * The call may have waited until the rank start.rank[at] posted: report that if the
 * post is known. If `at_last`, the call must have waited: the post may become known
 * later.
 */
static int
need_post(struct mpi_windows *w, struct window *window, const struct mpi_window_call *c,
          u32 at, bool at_last)
{
    const struct offer o = { window->start.rank[at], c->rank, TAG_POST, false,
                             !at_last };
    int ret = window->met[at] ? 1 : make_offer(w, c, c->span, &o);

    window->met[at] |= ret > 0;
    return ret;
}

static int
on_start(struct mpi_windows *w, struct window *window, const struct mpi_window_call *c)
{
    int ret = array_room(&window->met, &window->met_room, window->start.count + 1,
                         sizeof(*window->met));

    for (u32 i = 0; i < window->start.count && ret >= 0; i++) {
        window->met[i] = false;
        ret = need_post(w, window, c, i, false);
    }
    window->started = ret >= 0;
    return ret;
}

static int
on_complete(struct mpi_windows *w, struct window *window,
            const struct mpi_window_call *c)
{
    int ret = 0;

    for (u32 i = 0; i < window->start.count && window->started && ret >= 0; i++) {
        const struct offer o = { c->rank, window->start.rank[i], TAG_COMPLETE, true,
                                 false };

        ret = need_post(w, window, c, i, true);
        if (ret >= 0)
            ret = make_offer(w, c, NULL, &o);
    }
    window->started = false;
    return ret;
}

/* A transfer to or from c->peer. */
static int
on_transfer(struct mpi_windows *w, struct window *window,
            const struct mpi_window_call *c)
{
    int ret = 0;

    for (u32 i = 0; i < window->start.count && window->started && ret >= 0; i++)
        if (window->start.rank[i] == c->peer)
            ret = need_post(w, window, c, i, false);
    if (!window->mark)
        window->mark = calloc((size_t)w->ranks + 1, sizeof(*window->mark));
    if (!window->mark || ret < 0 ||
        array_room(&window->touched, &window->room, window->touches + 1,
                   sizeof(*window->touched)) < 0)
        return -ENOMEM;
    if (window->mark[c->peer] != window->marked + 1) {
        window->mark[c->peer] = window->marked + 1;
        window->touched[window->touches++] = c->peer;
    }
    return 0;
}

/* The call completes all transfers, or asks for a lock at each rank. */
static int
add_accesses(struct mpi_windows *w, struct window *window, struct mpi_span *span)
{
    int ret = 0;

    for (u32 i = 0; i < window->touches && ret == 0; i++)
        ret = mpiprogress_add_access(w->progress, span, window->touched[i]);
    window->touches = 0;
    window->marked++;
    return ret;
}

static int
on_passive(struct mpi_windows *w, struct window *window,
           const struct mpi_window_call *c)
{
    switch (c->call) {
    case MPICALL_Win_unlock_all:
    case MPICALL_Win_flush_all:
    case MPICALL_Win_flush_local_all:
        return add_accesses(w, window, c->span);
    case MPICALL_Win_lock:
    case MPICALL_Win_unlock:
    case MPICALL_Win_flush:
    case MPICALL_Win_flush_local:
        return c->peer == RANK_NONE ? 0
                                    : mpiprogress_add_access(w->progress, c->span,
                                                             c->peer);
    default:
        return 0;
    }
}

int
mpiwindows_call(struct mpi_windows *w, const struct mpi_window_call *c)
{
    struct window *window = window_of(w, c->rank, c->comm);
    int ret = 0;

    if (!window)
        return c->comm < COMMS_MAX ? -ENOMEM : 0;
    if (c->call == MPICALL_Win_post)
        ret = on_post(w, window, c);
    else if (c->call == MPICALL_Win_start)
        ret = on_start(w, window, c);
    else if (c->call == MPICALL_Win_complete)
        ret = on_complete(w, window, c);
    else if (c->call == MPICALL_Win_wait)
        ret = end_post(w, window, c, c->span);
    else if (c->kind == MPI_KIND_RMA && c->peer != RANK_NONE)
        ret = on_transfer(w, window, c);
    else
        ret = on_passive(w, window, c);
    if (ret >= 0 && c->peer != RANK_NONE)
        ret = mpilocks_call(w->locks, c);
    return ret < 0 ? ret : 0;
}

void
mpiwindows_progress(struct mpi_windows *w, u32 rank, const struct mpi_event *event)
{
    mpiprogress_add_call(w->progress, rank, event);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls that start persistent requests, and calls that complete requests of any kind.
 */
#include "collector/mpi/mpi_call.h"
#include "collector/mpi/mpi_comm.h"
#include "collector/mpi/mpi_put.h"
#include "collector/mpi/mpi_request.h"
#include "collector/mpi/mpi_scratch.h"

/*
 * Save the handles in c->kept, since the library will overwrite them; or claim the
 * requests, and save these (c->claims). They are claimed in two cases: if several
 * threads may be in MPI at once, as the library may give a handle to another thread
 * before this call returns; and if the call completes all of them unless it fails
 * (ends_all). `count` is passed as a long, but is an int: the upper half has no
 * meaning.
 */
static void
keep(struct mpi_call *c, const void *array, long count, u32 ends_all)
{
    u64 n = (int)count > 0 ? (u64)(int)count : 0;

    c->kept = c->saved;
    if (n > MPI_SAVED)
        c->kept = mpi_scratch_get(c, n * (8 + 8 * MPI_STATUS_WORDS));
    c->requests = c->kept ? n : 0;
    c->claims = ends_all || mpi_call_is_threaded();
    mpi_call_lock(c);
    for (u64 i = 0; i < c->requests; i++) {
        u64 handle = mpi_handle_in(array, i);

        if (!c->claims)
            c->kept[i].handle = handle;
        else
            c->kept[i].request = handle == mpi_abi.request_null
                                     ? NULL : mpi_request_claim(handle);
    }
    mpi_call_unlock(c);
}

/*
 * Mark the claimed sends that are complete before the call waits: the call does not
 * wait for those, even if their receivers are late. The library is queried only if more
 * than one request is active. In the query it may make progress with messages, but the
 * call itself would otherwise do that, so the target is hardly disturbed.
 */
static void
test_sends(struct mpi_call *c, const void *array)
{
    u64 active = 0;

    for (u64 i = 0; i < c->requests; i++)
        active += c->kept[i].request && c->kept[i].request->active;
    for (u64 i = 0; active > 1 && i < c->requests; i++) {
        struct mpi_request *q = c->kept[i].request;
        int flag = 0;

        if (q && q->active && q->kind == MPI_KIND_SEND && q->peer &&
            mpi_real.Request_get_status((long)mpi_handle_in(array, i), &flag,
                                        (long)mpi_abi.status_ignore) == 0)
            q->over = flag != 0;
    }
}

/*
 * Provide an array of statuses if the caller ignores them. If kept[] is in scratch
 * memory, the array follows it there: a second request for such memory would free it.
 */
static void
want_many(struct mpi_call *c, u32 at)
{
    u64 bytes = c->requests * mpi_abi.status_bytes;

    c->statuses = mpi_pointer(c, at);
    if ((u64)c->a[at] != mpi_abi.statuses_ignore || !c->requests)
        return;
    if (c->requests > MPI_SAVED)
        c->statuses = c->kept + c->requests;
    else if (bytes <= sizeof(c->status))
        c->statuses = c->status;
    else
        c->statuses = mpi_scratch_get(c, bytes);
    if (c->statuses)
        c->a[at] = (long)(uintptr_t)c->statuses;
}

static int
is_cancelled(const struct mpi_request *q, const void *status)
{
    return status && (q->outcome == OUTCOME_MESSAGE || q->peer) &&
           mpi_status_cancelled(status);
}

static void
put_done(struct mpi_call *c, struct mpi_request *q, const void *status)
{
    struct rec_done r = { .posted = q->posted, .call = q->call, .kind = q->kind,
                          .peer = q->peer,
                          .tag = q->tag, .received = q->received,
                          .posted_node = q->node, .over = q->over,
                          .comm = q->comm ? q->comm->id : 0 };

    if (q->outcome == OUTCOME_MESSAGE && status) {
        int source = mpi_status_int(status, mpi_abi.at_source);

        r.peer = mpi_comm_peer(q->comm, source);
        r.tag = r.peer ? mpi_tag(mpi_status_int(status, mpi_abi.at_tag)) : 0;
        r.received = source == mpi_abi.proc_null ? 0 : mpi_status_bytes(status);
    }
    if (q->outcome == OUTCOME_BYTES && status)
        r.received = mpi_status_bytes(status);
    if (q->outcome == OUTCOME_MADE)
        mpi_comm_made_with(c, mpi_handle_at(q->made), q->comm, q->key);
    if (!is_cancelled(q, status))
        mpi_put_done(c, &r);
}

/* The request is complete: record that, and remove it unless it is persistent. */
static void
end(struct mpi_call *c, struct mpi_request *q, const void *status)
{
    if (!q)
        return;
    if (q->active)
        put_done(c, q, status);
    q->active = q->over = 0;
    if (!q->persistent)
        mpi_request_remove(q);
}

/* Complete the ith request of the call, and record it. */
static void
end_at(struct mpi_call *c, u64 i, const void *status)
{
    struct mpi_request *q = c->kept[i].request;

    if (!c->claims)
        q = c->kept[i].handle == mpi_abi.request_null
                ? NULL : mpi_request_of(c->kept[i].handle);
    else
        c->kept[i].request = NULL;
    mpi_request_unclaim(q);
    end(c, q, status);
}

/*
 * Release the claims of requests that are not complete: the next call may claim them.
 */
static void
unclaim(struct mpi_call *c)
{
    for (u64 i = 0; c->claims && i < c->requests; i++)
        mpi_request_unclaim(c->kept[i].request);
}

static const void *
status_in(const struct mpi_call *c, u64 i)
{
    return c->statuses ? (const char *)c->statuses + i * mpi_abi.status_bytes : NULL;
}

/* Parameters: (request, status) and (request, flag, status) */
static void
before_wait(struct mpi_call *c)
{
    keep(c, mpi_pointer(c, 0), 1, 1);
    mpi_want_status(c, 1);
}

static void
before_test(struct mpi_call *c)
{
    keep(c, mpi_pointer(c, 0), 1, 0);
    mpi_want_status(c, 2);
}

static int
flag_at(const struct mpi_call *c, u32 at)
{
    return !c->result && *(const int *)mpi_pointer(c, at);
}

static void
wait(struct mpi_call *c)
{
    if (!c->result)
        end_at(c, 0, c->statuses);
    unclaim(c);
}

static void
test(struct mpi_call *c)
{
    c->idle = !c->result && !flag_at(c, 1);
    if (flag_at(c, 1))
        end_at(c, 0, c->statuses);
    unclaim(c);
}

RECIPE(wait, before_wait, wait);
RECIPE(test, before_test, test);

/*
 * MPI_Waitall(count, requests, statuses) and
 * MPI_Testall(count, requests, flag, statuses)
 */
static void
before_waitall(struct mpi_call *c)
{
    keep(c, mpi_pointer(c, 1), c->a[0], 1);
    test_sends(c, mpi_pointer(c, 1));
    want_many(c, 2);
}

static void
before_testall(struct mpi_call *c)
{
    keep(c, mpi_pointer(c, 1), c->a[0], 0);
    want_many(c, 3);
}

static void
end_all(struct mpi_call *c)
{
    for (u64 i = 0; i < c->requests; i++)
        end_at(c, i, status_in(c, i));
}

/*
 * After an error, complete the requests whose statuses have no error; nothing is known
 * of the others.
 */
static void
end_good(struct mpi_call *c)
{
    for (u64 i = 0; c->statuses && i < c->requests; i++)
        if (mpi_status_int(status_in(c, i), mpi_abi.at_error) == 0)
            end_at(c, i, status_in(c, i));
}

static void
waitall(struct mpi_call *c)
{
    if (!c->result)
        end_all(c);
    else
        end_good(c);
    unclaim(c);
}

static void
testall(struct mpi_call *c)
{
    c->idle = !c->result && !flag_at(c, 2);
    if (flag_at(c, 2))
        end_all(c);
    unclaim(c);
}

RECIPE(waitall, before_waitall, waitall);
RECIPE(testall, before_testall, testall);

/*
 * Parameters: (count, requests, index, status) or (count, requests, index, flag,
 * status)
 */
static void
before_waitany(struct mpi_call *c)
{
    keep(c, mpi_pointer(c, 1), c->a[0], 0);
    mpi_want_status(c, 3);
}

static void
before_testany(struct mpi_call *c)
{
    keep(c, mpi_pointer(c, 1), c->a[0], 0);
    mpi_want_status(c, 4);
}

static void
end_one(struct mpi_call *c)
{
    int which = *(const int *)mpi_pointer(c, 2);

    if (which >= 0 && (u64)which < c->requests)
        end_at(c, (u64)which, c->statuses);
}

static void
waitany(struct mpi_call *c)
{
    if (!c->result)
        end_one(c);
    unclaim(c);
}

static void
testany(struct mpi_call *c)
{
    c->idle = !c->result && !flag_at(c, 3);
    if (flag_at(c, 3))
        end_one(c);
    unclaim(c);
}

RECIPE(waitany, before_waitany, waitany);
RECIPE(testany, before_testany, testany);

/* Parameters: (count, requests, outcount, indices, statuses) */
static void
before_some(struct mpi_call *c)
{
    keep(c, mpi_pointer(c, 1), c->a[0], 0);
    want_many(c, 4);
}

static void
some(struct mpi_call *c)
{
    int n = *(const int *)mpi_pointer(c, 2);
    const int *which = mpi_pointer(c, 3);

    c->idle = !c->result && !n && c->row->mode == MPI_MODE_LOCAL;
    for (int i = 0; !c->result && i < n; i++)
        if (which[i] >= 0 && (u64)which[i] < c->requests)
            end_at(c, (u64)which[i], status_in(c, (u64)i));
    unclaim(c);
}

RECIPE(waitsome, before_some, some);
RECIPE(testsome, before_some, some);

static void
begin(struct mpi_call *c, struct mpi_request *q, u32 *seq)
{
    q->active = 1;
    q->posted = c->since;
    q->node = c->node;
    *seq = q->collective && q->comm ? ++q->comm->seq : 0;
}

/* Parameters: (request) */
static void
start(struct mpi_call *c)
{
    struct mpi_request *q = mpi_request_of(mpi_handle_at(mpi_pointer(c, 0)));

    if (!q || c->result)
        return;
    begin(c, q, &c->r.seq);
    c->r.kind = q->kind;
    c->r.comm = q->comm ? q->comm->id : 0;
    c->r.peer = q->peer;
    c->r.tag = q->tag;
    c->r.sent = q->sent;
}

RECIPE(start, NULL, start);

/* Parameters: (count, requests) */
static void
startall(struct mpi_call *c)
{
    for (int i = 0; !c->result && i < mpi_int(c, 0); i++) {
        struct mpi_request *q =
            mpi_request_of(mpi_handle_in(mpi_pointer(c, 1), (u64)i));
        struct rec_start r = { .call = 0 };

        if (!q)
            continue;
        begin(c, q, &r.seq);
        r.call = q->call;
        r.comm = q->comm ? q->comm->id : 0;
        r.peer = q->peer;
        r.tag = q->tag;
        r.sent = q->sent;
        mpi_put_start(c, &r);
    }
}

RECIPE(startall, NULL, startall);

/* MPI_Request_free(request): no later call completes it, so its entry is removed. */
static void
before_forget(struct mpi_call *c)
{
    keep(c, mpi_pointer(c, 0), 1, 1);
}

static void
forget(struct mpi_call *c)
{
    struct mpi_request *q = c->kept[0].request;

    if (q && !c->result)
        mpi_request_remove(q);
    else
        mpi_request_unclaim(q);
}

RECIPE(forget, before_forget, forget);

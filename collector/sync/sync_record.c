/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sync/sync_record.h"

#include <errno.h>
#include <unwind.h>

#include "collector/sync/sync_order.h"
#include "collector/sync/sync_real.h"
#include "collector/sync/sync_write.h"
#include "collector/sig/sys.h"

#define MAGIC 0x6b73617465726173ull

enum {
    LOOKS = 16,             /* attempts: the holder may be just writing its entry */
    TID_MASK = 0x3fffffff,  /* FUTEX_TID_MASK */
};

static const u32 never;
struct sync_settings sync_settings = { .quick = &never };

static u64
shifted(u64 ticks)
{
    return ticks >> SHIFT_synctrace;
}

/* Is an object of this kind held by a thread after it was acquired? */
static int
can_be_held(u32 kind)
{
    return kind == SYNC_MUTEX || kind == SYNC_READ || kind == SYNC_WRITE ||
           kind == SYNC_SPIN;
}

/*
 * Walk the stack; 0 = nothing is recorded. This is done before the wait, so that it
 * does not delay what the thread does when it wakes up.
 */
static u32
walk(const struct walk_start *start)
{
    struct trace_scope s;
    u32 node = 0;

    if (!trace_thread() || !trace_enter(&s))
        return 0;
    if (!s.paused)
        node = trace_walk(&s, start);
    trace_leave(&s);
    return node;
}

int
sync_request_begin(struct sync_request *ask, u32 kind, u64 object)
{
    struct thread *t = trace_thread();

    ask->self = t ? sync_thread_of(t) : NULL;
    ask->magic = 0;
    ask->object = object;
    ask->kind = kind;
    ask->mutex = ask->before = ask->granted = ask->holder_pc = 0;
    ask->holder = ask->holder_node = 0;
    ask->node = sync_settings.all ? walk(&ask->start) : 0;
    return 1;
}

/* The kernel's thread id of the owner, if libc has put it into the object; else 0. */
static u32
owner_of(const struct sync_request *ask)
{
    const void *object = (const void *)(uintptr_t)ask->object;

    switch (ask->kind) {
    case SYNC_MUTEX: {
        const pthread_mutex_t *m = object;

        return (u32)__atomic_load_n(&m->__data.__owner, __ATOMIC_RELAXED) & TID_MASK;
    }
    case SYNC_READ:
    case SYNC_WRITE: {
        const pthread_rwlock_t *l = object;

        return (u32)__atomic_load_n(&l->__data.__cur_writer, __ATOMIC_RELAXED);
    }
    default:
        return 0;
    }
}

static void
find_holder(struct sync_request *ask)
{
    struct sync_held entry = { 0 };
    const struct sync_thread *t = NULL;

    for (u32 i = 0; i < LOOKS; i++) {
        u32 owner = owner_of(ask);

        if (owner) {
            t = sync_thread_by_tid(owner);
            if (t && sync_thread_holds(t, ask->object, &entry))
                break;
        } else if (ask->kind != SYNC_MUTEX) {
            t = sync_thread_find(ask->object, &entry);
            break;
        }
        __builtin_ia32_pause();
    }
    if (!t)
        return;
    ask->holder = t->id;
    ask->holder_pc = entry.pc;
    ask->holder_node = entry.node;
}

/* Set the holder for pthread_join(): the thread whose end is waited for. */
static void
find_joined(struct sync_request *ask)
{
    const struct sync_thread *t = sync_thread_by_pointer(ask->object);

    if (t)
        ask->holder = t->id;
}

/*
 * Make this the thread's innermost request. If the last request lies below it on the
 * stack, longjmp() has left that: drop it, and those outside of it.
 */
static void
link_request(struct sync_request *ask)
{
    struct sync_request *outer = ask->self ? ask->self->ask : NULL;

    ask->magic = MAGIC;
    if (!ask->self)
        return;
    while (outer && outer <= ask)
        outer = NULL;
    ask->outer = outer;
    __atomic_store_n(&ask->self->ask, ask, __ATOMIC_RELAXED);
}

void
sync_waits(struct sync_request *ask)
{
    int may_be_held = can_be_held(ask->kind) || ask->kind == SYNC_ONCE;

    ask->before = trace_before();
    if (may_be_held)
        find_holder(ask);
    else if (ask->kind == SYNC_JOIN)
        find_joined(ask);
    if (may_be_held && ask->self && ask->self->count)
        sync_order(ask->self, ask->object, ask->kind, &ask->start);
    link_request(ask);
}

int
sync_refused(struct sync_request *ask, int error)
{
    if (ER_LIKELY(!error || error == EOWNERDEAD)) {
        if (ask->self && ask->self->count)
            sync_order(ask->self, ask->object, ask->kind, &ask->start);
        return 0;
    }
    sync_waits(ask);
    return 1;
}

void
sync_tried(struct sync_request *ask, int error)
{
    if (error && sync_settings.all && can_be_held(ask->kind))
        find_holder(ask);
}

/* Record a lock that was held until ticks. */
static void
put_hold(const struct sync_held *held, u64 ticks)
{
    struct rec_hold r = { .time = shifted(ticks), .kind = held->kind,
                          .object = held->object, .node = held->node };
    struct trace_scope s;
    struct chunk_writer *w;

    if (!held->ticks || !trace_enter(&s))
        return;
    if (!s.paused) {
        r.held = trace_between(shifted(held->ticks), r.time);
        w = sync_write_open(&s, ticks);
        sync_write_close(&s, w, w ? rec_put_hold(&w->codec, trace_at(w), &r) : NULL);
    }
    trace_leave(&s);
}

void
sync_waits_with(struct sync_request *ask, const void *mutex)
{
    struct sync_held held = { 0 };

    ask->mutex = (u64)(uintptr_t)mutex;
    if (ask->self) {
        sync_release(ask->self, ask->mutex, &held);
        if (ask->self->count)
            sync_order(ask->self, ask->mutex, SYNC_MUTEX, &ask->start);
    }
    sync_waits(ask);
    put_hold(&held, ask->before);
}

static void
put_wait(struct sync_request *ask, struct trace_scope *s, u64 after, int error)
{
    u64 before = ask->before ? ask->before : after;
    struct rec_wait r = { .time = shifted(after), .kind = ask->kind,
                          .error = (u32)error, .object = ask->object,
                          .holder = ask->holder, .holder_node = ask->holder_node };
    struct chunk_writer *w;

    r.took = trace_between(shifted(before), r.time);
    r.node = ask->node ? ask->node : trace_walk(s, &ask->start);
    if (ask->holder_pc && !ask->holder_node)
        r.holder_node = trace_place(s, ask->holder_pc);
    w = sync_write_open(s, after);
    sync_order_name(ask->object);
    sync_write_close(s, w, w ? rec_put_wait(&w->codec, trace_at(w), &r) : NULL);
    ask->node = r.node;
}

static void
record(struct sync_request *ask, u64 after, int error)
{
    struct trace_scope s;

    if (!trace_enter(&s))
        return;
    if (!ask->self && s.t->row)
        s.t->row->sync_calls++;
    /*
     * In a Java machine, this wait is part of a wait for a monitor, which
     * vm/java_lock.c records: do not count the call.
     */
    if (ER_UNLIKELY(s.t->java.since)) {
        if (s.t->row && s.t->row->sync_calls)
            s.t->row->sync_calls--;
    } else if (!s.paused && (sync_settings.all ||
                             after - ask->before >= sync_settings.threshold)) {
        put_wait(ask, &s, after, error);
    }
    trace_leave(&s);
}

static void
hold(struct sync_request *ask, u64 object, u32 kind, u64 ticks)
{
    struct sync_held entry = { .object = object, .pc = ask->start.pc,
                               .node = sync_settings.all ? ask->node : 0,
                               .kind = kind };

    /*
     * Without a node no record `hold` will be written: only waits are recorded, or
     * recording is paused.
     */
    entry.ticks = entry.node ? ticks : 0;
    sync_hold(ask->self, &entry);
}

static int
was_granted(int error)
{
    return error == 0 || error == EOWNERDEAD;
}

static void
follow(struct sync_request *ask, u64 after, int error)
{
    ++*ask->self->calls;
    if (ask->magic)
        __atomic_store_n(&ask->self->ask, ask->outer, __ATOMIC_RELAXED);
    if (was_granted(error) && can_be_held(ask->kind))
        hold(ask, ask->object, ask->kind, after);
    if (ask->mutex)
        hold(ask, ask->mutex, SYNC_MUTEX, after);
}

/*
 * Is this still the process and the thread of the request? A handler of the target may
 * have forked during the wait. In the child, the list and the nodes are the parent's,
 * and are not used. 0 = nothing is to be recorded.
 */
static int
is_still_here(struct sync_request *ask)
{
    const struct thread *t = trace_is_on() ? trace_thread() : NULL;

    if (ER_LIKELY(t && t->trace[TRACE_sync].own == ask->self))
        return 1;
    ask->self = NULL;
    ask->node = ask->holder = ask->holder_node = 0;
    ask->holder_pc = 0;
    return trace_is_on();
}

void
sync_done(struct sync_request *ask, int error)
{
    u64 after = 0;

    if (ER_UNLIKELY(!is_still_here(ask)))
        return;
    /* Without a wait, the cheap clock is exact enough for the time of acquisition. */
    if (ask->before)
        after = ask->granted ? ask->granted : trace_after();
    else if (sync_settings.all)
        after = trace_before();
    if (ask->self)
        follow(ask, after, error);
    if (after || !ask->self)
        record(ask, after, error);
    ask->magic = 0;
}

struct sync_request *
sync_once_begins(void)
{
    struct sync_request *ask = sync_thread_of(trace_thread())->ask;
    struct sync_held entry = { .object = ask->object, .pc = ask->start.pc,
                               .node = ask->node, .kind = SYNC_ONCE };

    ask->granted = trace_after();
    ask->holder = ask->holder_node = 0;
    ask->holder_pc = 0;
    sync_hold(ask->self, &entry);
    return ask;
}

void
sync_once_ends(struct sync_request *ask)
{
    struct sync_held held;

    sync_release(ask->self, ask->object, &held);
}

void
sync_release_begin(struct sync_back *back, u64 object)
{
    struct thread *t = trace_is_on() ? trace_thread() : NULL;

    back->held.object = 0;
    back->self = t ? sync_thread_of(t) : NULL;
    if (!back->self)
        return;
    sync_release(back->self, object, &back->held);
    back->ticks = back->held.ticks ? trace_before() : 0;
}

void
sync_release_end(const struct sync_back *back, int error)
{
    if (!back->held.object)
        return;
    if (ER_UNLIKELY(error))
        sync_hold(back->self, &back->held);
    else
        put_hold(&back->held, back->ticks);
}

u32
sync_waker(const struct walk_start *start, u32 *node)
{
    struct thread *t = trace_thread();
    struct sync_thread *self = t ? sync_thread_of(t) : NULL;

    *node = self ? walk(start) : 0;
    return self ? self->id : 0;
}

void
sync_renew(const volatile void *object, u32 kind)
{
    u64 ticks = trace_is_on() ? trace_before() : 0;
    struct rec_renew r = { .time = shifted(ticks), .object = (u64)(uintptr_t)object,
                           .kind = kind };
    struct trace_scope s;
    struct chunk_writer *w;

    if (!ticks || !sync_order_renew(r.object) || !trace_enter(&s))
        return;
    if (!s.paused) {
        w = sync_write_open(&s, ticks);
        sync_write_close(&s, w, w ? rec_put_renew(&w->codec, trace_at(w), &r) : NULL);
    }
    trace_leave(&s);
}

/* Called by the unwinder for each frame of a hook with SYNC_MAY_UNWIND. */
__attribute__((visibility("hidden"))) _Unwind_Reason_Code
sync_unwound(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
             struct _Unwind_Exception *exception, struct _Unwind_Context *context);

_Unwind_Reason_Code
sync_unwound(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
             struct _Unwind_Exception *exception, struct _Unwind_Context *context)
{
    struct thread *t = trace_is_on() ? trace_thread() : NULL;
    struct sync_thread *self = t ? sync_trace(t)->own : NULL;
    struct sync_request *ask = self ? self->ask : NULL;

    (void)version;
    (void)class;
    (void)exception;
    (void)context;
    /*
     * The request may be gone. If the target has left the request's stack by a jump,
     * that stack may be unmapped, or in use for something else (magic).
     */
    if (!(actions & _UA_CLEANUP_PHASE) || !ask || !sys_readable((u64)(uintptr_t)ask) ||
        ask->magic != MAGIC)
        return _URC_CONTINUE_UNWIND;
    if (ask->granted)
        sync_once_ends(ask);
    sync_done(ask, ask->granted ? 0 : ECANCELED);
    return _URC_CONTINUE_UNWIND;
}

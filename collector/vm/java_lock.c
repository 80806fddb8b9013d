/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/vm/java_lock.h"

#include <errno.h>

#include "collector/hook/trace.h"
#include "collector/preload/thread.h"
#include "collector/vm/java_name.h"
#include "collector/vm/java_thread.h"

int
java_lock_is_wanted(void)
{
    return __atomic_load_n(&space_ctl->file[FILE_synctrace].reserved,
                           __ATOMIC_ACQUIRE) != 0;
}

/*
 * Begin a wait for a monitor. The synchronization hooks do not record what the VM
 * itself waits for in this thread from now on, since that is the same wait. The names
 * are recorded before, so that the time for that does not count.
 */
static void
begin(void *jni, void *object, int has_owner)
{
    struct trace_scope s;
    struct thread_java *java;
    u32 owner;

    if (!trace_is_on() || !trace_thread() || !trace_enter(&s))
        return;
    java = &s.t->java;
    java->since = 0;
    if (!s.paused) {
        java->object = java_name_object(&s, jni, object);
        owner = has_owner ? java_thread_owner(java_thread_find(jni, s.t->tid)) : 0;
        java->holder = owner ? thread_id_of(owner) : 0;
        java->since = trace_before();
    }
    trace_leave(&s);
}

static void
put(struct trace_scope *s, const struct rec_wait *r, u64 ticks)
{
    struct trace *trace = &s->t->trace[TRACE_sync];
    struct chunk_writer *w = trace_open(s, trace, FILE_synctrace, ticks);

    if (w)
        trace_close(s, trace, w, rec_put_wait(&w->codec, trace_at(w), r));
    if (!s->t->row)
        return;
    s->t->row->sync_calls++;
    s->t->row->sync_seen = trace_seen(trace);
    s->t->row->sync_dropped = trace->dropped;
}

static void
end(void *jni, u32 kind, u32 error)
{
    u64 ticks = trace_is_on() ? trace_after() : 0;
    struct rec_wait r = { .time = ticks >> SHIFT_synctrace, .kind = kind,
                          .error = error };
    struct walk_start start;
    struct thread_java *java;
    struct trace_scope s;

    if (!ticks || !trace_thread() || !trace_enter(&s))
        return;
    java = &s.t->java;
    if (java->since && !s.paused) {
        r.took = trace_between(java->since >> SHIFT_synctrace, r.time);
        r.object = java->object;
        r.holder = java->holder;
        TRACE_CAPTURE(&start);
        if (!java_thread_start(java_thread_find(jni, s.t->tid), &start))
            start.here.known = 0;
        r.node = trace_walk(&s, &start);
        put(&s, &r, ticks);
    }
    java->since = 0;
    trace_leave(&s);
}

void
java_lock_contended(void *env, void *jni, void *thread, void *object)
{
    (void)env;
    (void)thread;
    begin(jni, object, 1);
}

void
java_lock_entered(void *env, void *jni, void *thread, void *object)
{
    (void)env;
    (void)thread;
    (void)object;
    end(jni, SYNC_MONITOR, 0);
}

void
java_lock_waits(void *env, void *jni, void *thread, void *object, int64_t ms)
{
    (void)env;
    (void)thread;
    (void)ms;
    begin(jni, object, 0);
}

void
java_lock_waited(void *env, void *jni, void *thread, void *object,
                 unsigned char timed_out)
{
    (void)env;
    (void)thread;
    (void)object;
    end(jni, SYNC_NOTIFY, timed_out ? ETIMEDOUT : 0);
}

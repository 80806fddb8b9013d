/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/vm/java_object.h"

#include "collector/hook/trace.h"
#include "collector/sig/guard.h"
#include "collector/preload/trace_slow.h"
#include "collector/vm/java_name.h"
#include "collector/vm/java_thread.h"
#include "collector/vm/jvmti.h"

static u32 numbers; /* the last number given to a sampled object */
static u64 rest;    /* fractions that whole() has cut off, in units of 2^-32 objects */

int
java_object_is_wanted(void)
{
    u64 mask;
    int there;

    if (!__atomic_load_n(&space_ctl->file[FILE_heaptrace].reserved, __ATOMIC_ACQUIRE))
        return 0;
    mask = guard_enter();
    there = trace_want_file(FILE_objects, CTL_OBJECTS);
    guard_leave(mask);
    return there;
}

/* 1 - e^-x: the probability that x sampling intervals of bytes contain a sample. */
static double
likelihood(double x)
{
    enum { HALVED = 10 };
    double step = x / (1 << HALVED), none;

    if (x > 40)
        return 1;
    if (x < 0.001)
        return x * (1 - x / 2 * (1 - x / 3));
    /* e^-step by its series up to the fourth power, then squared HALVED times. */
    none = 1 - step * (1 - step / 2 * (1 - step / 3 * (1 - step / 4)));
    for (u32 i = 0; i < HALVED; i++)
        none *= none;
    return 1 - none;
}

/*
 * Round a weight down to a whole number. The fraction is carried over to later samples,
 * so that sums stay correct.
 */
static u64
whole(double weight)
{
    u64 unit = (u64)1 << 32, sum = (u64)weight;
    u64 part = (u64)((weight - (double)sum) * (double)unit);
    u64 old = __atomic_fetch_add(&rest, part, __ATOMIC_RELAXED);

    return sum + ((old & (unit - 1)) + part >= unit);
}

static u32
walk(struct trace_scope *s, const void *jni)
{
    struct walk_start start;

    TRACE_CAPTURE(&start);
    /* Begin the walk at the Java method if it is known, else in the VM's own code. */
    if (!java_thread_start(java_thread_find(jni, s->t->tid), &start))
        start.here.known = 0;
    return trace_walk(s, &start);
}

static int
put(struct trace_scope *s, const struct rec_object *r, u64 ticks)
{
    struct chunk_writer *w = &s->t->objects;
    u64 mask = guard_enter();
    unsigned char *p = trace_begin(w, FILE_objects, s->t->id, ticks, ER_RECORD_MAX);

    if (p)
        writer_commit(w, rec_put_object(&w->codec, p, r));
    guard_leave(mask);
    return p != NULL;
}

void
java_object_sampled(void *env, void *jni, void *thread, void *object, void *class,
                    int64_t size)
{
    double weight = 1 / likelihood((double)size / JAVA_OBJECT_INTERVAL);
    u64 ticks = trace_is_on() ? trace_after() : 0;
    struct trace_scope s;
    struct rec_object r;

    (void)thread;
    if (!ticks || size <= 0 || !trace_thread() || !trace_enter(&s))
        return;
    if (!s.paused) {
        r = (struct rec_object){ .time = ticks >> SHIFT_objects, .size = (u64)size,
                                 .count = whole(weight), .live = 1,
                                 .bytes = (u64)((double)size * weight + 0.5) };
        r.node = walk(&s, jni);
        r.class = java_name_class(&s, class);
        r.id = __atomic_add_fetch(&numbers, 1, __ATOMIC_RELAXED);
        if (put(&s, &r, ticks))
            JVMTI_CALL(env, JVMTI_SET_TAG, (void *, void *, int64_t), object,
                       (int64_t)r.id);
    }
    trace_leave(&s);
}

void
java_object_collected(void *env, int64_t tag)
{
    u64 ticks = trace_is_on() ? trace_after() : 0, mask;
    struct rec_collected r = { .time = ticks >> SHIFT_objects, .id = (u32)tag };
    struct trace_scope s;
    struct chunk_writer *w;
    unsigned char *p;

    (void)env;
    if (!ticks || !trace_enter(&s))
        return;
    w = &s.t->objects;
    mask = guard_enter();
    p = trace_begin(w, FILE_objects, s.t->id, ticks, ER_RECORD_MAX);
    if (p)
        writer_commit(w, rec_put_collected(&w->codec, p, &r));
    guard_leave(mask);
    trace_leave(&s);
}

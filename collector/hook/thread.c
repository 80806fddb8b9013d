/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "collector/libc/real.h"
#include "collector/sig/guard.h"
#include "collector/preload/map.h"
#include "collector/preload/room.h"
#include "collector/preload/own_signal.h"
#include "collector/preload/recording.h"
#include "collector/preload/thread.h"
#include "collector/preload/thread_key.h"
#include "collector/sig/gate.h"

/* What a new thread is to do; one of the functions `posix` and `c11` is set. */
struct thread_start {
    void *(*posix)(void *);
    thrd_start_t c11;
    void *arg;
    struct thread_birth birth;
    u64 stack_bytes;
    struct thread_start *next;
};

enum {
    PAGE = 4096,
    THREAD_DESCRIPTOR = 2304, /* bytes of glibc's struct pthread, above all frames */
};

static struct thread_start *spare;

/*
 * Make room for more starts of threads. They are in pages of our own, and not from the
 * target's malloc.
 */
static void
make_spare(void)
{
    struct thread_start *page = sys_map(PAGE);

    for (u32 i = 0; page && i < PAGE / sizeof(*page); i++) {
        page[i].next = spare;
        spare = &page[i];
    }
}

static struct thread_start *
start_alloc(void)
{
    u64 mask = guard_enter();
    struct thread_start *e;

    guard_lock(&guard_thread_starts);
    if (!spare)
        make_spare();
    e = spare;
    if (e)
        spare = e->next;
    guard_unlock(&guard_thread_starts);
    guard_leave(mask);
    return e;
}

static void
start_free(struct thread_start *e)
{
    u64 mask = guard_enter();

    guard_lock(&guard_thread_starts);
    e->next = spare;
    spare = e;
    guard_unlock(&guard_thread_starts);
    guard_leave(mask);
}

static void
start_failed(struct thread_start *e)
{
    thread_expect(-1);
    start_free(e);
}

static u64
stack_bytes(const pthread_attr_t *attr)
{
    size_t bytes = 0;

    if (attr)
        pthread_attr_getstacksize(attr, &bytes);
    return bytes ? bytes : recording_thread_stack();
}

/*
 * Find the stack of the thread: its descriptor is at the top of it (glibc
 * nptl/allocatestack.c).
 */
static void
find_stack(struct thread_start *e)
{
    u64 top = (u64)pthread_self() + THREAD_DESCRIPTOR;

    e->birth.stack_hi = top;
    e->birth.stack_lo = ((top + PAGE - 1) & ~(u64)(PAGE - 1)) - e->stack_bytes;
}

/*
 * The target's start function and its argument, returned in two registers for a jump to
 * the function.
 */
struct task {
    void *function;
    void *arg;
};

static struct task
begin(struct thread_start *arg)
{
    struct thread_start e = *arg;

    start_free(arg);
    find_stack(&e);
    thread_begin(&e.birth);
    thread_expect(-1);
    thread_key_set();
    return (struct task){ e.c11 ? (void *)(uintptr_t)e.c11
                                : (void *)(uintptr_t)e.posix, e.arg };
}

/*
 * Jump to the target's function, by a tail call, so that no frame of ours stays on the
 * stack, which each walk would have to unwind.
 */
static void *
begin_posix(void *arg)
{
    struct task task = begin(arg);

    return ((void *(*)(void *))task.function)(task.arg);
}

static int
begin_c11(void *arg)
{
    struct task task = begin(arg);

    return ((thrd_start_t)task.function)(task.arg);
}

/* Prepare the thread_start of a new thread. NULL: the thread is not to be recorded. */
static struct thread_start *
prepare(void *start, const pthread_attr_t *attr)
{
    struct thread_start *e = gate_is_open() && !gate_limited ? start_alloc() : NULL;

    if (!e)
        return NULL;
    map_refresh_if_changed();
    room_extend_files();
    *e = (struct thread_start){ .stack_bytes = stack_bytes(attr) };
    e->birth.start = start;
    e->birth.blocked = thread_self ? thread_self->blocked : 0;
    thread_expect(1);
    return e;
}

/*
 * If a thread is created with our signal blocked, the signal must really be blocked in
 * the kernel until thread_begin(): a signal for the process that the new thread
 * received earlier would be lost. So the creating thread blocks the signal, and the new
 * thread inherits that mask.
 */
struct signal_hold {
    int held;
    u64 mask; /* signal mask of the creating thread, to be restored */
};

static struct signal_hold
hold_signal(const struct thread_start *e)
{
    struct signal_hold hold = { .held = e->birth.blocked != 0 };

    if (hold.held)
        hold.mask = own_signal_hold();
    return hold;
}

static void
release_signal(const struct signal_hold *hold)
{
    if (hold->held)
        own_signal_release(hold->mask);
}

WRAPPER int
pthread_create(pthread_t *id, const pthread_attr_t *attr, void *(*start)(void *),
               void *arg)
{
    struct thread_start *e = prepare((void *)(uintptr_t)start, attr);
    struct signal_hold hold;
    int error;

    if (!e)
        return REAL(pthread_create)(id, attr, start, arg);
    e->posix = start;
    e->arg = arg;
    hold = hold_signal(e);
    error = REAL(pthread_create)(id, attr, begin_posix, e);
    release_signal(&hold);
    if (error)
        start_failed(e);
    return error;
}

WRAPPER int
thrd_create(thrd_t *id, thrd_start_t start, void *arg)
{
    struct thread_start *e = prepare((void *)(uintptr_t)start, NULL);
    struct signal_hold hold;
    int error;

    if (!e)
        return REAL(thrd_create)(id, start, arg);
    e->c11 = start;
    e->arg = arg;
    hold = hold_signal(e);
    error = REAL(thrd_create)(id, begin_c11, e);
    release_signal(&hold);
    if (error != thrd_success)
        start_failed(e);
    return error;
}

/* A process can have 1,024 keys. If none is left for the target, we give up ours. */
WRAPPER int
pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
    int error = REAL(pthread_key_create)(key, destructor);

    if (error == EAGAIN && thread_key_delete())
        error = REAL(pthread_key_create)(key, destructor);
    return error;
}

WRAPPER int
tss_create(tss_t *key, tss_dtor_t destructor)
{
    int error = REAL(tss_create)(key, destructor);

    if (error != thrd_success && thread_key_delete())
        error = REAL(tss_create)(key, destructor);
    return error;
}

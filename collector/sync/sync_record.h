/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of synchronization, from what the hooks have seen. Contexts as in trace.h.
 *
 * A hook first tries to acquire without waiting, if there is a function for that. Only
 * if the try fails it reads the clock and calls the function that waits. Expressions
 * below are errno values, and are evaluated once; only the text of `wait` is expanded
 * twice.
 *
 *   SYNC_ASKED(kind, object, try, wait)   try, and if that fails, wait
 *   SYNC_TRIED(kind, object, try)         no wait follows
 *   SYNC_WAITED(kind, object, wait)       there is nothing to try
 *
 * They are used in the function that replaces libc's, or in a SYNC_HOOK that this
 * function tail-calls: in both cases the caller is the target.
 */
#ifndef ERTOOLS_COLLECTOR_SYNC_SYNC_RECORD_H
#define ERTOOLS_COLLECTOR_SYNC_SYNC_RECORD_H

#include "collector/sync/sync_thread.h"
#include "collector/hook/trace.h"

/* Settings that do not change once recording has begun. */
struct sync_settings {
    /* The gate's word if only waits are recorded, else a word that is always 0. */
    const u32 *quick;
    long self;     /* offset of the collector's thread_self from the thread pointer */
    u64 threshold; /* ticks: only waits of at least this length are recorded */
    u32 all;       /* 1 = every call and every hold is recorded */
};

extern struct sync_settings sync_settings;

/* A request for an object; it lives on the hook's stack. */
struct sync_request {
    struct sync_thread *self; /* the thread's list of locks; NULL = it has none */
    /* the request that a handler of the target interrupted, or NULL */
    struct sync_request *outer;
    u64 magic;                /* MAGIC of sync_record.c during the wait */
    u64 object;
    u64 mutex;   /* of a condition: the mutex that the wait releases; 0 = none */
    u64 before;  /* ticks when the wait began, 0 = there was no wait */
    /* of SYNC_ONCE: ticks when this thread began to run the routine, or 0 */
    u64 granted;
    u64 holder_pc; /* in the function that acquired the object; 0 = not known */
    u32 kind;
    u32 node; /* stack of the request; 0 = not walked yet */
    u32 holder; /* row of the holder in the file threads; 0 = not known */
    u32 holder_node; /* where it acquired the object; 0 = only holder_pc is known */
    void (*routine)(void); /* of SYNC_ONCE */
    struct walk_start start;
};

/*
 * Fill in a request. Use SYNC_REQUEST, which tests trace_is_on() and fills in `start`
 * before. Always returns 1, the value of SYNC_REQUEST if the request is to be recorded.
 */
int sync_request_begin(struct sync_request *ask, u32 kind, u64 object);

#define SYNC_REQUEST(ask, kind, object)          \
    (ER_LIKELY(trace_is_on()) && __extension__({ \
         TRACE_CAPTURE(&(ask)->start);       \
         sync_request_begin((ask), (kind), (u64)(uintptr_t)(object)); \
     }))

/*
 * Call before the real function waits: reads the clock, finds the holder, and records
 * the lock order if it is new.
 */
void sync_waits(struct sync_request *ask);

/* Like sync_waits(), for a condition: mutex is released during the wait. */
void sync_waits_with(struct sync_request *ask, const void *mutex);

/*
 * Call after a try that no wait follows; error: its result. Finds the holder if the try
 * has failed and every call is recorded.
 */
void sync_tried(struct sync_request *ask, int error);

/*
 * Call after a try that a wait may follow; error: its result. 1: sync_waits() was
 * called, and the real function must be called. 0: the object was acquired.
 */
int sync_refused(struct sync_request *ask, int error);

/*
 * Call when the object was acquired (error 0 or EOWNERDEAD), or was not (any other
 * error). Records the call, if the wait was long enough or every call is recorded, and
 * adds an acquired lock to the thread's list.
 */
void sync_done(struct sync_request *ask, int error);

/*
 * SYNC_ONCE: called when this thread begins to run the routine, and when it has run it.
 * The first function returns the thread's request, for the second one.
 */
struct sync_request *sync_once_begins(void);
void sync_once_ends(struct sync_request *ask);

/*
 * A release of an object. Call the first function before the real one, and the second
 * one after it, with its error; 0 = the object was released.
 */
struct sync_back {
    struct sync_held held; /* the entry of the lock; object 0 = it had none */
    struct sync_thread *self; /* NULL = nothing is recorded */
    u64 ticks; /* of the release; 0 = no record `hold` is to be written */
};
void sync_release_begin(struct sync_back *back, u64 object);
void sync_release_end(const struct sync_back *back, int error);

/*
 * Call when the calling thread is about to wake others. Returns its row in the file
 * threads, and its stack in *node; 0 = nothing is recorded.
 */
u32 sync_waker(const struct walk_start *start, u32 *node);

/*
 * An object is initialized or destroyed: record that, if records have named it. See
 * sync_order_renew().
 */
void sync_renew(const volatile void *object, u32 kind);

/*
 * libc's syscall(). Called at the start, too, since a later look-up would change what
 * dlerror() tells the target.
 */
void *sync_real_syscall(void) __attribute__((used, visibility("hidden")));

/*
 * Have sync_unwound() called when a thread unwinds through the hook's frame, because it
 * is cancelled, exits, or throws while it waits. That function only closes the wait in
 * our own data; the target needs no clean-up.
 */
#define SYNC_MAY_UNWIND __asm__ volatile(".cfi_personality 0x1b, sync_unwound")

/* See the top of this file. */
#define SYNC_ASKED(kind, object, try, wait)             \
    __extension__({                                     \
        struct sync_request ask_;                           \
        int error_;                                     \
                                                        \
        SYNC_MAY_UNWIND;                                \
        if (!SYNC_REQUEST(&ask_, (kind), (object))) {       \
            error_ = (wait);                            \
        } else {                                        \
            error_ = (try);                             \
            if (sync_refused(&ask_, error_))            \
                error_ = (wait);                        \
            sync_done(&ask_, error_);                   \
        }                                               \
        error_;                                         \
    })

#define SYNC_TRIED(kind, object, try)                   \
    __extension__({                                     \
        struct sync_request ask_;                           \
        int error_;                                     \
                                                        \
        if (!SYNC_REQUEST(&ask_, (kind), (object))) {       \
            error_ = (try);                             \
        } else {                                        \
            error_ = (try);                             \
            sync_tried(&ask_, error_);                  \
            sync_done(&ask_, error_);                   \
        }                                               \
        error_;                                         \
    })

#define SYNC_WAITED(kind, object, wait)                 \
    __extension__({                                     \
        struct sync_request ask_;                           \
        int error_;                                     \
                                                        \
        SYNC_MAY_UNWIND;                                \
        if (!SYNC_REQUEST(&ask_, (kind), (object))) {       \
            error_ = (wait);                            \
        } else {                                        \
            sync_waits(&ask_);                          \
            error_ = (wait);                            \
            sync_done(&ask_, error_);                   \
        }                                               \
        error_;                                         \
    })

/* Like SYNC_WAITED, for a condition: mutex is released and acquired again. */
#define SYNC_WAITED_WITH(object, mutex, wait)           \
    __extension__({                                     \
        struct sync_request ask_;                           \
        int error_;                                     \
                                                        \
        SYNC_MAY_UNWIND;                                \
        if (!SYNC_REQUEST(&ask_, SYNC_CONDITION, (object))) { \
            error_ = (wait);                            \
        } else {                                        \
            sync_waits_with(&ask_, (mutex));            \
            error_ = (wait);                            \
            sync_done(&ask_, error_);                   \
        }                                               \
        error_;                                         \
    })

/* `call` releases the object. */
#define SYNC_GIVEN_BACK(object, call)                   \
    __extension__({                                     \
        struct sync_back back_;                         \
        int error_;                                     \
                                                        \
        sync_release_begin(&back_, (u64)(uintptr_t)(object));         \
        error_ = (call);                                \
        sync_release_end(&back_, error_);                 \
        error_;                                         \
    })

/*
 * The fast path, for a lock that is free. Returns the list of this thread's locks, or
 * NULL if the hook must use the slow path.
 */
static inline struct sync_thread *
sync_quick(void)
{
    const char *tp = __builtin_thread_pointer();
    const struct thread *t;

    if (ER_UNLIKELY(!__atomic_load_n(sync_settings.quick, __ATOMIC_RELAXED)))
        return NULL;
    t = *(struct thread *const *)(const void *)(tp + sync_settings.self);
    return ER_LIKELY(t != NULL) ? t->trace[TRACE_sync].own : NULL;
}

/* See sync_order.h. */
int sync_order_known(const struct sync_thread *self, u64 object);

/* Like sync_quick(), but also NULL if a new lock order may have to be recorded. */
static inline struct sync_thread *
sync_quick_for(const volatile void *object)
{
    struct sync_thread *self = sync_quick();

    if (ER_UNLIKELY(self && self->count &&
                    !sync_order_known(self, (u64)(uintptr_t)object)))
        return NULL;
    return self;
}

/*
 * Count a call that has acquired a free lock, and add the lock to the list. pc: in the
 * hook's caller.
 */
static inline void
sync_acquired(struct sync_thread *self, const volatile void *object, u32 kind,
              const void *pc)
{
    struct sync_held entry = { .object = (u64)(uintptr_t)object,
                               .pc = (u64)(uintptr_t)pc, .kind = kind };

    ++*self->calls;
    sync_hold(self, &entry);
}

/*
 * Remove the lock from the list; the hook then calls the real function, which releases
 * it.
 */
static inline void
sync_remove(struct sync_thread *self, const volatile void *object)
{
    struct sync_held entry;

    sync_release(self, (u64)(uintptr_t)object, &entry);
}

#define SYNC_PC __builtin_return_address(0)

/* A hook that is not inlined, so that its caller is the target or a hook of ours. */
#define SYNC_HOOK static __attribute__((noinline))

#endif

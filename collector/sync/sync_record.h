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
    u32 all;       /* every call and every hold is recorded */
};

extern struct sync_settings sync_settings;

/* A request for an object; it lives on the hook's stack. */
struct sync_ask {
    struct sync_thread *self; /* the thread's list of locks; NULL = it has none */
    struct sync_ask *outer;   /* the request that a handler of the target interrupted */
    u64 magic;                /* MAGIC of sync_record.c during the wait */
    u64 object;
    u64 mutex;   /* for a condition: its mutex, held before and after the wait */
    u64 before;  /* ticks when the wait began, 0 = there was no wait */
    u64 granted; /* of SYNC_ONCE: ticks when this thread began to run the routine */
    u64 holder_pc;
    u32 kind;
    u32 node;
    u32 holder;
    u32 holder_node;
    void (*routine)(void); /* of SYNC_ONCE */
    struct walk_start start;
};

/*
 * Fill in a request. Use SYNC_ASK, which tests trace_is_on() and fills in `start`
 * before. Always returns 1, the value of SYNC_ASK if the request is to be recorded.
 */
int sync_ask(struct sync_ask *ask, u32 kind, u64 object);

#define SYNC_ASK(ask, kind, object)          \
    (ER_LIKELY(trace_is_on()) && __extension__({ \
         TRACE_CAPTURE(&(ask)->start);       \
         sync_ask((ask), (kind), (u64)(uintptr_t)(object)); \
     }))

/* The real function is about to wait. */
void sync_waits(struct sync_ask *ask);

/* Like sync_waits(), for a condition: mutex is released during the wait. */
void sync_waits_with(struct sync_ask *ask, const void *mutex);

/* Call after a try that no wait follows; error: its result. */
void sync_tried(struct sync_ask *ask, int error);

/* After a try: 1 if the real function must be called and may wait. */
int sync_refused(struct sync_ask *ask, int error);

/*
 * Call when the object was acquired (error 0 or EOWNERDEAD), or was not (any other
 * error): records that, and notes the lock as held.
 */
void sync_done(struct sync_ask *ask, int error);

/*
 * SYNC_ONCE: call these when this thread begins to run the routine, and when it has run
 * it. The first one returns the thread's request, for the second one.
 */
struct sync_ask *sync_once_begins(void);
void sync_once_ends(struct sync_ask *ask);

/*
 * A release of an object. Call the first function before the real one, and the second
 * one after it, with its error; 0 = the object was released.
 */
struct sync_back {
    struct sync_held held;
    struct sync_thread *self;
    u64 ticks;
};
void sync_gives_back(struct sync_back *back, u64 object);
void sync_gave_back(const struct sync_back *back, int error);

/*
 * Call when the calling thread is about to wake others. Returns its row in the file
 * threads, and its stack in *node; 0 = nothing is recorded.
 */
u32 sync_waker(const struct walk_start *start, u32 *node);

/* An object is initialized or destroyed: record that; see sync_order_renew(). */
void sync_renew(const volatile void *object, u32 kind);

/*
 * Begin and end a record of the file synctrace. w: what sync_record_open() returned;
 * NULL = there is no room, and the event is only counted.
 */
struct chunk_writer *sync_record_open(struct trace_scope *s, u64 ticks);
void sync_record_close(struct trace_scope *s, struct chunk_writer *w,
                       const unsigned char *end);

/*
 * Have sync_unwound() called when a thread unwinds through the hook's frame, because it
 * is cancelled, exits, or throws while it waits. That function only closes the wait in
 * our own data; the target needs no clean-up.
 */
#define SYNC_MAY_UNWIND __asm__ volatile(".cfi_personality 0x1b, sync_unwound")

/* See the top of this file. */
#define SYNC_ASKED(kind, object, try, wait)             \
    __extension__({                                     \
        struct sync_ask ask_;                           \
        int error_;                                     \
                                                        \
        SYNC_MAY_UNWIND;                                \
        if (!SYNC_ASK(&ask_, (kind), (object))) {       \
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
        struct sync_ask ask_;                           \
        int error_;                                     \
                                                        \
        if (!SYNC_ASK(&ask_, (kind), (object))) {       \
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
        struct sync_ask ask_;                           \
        int error_;                                     \
                                                        \
        SYNC_MAY_UNWIND;                                \
        if (!SYNC_ASK(&ask_, (kind), (object))) {       \
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
        struct sync_ask ask_;                           \
        int error_;                                     \
                                                        \
        SYNC_MAY_UNWIND;                                \
        if (!SYNC_ASK(&ask_, SYNC_CONDITION, (object))) { \
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
        sync_gives_back(&back_, (u64)(uintptr_t)(object));         \
        error_ = (call);                                \
        sync_gave_back(&back_, error_);                 \
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

/* Note that the lock was free, and is acquired now. pc: in the hook's caller. */
static inline void
sync_took(struct sync_thread *self, const volatile void *object, u32 kind,
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
sync_gives(struct sync_thread *self, const volatile void *object)
{
    struct sync_held entry;

    sync_release(self, (u64)(uintptr_t)object, &entry);
}

#define SYNC_PC __builtin_return_address(0)

/* A hook that is not inlined, so that its caller is the target or a hook of ours. */
#define SYNC_HOOK static __attribute__((noinline))

#endif

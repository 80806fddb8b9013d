/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/vm/java_listen.h"

#include <errno.h>
#include <time.h>

#include "collector/sig/sys.h"
#include "collector/vm/java_code.h"
#include "collector/vm/java_lock.h"
#include "collector/vm/java_name.h"
#include "collector/vm/java_object.h"

enum {
    PAUSE_NS = 1000000,
    PAUSES = 3000, /* waits of PAUSE_NS for a callback that is being executed */
};

static u32 on;      /* 1 = events are passed on */
static u32 running; /* callbacks that are being executed, in all threads */

/* A callback goes on if this is 1, and calls leave() at its end. */
static int
enter(void)
{
    __atomic_fetch_add(&running, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&on, __ATOMIC_SEQ_CST))
        return 1;
    __atomic_fetch_sub(&running, 1, __ATOMIC_SEQ_CST);
    return 0;
}

static void
leave(void)
{
    __atomic_fetch_sub(&running, 1, __ATOMIC_SEQ_CST);
}

void
java_listen_start(void)
{
    __atomic_store_n(&on, 1, __ATOMIC_SEQ_CST);
}

int
java_listen_stop(void)
{
    struct timespec pause = { 0, PAUSE_NS };

    __atomic_store_n(&on, 0, __ATOMIC_SEQ_CST);
    for (u32 i = 0; i < PAUSES; i++) {
        if (!__atomic_load_n(&running, __ATOMIC_SEQ_CST))
            return 0;
        sys_call4(SYS_nanosleep, (long)(uintptr_t)&pause, 0, 0, 0);
    }
    return -EBUSY;
}

int
java_listen_is_on(void)
{
    return __atomic_load_n(&on, __ATOMIC_SEQ_CST) != 0;
}

/* A callback `name` with these parameters, which calls `handler`. */
#define CALLBACK(name, handler, params, args) \
    static void name params                   \
    {                                         \
        if (!enter())                         \
            return;                           \
        handler args;                         \
        leave();                              \
    }

CALLBACK(compiled, java_code_compiled,
         (void *env, void *method, int size, const void *code, int nmap,
          const struct jvmti_address *map, const struct jvmti_compile_record *info),
         (env, method, size, code, nmap, map, info))
CALLBACK(unloaded, java_code_unloaded, (void *env, void *method, const void *code),
         (env, method, code))
CALLBACK(generated, java_code_generated,
         (void *env, const char *name, const void *code, int size),
         (env, name, code, size))
CALLBACK(begun, java_name_thread, (void *env, void *jni, void *thread),
         (env, jni, thread))
CALLBACK(sampled, java_object_sampled,
         (void *env, void *jni, void *thread, void *object, void *class, int64_t size),
         (env, jni, thread, object, class, size))
CALLBACK(collected, java_object_collected, (void *env, int64_t tag), (env, tag))
CALLBACK(contended, java_lock_contended,
         (void *env, void *jni, void *thread, void *object),
         (env, jni, thread, object))
CALLBACK(entered, java_lock_entered, (void *env, void *jni, void *thread, void *object),
         (env, jni, thread, object))
CALLBACK(waits, java_lock_waits,
         (void *env, void *jni, void *thread, void *object, int64_t ms),
         (env, jni, thread, object, ms))
CALLBACK(waited, java_lock_waited,
         (void *env, void *jni, void *thread, void *object, unsigned char timed_out),
         (env, jni, thread, object, timed_out))

/* A table of callbacks, by the events' numbers. */
struct table {
    void *event[JVMTI_EVENT_END - JVMTI_EVENT_FIRST];
};

#define AT(number) event[(number)-JVMTI_EVENT_FIRST]

static int
register_table(void *env, const struct table *t)
{
    return JVMTI_CALL(env, JVMTI_SET_EVENT_CALLBACKS, (void *, void *const *, int),
                      t->event, sizeof(t->event));
}

int
java_listen_register(void *env)
{
    struct table t = { { NULL } };

    t.AT(JVMTI_COMPILED_METHOD_LOAD) = (void *)(uintptr_t)compiled;
    t.AT(JVMTI_COMPILED_METHOD_UNLOAD) = (void *)(uintptr_t)unloaded;
    t.AT(JVMTI_DYNAMIC_CODE_GENERATED) = (void *)(uintptr_t)generated;
    t.AT(JVMTI_THREAD_START) = (void *)(uintptr_t)begun;
    t.AT(JVMTI_SAMPLED_OBJECT_ALLOC) = (void *)(uintptr_t)sampled;
    t.AT(JVMTI_OBJECT_FREE) = (void *)(uintptr_t)collected;
    return register_table(env, &t);
}

int
java_listen_register_locks(void *env)
{
    struct table t = { { NULL } };

    t.AT(JVMTI_MONITOR_WAIT) = (void *)(uintptr_t)waits;
    t.AT(JVMTI_MONITOR_WAITED) = (void *)(uintptr_t)waited;
    t.AT(JVMTI_MONITOR_CONTENDED_ENTER) = (void *)(uintptr_t)contended;
    t.AT(JVMTI_MONITOR_CONTENDED_ENTERED) = (void *)(uintptr_t)entered;
    return register_table(env, &t);
}

static int
set_mode(void *env, u32 event, u32 mode)
{
    return JVMTI_CALL(env, JVMTI_SET_EVENT_NOTIFICATION_MODE,
                      (void *, u32, u32, void *), mode, event, NULL);
}

int
java_listen_enable(void *env, enum jvmti_event event)
{
    return set_mode(env, event, JVMTI_ENABLE);
}

void
java_listen_disable(void *env)
{
    static const enum jvmti_event events[] = {
        JVMTI_THREAD_START, JVMTI_COMPILED_METHOD_LOAD, JVMTI_COMPILED_METHOD_UNLOAD,
        JVMTI_DYNAMIC_CODE_GENERATED, JVMTI_MONITOR_WAIT, JVMTI_MONITOR_WAITED,
        JVMTI_MONITOR_CONTENDED_ENTER, JVMTI_MONITOR_CONTENDED_ENTERED,
        JVMTI_OBJECT_FREE, JVMTI_SAMPLED_OBJECT_ALLOC
    };

    for (u32 i = 0; i < ER_COUNT(events); i++)
        (void)set_mode(env, events[i], JVMTI_DISABLE);
}

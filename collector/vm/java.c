/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/vm/java.h"

#include <errno.h>
#include <string.h>

#include "collector/libc/real.h"
#include "collector/preload/made.h"
#include "collector/preload/services.h"
#include "collector/sig/gate.h"
#include "collector/vm/hotspot_layout.h"
#include "collector/preload/expt.h"
#include "collector/vm/java_code.h"
#include "collector/vm/java_lock.h"
#include "collector/vm/java_name.h"
#include "collector/vm/java_object.h"
#include "collector/vm/jvmti.h"
#include "share/fmt.h"
#include "share/params.h"

enum { JNI_ERROR = -1 };

typedef int create_machine(void **machine, void **env, void *args);

int JNI_CreateJavaVM(void **machine, void **env, void *args);
int Agent_OnLoad(void *machine, char *options, void *reserved);

static create_machine *real_create;
static u32 layout_tried; /* 1 = read_layout() has been called while recording */
static void *agent;      /* our environment of JVM TI, or NULL */

static int
is_wanted(void)
{
    return gate_is_open() && !gate_limited && !services_params()->no_java;
}

/*
 * Read the layout of the VM's structures. Called before the VM is created, so that
 * walks can use the layout from the beginning.
 */
static void
read_layout(void *handle)
{
    if (gate_is_open() && !__atomic_exchange_n(&layout_tried, 1, __ATOMIC_ACQ_REL))
        hotspot_layout_read(handle, is_wanted());
}

/* Called instead of the real dlsym() when a program looks up JNI_CreateJavaVM. */
static void *
find_create(void *handle, const char *name)
{
    void *found = REAL(dlsym)(handle, name);

    /* If our own function was found in the global scope, take the next definition. */
    if (found == (void *)(uintptr_t)&JNI_CreateJavaVM)
        found = REAL(dlsym)(RTLD_NEXT, name);
    if (!found)
        return NULL;
    memcpy(&real_create, &found, sizeof(found));
    read_layout(handle);
    return gate_is_open() ? (void *)(uintptr_t)&JNI_CreateJavaVM : found;
}

void *
java_instead(void *handle, const char *name)
{
    /*
     * Leave RTLD_NEXT to the real function: its meaning depends on the caller of
     * dlsym().
     */
    if (ER_LIKELY(!name || *name != 'J') || strcmp(name, "JNI_CreateJavaVM") != 0 ||
        handle == RTLD_NEXT)
        return NULL;
    return (void *)(uintptr_t)&find_create;
}

static int
add_capabilities(void *env)
{
    struct jvmti_capabilities c = { .words = { 0 } };

    c.words[0] = 1u << JVMTI_CAN_GET_SOURCE_FILE_NAME |
                 1u << JVMTI_CAN_GET_LINE_NUMBERS |
                 1u << JVMTI_CAN_GENERATE_COMPILED_METHOD_LOAD_EVENTS;
    return JVMTI_CALL(env, JVMTI_ADD_CAPABILITIES,
                      (void *, const struct jvmti_capabilities *), &c);
}

/*
 * Does the VM report its own stubs by collector_func_load()? HotSpot does so when it
 * makes them, if it finds that function. From other VMs, the stubs are requested by JVM
 * TI.
 */
static int
reports_stubs(void)
{
    return __atomic_load_n(&made_by_call, __ATOMIC_RELAXED) != 0;
}

static int
enable(void *env, u32 event)
{
    return JVMTI_CALL(env, JVMTI_SET_EVENT_NOTIFICATION_MODE,
                      (void *, u32, u32, void *), JVMTI_ENABLE, event, NULL);
}

/*
 * Request capabilities that some VMs do not have, or that another agent may have taken.
 * 1 if all are granted.
 */
static int
add_more(void *env, const u32 *bits, u32 count)
{
    struct jvmti_capabilities c = { .words = { 0 } };

    for (u32 i = 0; i < count; i++)
        c.words[bits[i] / 32] |= 1u << bits[i] % 32;
    return !JVMTI_CALL(env, JVMTI_ADD_CAPABILITIES,
                       (void *, const struct jvmti_capabilities *), &c);
}

static int
set_callbacks(void *env)
{
    static void *callbacks[JVMTI_EVENT_END - JVMTI_EVENT_FIRST];

    callbacks[JVMTI_COMPILED_METHOD_LOAD - JVMTI_EVENT_FIRST] =
        (void *)(uintptr_t)&java_code_compiled;
    callbacks[JVMTI_COMPILED_METHOD_UNLOAD - JVMTI_EVENT_FIRST] =
        (void *)(uintptr_t)&java_code_unloaded;
    callbacks[JVMTI_DYNAMIC_CODE_GENERATED - JVMTI_EVENT_FIRST] =
        (void *)(uintptr_t)&java_code_generated;
    callbacks[JVMTI_THREAD_START - JVMTI_EVENT_FIRST] =
        (void *)(uintptr_t)&java_name_thread;
    callbacks[JVMTI_SAMPLED_OBJECT_ALLOC - JVMTI_EVENT_FIRST] =
        (void *)(uintptr_t)&java_object_sampled;
    callbacks[JVMTI_OBJECT_FREE - JVMTI_EVENT_FIRST] =
        (void *)(uintptr_t)&java_object_collected;
    return JVMTI_CALL(env, JVMTI_SET_EVENT_CALLBACKS, (void *, void *const *, int),
                      callbacks, sizeof(callbacks)) ||
           enable(env, JVMTI_COMPILED_METHOD_LOAD) ||
           enable(env, JVMTI_COMPILED_METHOD_UNLOAD) ||
           (!reports_stubs() && enable(env, JVMTI_DYNAMIC_CODE_GENERATED));
}

/* Ask for the capability without which the VM reports nothing of virtual threads. */
static void
follow_virtual_threads(void *env)
{
    static const u32 bits[] = { JVMTI_CAN_SUPPORT_VIRTUAL_THREADS };

    (void)add_more(env, bits, ER_COUNT(bits));
}

static void
follow_objects(void *env)
{
    static const u32 bits[] = { JVMTI_CAN_TAG_OBJECTS,
                                JVMTI_CAN_GENERATE_OBJECT_FREE_EVENTS,
                                JVMTI_CAN_GENERATE_SAMPLED_OBJECT_ALLOC_EVENTS };
    char number[24];
    struct fmt f = fmt_start(number, sizeof(number) - 1);

    if (!java_object_is_wanted())
        return;
    if (!add_more(env, bits, ER_COUNT(bits))) {
        expt_event(EVENT_java_objects_refused, NULL, NULL, NULL, 0);
        return;
    }
    follow_virtual_threads(env);
    if (JVMTI_CALL(env, JVMTI_SET_HEAP_SAMPLING_INTERVAL, (void *, int),
                   JAVA_OBJECT_INTERVAL) ||
        enable(env, JVMTI_OBJECT_FREE) || enable(env, JVMTI_SAMPLED_OBJECT_ALLOC))
        return;
    fmt_u64(&f, JAVA_OBJECT_INTERVAL);
    *f.at = '\0';
    expt_event(EVENT_java_objects, number, NULL, NULL, 0);
}

/*
 * Follow locks by the environment that is used for names, which does not support
 * virtual threads: such a thread may end its wait in another kernel thread.
 */
static void
follow_locks(void)
{
    static const u32 bits[] = { JVMTI_CAN_GENERATE_MONITOR_EVENTS };
    static void *callbacks[JVMTI_EVENT_END - JVMTI_EVENT_FIRST];
    void *env = java_name_environment();

    if (!java_lock_is_wanted() || !add_more(env, bits, ER_COUNT(bits)))
        return;
    callbacks[JVMTI_MONITOR_WAIT - JVMTI_EVENT_FIRST] =
        (void *)(uintptr_t)&java_lock_waits;
    callbacks[JVMTI_MONITOR_WAITED - JVMTI_EVENT_FIRST] =
        (void *)(uintptr_t)&java_lock_waited;
    callbacks[JVMTI_MONITOR_CONTENDED_ENTER - JVMTI_EVENT_FIRST] =
        (void *)(uintptr_t)&java_lock_asked;
    callbacks[JVMTI_MONITOR_CONTENDED_ENTERED - JVMTI_EVENT_FIRST] =
        (void *)(uintptr_t)&java_lock_entered;
    if (JVMTI_CALL(env, JVMTI_SET_EVENT_CALLBACKS, (void *, void *const *, int),
                   callbacks, sizeof(callbacks)))
        return;
    for (u32 event = JVMTI_MONITOR_WAIT; event <= JVMTI_MONITOR_CONTENDED_ENTERED;
         event++)
        (void)enable(env, event);
}

/* Have the VM report all code that it has made already; it does so in this thread. */
static void
replay(void *env)
{
    u32 phase = 0;

    if (JVMTI_CALL(env, JVMTI_GET_PHASE, (void *, u32 *), &phase) ||
        phase != JVMTI_PHASE_LIVE)
        return;
    java_code_replayed = 1;
    if (!reports_stubs())
        JVMTI_CALL(env, JVMTI_GENERATE_EVENTS, (void *, u32),
                   JVMTI_DYNAMIC_CODE_GENERATED);
    JVMTI_CALL(env, JVMTI_GENERATE_EVENTS, (void *, u32), JVMTI_COMPILED_METHOD_LOAD);
    java_code_replayed = 0;
}

/*
 * Begin to listen to a VM. jni: the calling thread's environment, or NULL: the VM does
 * not run yet.
 */
static void
begin(void *machine, void *jni)
{
    int (*get_env)(void *, void **, int);
    void *env = NULL, *none = NULL;

    memcpy(&get_env, &(*(const jvmti_table *)machine)[JNI_GET_ENV], sizeof(get_env));
    if (get_env(machine, &env, JVMTI_VERSION) || !env)
        return;
    if (!__atomic_compare_exchange_n(&agent, &none, env, 0, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED) ||
        add_capabilities(env) || set_callbacks(env)) {
        ((int (*)(void *))jvmti_function(env, JVMTI_DISPOSE_ENVIRONMENT))(env);
        return;
    }
    __atomic_store_n(&trace_services, services_own(), __ATOMIC_RELEASE);
    expt_event(EVENT_java, NULL, NULL, NULL, 0);
    replay(env);
    if (java_name_open(machine))
        return;
    (void)enable(env, JVMTI_THREAD_START);
    if (jni)
        java_name_all_threads(env, jni);
    follow_locks();
    follow_objects(env);
}

WRAPPER int
JNI_CreateJavaVM(void **machine, void **env, void *args)
{
    create_machine *create = real_create;
    int ret;

    if (!create) {
        void *found = REAL(dlsym)(RTLD_NEXT, "JNI_CreateJavaVM");

        memcpy(&create, &found, sizeof(found));
        read_layout(RTLD_DEFAULT);
    }
    ret = create ? create(machine, env, args) : JNI_ERROR;
    if (ret == 0 && is_wanted())
        begin(*machine, *env);
    return ret;
}

/* Called if the VM was told, as by -agentpath, to load us as an agent. */
WRAPPER int
Agent_OnLoad(void *machine, char *options, void *reserved)
{
    (void)options;
    (void)reserved;
    if (is_wanted())
        begin(machine, NULL);
    return 0;
}

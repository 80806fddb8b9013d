/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/vm/java_agent.h"

#include <errno.h>
#include <string.h>

#include "collector/hook/trace.h"
#include "collector/preload/expt.h"
#include "collector/preload/made.h"
#include "collector/preload/services.h"
#include "collector/sig/gate.h"
#include "collector/vm/java_code.h"
#include "collector/vm/java_listen.h"
#include "collector/vm/java_lock.h"
#include "collector/vm/java_name.h"
#include "collector/vm/java_object.h"
#include "collector/vm/jvmti.h"
#include "share/fmt.h"
#include "share/params.h"

static void *agent; /* our environment of JVM TI, or NULL */
static u32 has_interval; /* 1 = we have set how often objects are sampled */

int
java_agent_is_wanted(void)
{
    return gate_is_open() && !gate_limited && !services_params()->no_java;
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

/* Have the VM report the code that it makes. 0, or JVM TI's error. */
static int
follow_code(void *env)
{
    int error = java_listen_register(env);

    if (!error)
        error = java_listen_enable(env, JVMTI_COMPILED_METHOD_LOAD);
    if (!error)
        error = java_listen_enable(env, JVMTI_COMPILED_METHOD_UNLOAD);
    if (!error && !reports_stubs())
        error = java_listen_enable(env, JVMTI_DYNAMIC_CODE_GENERATED);
    return error;
}

/* Ask for the capability without which the VM reports nothing of virtual threads. */
static void
follow_virtual_threads(void *env)
{
    static const u32 bits[] = { JVMTI_CAN_SUPPORT_VIRTUAL_THREADS };

    (void)add_more(env, bits, ER_COUNT(bits));
}

static int
set_interval(void *env, int bytes)
{
    return JVMTI_CALL(env, JVMTI_SET_HEAP_SAMPLING_INTERVAL, (void *, int), bytes);
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
    if (set_interval(env, JAVA_OBJECT_INTERVAL))
        return;
    has_interval = 1;
    if (java_listen_enable(env, JVMTI_OBJECT_FREE) ||
        java_listen_enable(env, JVMTI_SAMPLED_OBJECT_ALLOC))
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
    void *env = java_name_environment();

    if (!java_lock_is_wanted() || !add_more(env, bits, ER_COUNT(bits)))
        return;
    if (java_listen_register_locks(env))
        return;
    for (u32 event = JVMTI_MONITOR_WAIT; event <= JVMTI_MONITOR_CONTENDED_ENTERED;
         event++)
        (void)java_listen_enable(env, (enum jvmti_event)event);
}

/* Have the VM report all code that it has made already; it does so in this thread. */
static void
replay(void *env)
{
    u32 phase = 0;

    if (JVMTI_CALL(env, JVMTI_GET_PHASE, (void *, u32 *), &phase) ||
        phase != JVMTI_PHASE_LIVE)
        return;
    java_code_replay(1);
    if (!reports_stubs())
        JVMTI_CALL(env, JVMTI_GENERATE_EVENTS, (void *, u32),
                   JVMTI_DYNAMIC_CODE_GENERATED);
    JVMTI_CALL(env, JVMTI_GENERATE_EVENTS, (void *, u32), JVMTI_COMPILED_METHOD_LOAD);
    java_code_replay(0);
}

static void
dispose(void *env)
{
    ((int (*)(void *))jvmti_function(env, JVMTI_DISPOSE_ENVIRONMENT))(env);
}

int
java_agent_begin(void *machine, void *jni)
{
    int (*get_env)(void *, void **, int);
    void *env = NULL, *none = NULL;

    memcpy(&get_env, &(*(const jvmti_table *)machine)[JNI_GET_ENV], sizeof(get_env));
    if (get_env(machine, &env, JVMTI_VERSION) || !env)
        return -EAGAIN;
    if (!__atomic_compare_exchange_n(&agent, &none, env, 0, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED)) {
        dispose(env);
        return -EBUSY;
    }
    if (add_capabilities(env) || follow_code(env)) {
        __atomic_store_n(&agent, NULL, __ATOMIC_RELEASE);
        dispose(env);
        return -EPERM;
    }
    __atomic_store_n(&trace_services, services_own(), __ATOMIC_RELEASE);
    expt_event(EVENT_java, NULL, NULL, NULL, 0);
    replay(env);
    if (java_name_open(machine))
        return 0;
    (void)java_listen_enable(env, JVMTI_THREAD_START);
    if (jni)
        java_name_all_threads(env, jni);
    follow_locks();
    follow_objects(env);
    return 0;
}

int
java_agent_is_there(void)
{
    return __atomic_load_n(&agent, __ATOMIC_ACQUIRE) != NULL;
}

void
java_agent_forget(void)
{
    __atomic_store_n(&agent, NULL, __ATOMIC_RELEASE);
    (void)java_name_close();
    has_interval = 0;
}

void
java_agent_end(int keep)
{
    void *env[2] = { __atomic_exchange_n(&agent, NULL, __ATOMIC_ACQ_REL),
                     java_name_close() };

    if (env[0] && has_interval)
        (void)set_interval(env[0], JAVA_OBJECT_DEFAULT);
    has_interval = 0;
    for (u32 i = 0; i < ER_COUNT(env); i++)
        if (env[i]) {
            java_listen_disable(env[i]);
            if (!keep)
                dispose(env[i]);
        }
}

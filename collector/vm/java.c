/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/vm/java.h"

#include <errno.h>
#include <string.h>

#include "collector/hook/real.h"
#include "collector/preload/made.h"
#include "collector/preload/services.h"
#include "collector/sig/gate.h"
#include "collector/vm/hotspot_layout.h"
#include "collector/vm/java_code.h"
#include "collector/vm/jvmti.h"
#include "share/params.h"

enum { JNI_ERROR = -1 };

typedef int create_machine(void **machine, void **env, void *args);

int JNI_CreateJavaVM(void **machine, void **env, void *args);
int Agent_OnLoad(void *machine, char *options, void *reserved);

static create_machine *real_create;
static u32 layout_tried;
static void *agent; /* our environment of JVM TI, or NULL */

static int
is_wanted(void)
{
    return gate_is_open() && !gate_limited && !services_params()->no_java;
}

/* For walks, from the machine's first moment on. */
static void
read_layout(void *handle)
{
    if (gate_is_open() && !__atomic_exchange_n(&layout_tried, 1, __ATOMIC_ACQ_REL))
        hotspot_layout_read(handle, is_wanted());
}

/* dlsym() for this one name, in the place of the real one. */
static void *
find_create(void *handle, const char *name)
{
    void *found = REAL(dlsym)(handle, name);

    /* Ours, in the global scope, is not what is asked for: the next there is. */
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
    /* What is "next" depends on who asks, which only the real one sees. */
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
 * The machine reports its own stubs by collector_func_load(), if it finds one: HotSpot
 * does so when they are made. Others are asked.
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
    return JVMTI_CALL(env, JVMTI_SET_EVENT_CALLBACKS, (void *, void *const *, int),
                      callbacks, sizeof(callbacks)) ||
           enable(env, JVMTI_COMPILED_METHOD_LOAD) ||
           enable(env, JVMTI_COMPILED_METHOD_UNLOAD) ||
           (!reports_stubs() && enable(env, JVMTI_DYNAMIC_CODE_GENERATED));
}

/* What there is already is told now, in this thread. */
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

static void
begin(void *machine)
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
    replay(env);
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
        begin(*machine);
    return ret;
}

/* The machine was told to load us as an agent of its own. */
WRAPPER int
Agent_OnLoad(void *machine, char *options, void *reserved)
{
    (void)options;
    (void)reserved;
    if (is_wanted())
        begin(machine);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/vm/java.h"

#include <string.h>

#include "collector/libc/real.h"
#include "collector/sig/gate.h"
#include "collector/sig/hotspot.h"
#include "collector/vm/hotspot_layout.h"
#include "collector/vm/java_agent.h"
#include "collector/vm/java_listen.h"

enum { JNI_ERROR = -1 };

typedef int create_machine(void **machine, void **env, void *args);

int JNI_CreateJavaVM(void **machine, void **env, void *args);
int Agent_OnLoad(void *machine, char *options, void *reserved);

static create_machine *real_create;

/*
 * Read the layout of the VM's structures. Called before the VM is created, so that
 * walks can use the layout from the beginning.
 */
static void
read_layout(void *handle)
{
    if (gate_is_open() && !hotspot_layout_read(handle) && !hotspot_find_method &&
        java_agent_is_wanted())
        hotspot_layout_read_methods(handle);
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

static void
begin(void *machine, void *jni)
{
    java_listen_start();
    (void)java_agent_begin(machine, jni);
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
    if (ret == 0 && java_agent_is_wanted())
        begin(*machine, *env);
    return ret;
}

/* Called if the VM was told, as by -agentpath, to load us as an agent. */
WRAPPER int
Agent_OnLoad(void *machine, char *options, void *reserved)
{
    (void)options;
    (void)reserved;
    if (java_agent_is_wanted())
        begin(machine, NULL);
    return 0;
}

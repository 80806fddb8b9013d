/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/vm/java.h"

#include <string.h>

#include "collector/hook/real.h"
#include "collector/sig/gate.h"
#include "collector/vm/hotspot_layout.h"

static u32 layout_tried;

/* For walks, from the machine's first moment on. */
static void
read_layout(void *handle)
{
    if (gate_is_open() && !__atomic_exchange_n(&layout_tried, 1, __ATOMIC_ACQ_REL))
        hotspot_layout_read(handle);
}

/* dlsym() for this one name, in the place of the real one. */
static void *
find_create(void *handle, const char *name)
{
    void *found = REAL(dlsym)(handle, name);

    if (found)
        read_layout(handle);
    return found;
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

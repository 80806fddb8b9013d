/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marks that were made for other tools look for a library by a variable of the
 * environment. The target's environment stays as it is: only who asks for that
 * variable, and does not have it, is told of ours.
 */
#include <dlfcn.h>
#include <string.h>

#include "collector/hook/real.h"
#include "collector/preload/thread.h"
#include "collector/region/region.h"

WRAPPER char *
getenv(const char *name)
{
    char *value = REAL(getenv)(name);
    Dl_info info;

    if (ER_LIKELY(value != NULL || (name[0] != 'I' && name[0] != 'N')))
        return value;
    if (strcmp(name, "INTEL_LIBITTNOTIFY64") != 0 &&
        strcmp(name, "NVTX_INJECTION64_PATH") != 0)
        return value;
    if (!gate_is_open() || !dladdr(&thread_note_regions, &info))
        return value;
    return (char *)(uintptr_t)info.dli_fname;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ITT and NVTX in the program find the tool's library by an environment variable. The
 * target's environment stays unchanged: getenv() returns the path of our library for
 * such a variable if it is not set.
 */
#include <dlfcn.h>
#include <string.h>

#include "collector/libc/real.h"
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

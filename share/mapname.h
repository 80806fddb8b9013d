/* SPDX-License-Identifier: Apache-2.0 */
/* Names that the kernel gives to mappings. Any context. */
#ifndef ERTOOLS_SHARE_MAPNAME_H
#define ERTOOLS_SHARE_MAPNAME_H

#include <string.h>

#include "share/types.h"

/*
 * Is a mapping without a file, though its name looks like a file's? Examples are shared
 * anonymous memory (where PHP keeps its JIT code) and memfds.
 */
static inline int
maps_is_memory(const char *name)
{
    static const char *const names[] = { "/dev/zero", "/memfd:", "/SYSV",
                                         "/anon_hugepage" };

    for (u32 i = 0; i < ER_COUNT(names); i++)
        if (!strncmp(name, names[i], strlen(names[i])))
            return 1;
    return 0;
}

#endif

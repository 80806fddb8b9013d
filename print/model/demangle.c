/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/demangle.h"

#include <libiberty/demangle.h>
#include <stddef.h>
#include <string.h>

char *
demangle(const char *linkage, bool parameters)
{
    int options = DMGL_AUTO | DMGL_ANSI | (parameters ? DMGL_PARAMS : 0);

    /* _Z: Itanium C++ and Rust's first scheme; _R: Rust's second (RFC 2603). */
    if (strncmp(linkage, "_Z", 2) && strncmp(linkage, "_R", 2) &&
        strncmp(linkage, "_GLOBAL_", 8))
        return NULL;
    return cplus_demangle(linkage, options);
}

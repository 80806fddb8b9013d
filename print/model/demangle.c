/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/demangle.h"

#include "config.h"

#ifdef HAVE_LIBIBERTY_DEMANGLE_H
#include <libiberty/demangle.h>
#else
#include <demangle.h>
#endif
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Write gfortran's __module_MOD_procedure as module::procedure; NULL as demangle(). */
static char *
fortran(const char *linkage)
{
    const char *module = linkage + 2, *mark = strstr(module, "_MOD_");
    const char *procedure = mark ? mark + strlen("_MOD_") : "";
    char *name;

    if (!mark || mark == module || !*procedure ||
        asprintf(&name, "%.*s::%s", (int)(mark - module), module, procedure) < 0)
        return NULL;
    return name;
}

char *
demangle(const char *linkage, bool parameters)
{
    int options = DMGL_AUTO | DMGL_ANSI | (parameters ? DMGL_PARAMS : 0);

    if (!strncmp(linkage, "__", 2) && strstr(linkage, "_MOD_"))
        return fortran(linkage);
    /*
     * _Z: C++ by the Itanium ABI, and Rust's legacy scheme; _R: Rust's scheme of RFC
     * 2603.
     */
    if (strncmp(linkage, "_Z", 2) && strncmp(linkage, "_R", 2) &&
        strncmp(linkage, "_GLOBAL_", 8))
        return NULL;
    return cplus_demangle(linkage, options);
}

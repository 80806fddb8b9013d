/* SPDX-License-Identifier: Apache-2.0 */
/* Long names of C++ and Rust, shortened for tables and stacks. Any thread. */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_BRIEFNAME_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_BRIEFNAME_H

#include <stdio.h>

#include "share/types.h"

/*
 * A demangled name without parameters, made shorter: template arguments become "<..>",
 * a lambda is "{lambda#2}" whichever compiler made it, inline and anonymous namespaces
 * go. The caller's to free; NULL = no memory.
 */
char *briefname(const char *name);

#endif

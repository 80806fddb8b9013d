/* SPDX-License-Identifier: Apache-2.0 */
/* Long names of C++ and Rust, shortened for tables and stacks. Any thread. */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_BRIEFNAME_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_BRIEFNAME_H

#include <stdio.h>

#include "share/types.h"

/*
 * A demangled name without parameters, made shorter: template arguments become "<..>",
 * inline and anonymous namespaces go. line: where the function is declared, or 0. A
 * lambda's own function is "f::{lambda:7}::operator()" by that line, whichever compiler
 * made it and whether it was inlined; other mentions, and those without a line, are
 * "{lambda#2}". The caller's to free; NULL = no memory.
 */
char *briefname(const char *name, u32 line);

#endif
